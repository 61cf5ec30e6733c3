import { randomBytes } from 'node:crypto';
import type { Rejection } from '../base/rejection.js';
import { sentenceText } from '../base/sentence.js';
import { errorCatalogue } from '../contract/error-catalogue.js';
import type { ApiError } from '../contract/http-api.js';

/** What this door refuses before anybody is asked. */
export type DoorRefusal = Pick<ApiError, 'error_code' | 'category' | 'message' | 'suggested_action'> & {
  readonly retryable?: boolean;
};

/** One shape for everything that goes wrong. The id stands in the log as well. */
export function rejected(
  { code, message, action, context, retryAfterMs, violations }: Rejection,
  log: (line: string) => void,
): Response {
  const { category, retryable } = errorCatalogue[code];
  const correlationId = randomBytes(6).toString('hex');
  if (category === 'execution' || category === 'internal') log(`${correlationId} ${code}: ${message}`);
  const error: ApiError = {
    error_code: code,
    category,
    message,
    context: context ?? {},
    retryable,
    ...(retryAfterMs !== undefined && { retry_after_ms: retryAfterMs }),
    suggested_action: sentenceText(action),
    ...(violations !== undefined && {
      violations: violations.map((violation) => ({ ...violation, message: sentenceText(violation.message) })),
    }),
    correlation_id: correlationId,
  };
  return Response.json(error, { status: statusOf({ code }) });
}

export function refusal(
  status: number,
  { retryable = false, ...told }: DoorRefusal,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return Response.json(refusalBody({ ...told, retryable }), { status, headers });
}

export function refusalBody({ retryable = false, ...told }: DoorRefusal): ApiError {
  return { ...told, retryable, context: {}, correlation_id: randomBytes(6).toString('hex') };
}

function statusOf({ code }: Pick<Rejection, 'code'>): number {
  if (code === 'LIMIT_EXCEEDED') return 413;
  switch (errorCatalogue[code].category) {
    case 'validation':
      return 400;
    case 'not_found':
      return 404;
    case 'conflict':
      return 409;
    case 'execution':
      return 503;
    case 'internal':
      return 500;
  }
}
