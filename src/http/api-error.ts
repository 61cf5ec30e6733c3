import { randomBytes } from 'node:crypto';
import type { ErrorCode, Rejection } from '../base/rejection.js';
import { commandLine, type Sentence, sentenceForPeople, sentenceText } from '../base/sentence.js';
import { type ErrorCategory, errorCatalogue } from '../contract/error-catalogue.js';
import type { AboutServer, ApiError } from '../contract/http-api.js';

/** What this door refuses before anybody is asked. */
export type DoorRefusal = Pick<ApiError, 'error_code' | 'category' | 'message' | 'suggested_action'> & {
  readonly retryable?: boolean;
};

interface Telling {
  readonly log: (line: string) => void;
  readonly about: Pick<AboutServer, 'program' | 'where'>;
}

/** One shape for everything that goes wrong, with commands that run in a shell of this machine. The id stands in the log as well. */
export function errorOf(
  { code, message, action, context, retryAfterMs, violations }: Rejection,
  { log, about }: Telling,
): ApiError {
  const words = (sentence: Sentence): string =>
    sentenceText(sentenceForPeople(sentence), (part) =>
      'command' in part ? commandLine(about.program, [...part.command, ...about.where]) : part.text,
    );
  const { category, retryable } = errorCatalogue[code];
  const correlationId = randomBytes(6).toString('hex');
  if (category === 'execution' || category === 'internal') log(`${correlationId} ${code}: ${message}`);
  return {
    error_code: code,
    category,
    message,
    context: context ?? {},
    retryable,
    ...(retryAfterMs !== undefined && { retry_after_ms: retryAfterMs }),
    suggested_action: words(action),
    ...(violations !== undefined && {
      violations: violations.map((violation) => ({ ...violation, message: words(violation.message) })),
    }),
    correlation_id: correlationId,
  };
}

export const rejected = (
  rejection: Rejection,
  telling: Telling,
  status: number = ownStatuses.get(rejection.code) ?? statuses[errorCatalogue[rejection.code].category],
): Response => Response.json(errorOf(rejection, telling), { status });

export const refusal = (status: number, told: DoorRefusal, headers: Readonly<Record<string, string>> = {}): Response =>
  Response.json(refusalBody(told), { status, headers });

export const methodRefusal = (message: string, allow = 'GET'): Response =>
  refusal(
    405,
    { error_code: 'METHOD_NOT_ALLOWED', category: 'validation', message, suggested_action: `send ${allow}` },
    { allow },
  );

export function refusalBody({ retryable = false, ...told }: DoorRefusal): ApiError {
  return { ...told, retryable, context: {}, correlation_id: randomBytes(6).toString('hex') };
}

const ownStatuses: ReadonlyMap<ErrorCode, number> = new Map([
  ['LIMIT_EXCEEDED', 413],
  ['STATE_INVALID', 422],
  ['PATCH_FAILED', 422],
  ['STATE_CLOSED', 410],
]);

const statuses: { readonly [category in ErrorCategory]: number } = {
  validation: 400,
  not_found: 404,
  conflict: 409,
  execution: 503,
  internal: 500,
};
