import { ApiFailure } from './api-failure.js';

/** What went wrong and what to do, where there is room for one line. */
export function failureWords(cause: unknown): string {
  if (!(cause instanceof ApiFailure)) return cause instanceof Error ? cause.message : String(cause);
  const { told, message } = cause;
  if (told === undefined) return message;
  return `${[message, told.suggested_action].filter((part) => part !== '').join('; ')} (${failureMark(cause)})`;
}

/** By which somebody else finds what went wrong: its code, and the id under which it stands in the server's log. */
export const failureMark = ({ code, told }: ApiFailure): string =>
  told === undefined ? code : `${code}, ${told.correlation_id}`;
