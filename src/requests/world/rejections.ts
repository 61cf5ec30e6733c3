import type { JsonObject } from '../../base/json-value.js';
import type { Rejection } from '../../base/rejection.js';
import type { Sentence } from '../../base/sentence.js';
import { refusalOf } from '../../files/fault-reason.js';

/** Whoever asked has called it off; `left` says what became of it. */
export const stopped = (left: string, action: Sentence): Rejection => ({
  code: 'PRECONDITION_FAILED',
  message: `it was stopped${left}`,
  action,
});

export const fileIsThere = (file: string): Rejection => ({
  code: 'PRECONDITION_FAILED',
  message: `${file} already exists; nothing was written`,
  action: 'name another file with -o, or overwrite it with --force',
  context: { file },
});

/** What the operating system would not do; anything else is thrown on. */
export function systemRefused(
  cause: unknown,
  doing: string,
  left: string,
  action: string,
  context?: JsonObject,
): Rejection {
  const message = refusalOf(cause, doing);
  if (message === undefined) throw cause;
  return { code: 'STORAGE_FAULT', message: `${message}${left}`, action, ...(context !== undefined && { context }) };
}

/** Nobody gave out that cursor. */
export const noSuchPage: Rejection = {
  code: 'VALIDATION_ERROR',
  message: 'cursor is not from an earlier answer',
  action: 'ask again without it',
};
