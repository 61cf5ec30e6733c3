import { ApiFailure } from './api-failure.js';
import { failureMark } from './failure-mark.js';

/** What went wrong and what to do, where there is room for one line. */
export function failureWords(cause: unknown): string {
  if (!(cause instanceof ApiFailure)) return cause instanceof Error ? cause.message : String(cause);
  const { told, message } = cause;
  if (told === undefined) return message;
  return `${[message, told.suggested_action].filter((part) => part !== '').join('; ')} (${failureMark(cause)})`;
}
