import type { JsonObject, JsonValue } from './json-value.js';
import type { Sentence } from './sentence.js';

/** Every way a request can fail, on every door. What each means stands in the contract's error catalogue. */
export const errorCodes = [
  'VALIDATION_ERROR',
  'STEP_INCOMPLETE',
  'NOT_FOUND',
  'WORKFLOW_INVALID',
  'CATALOG_INVALID',
  'TOKEN_MALFORMED',
  'TOKEN_UNKNOWN',
  'TOKEN_FOREIGN',
  'TOKEN_SCOPE_MISMATCH',
  'TOKEN_VERSION',
  'SESSION_BUSY',
  'SESSION_CHANGED',
  'SESSION_DAMAGED',
  'SESSION_NEWER_FORMAT',
  'LIMIT_EXCEEDED',
  'PRECONDITION_FAILED',
  'ALREADY_EXISTS',
  'REVISION_CONFLICT',
  'CONFIRMATION_REQUIRED',
  'SECRETS_FOUND',
  'TASK_CAPABILITY_REQUIRED',
  'BUNDLE_INVALID_FORMAT',
  'BUNDLE_UNSUPPORTED_VERSION',
  'BUNDLE_INTEGRITY_FAILED',
  'BUNDLE_MISSING_PIN',
  'BUNDLE_EVENT_INVALID',
  'COMMAND_FAILED',
  'COMMAND_UNAVAILABLE',
  'OUTCOME_UNKNOWN',
  'ADDRESS_REFUSED',
  'CANCELED',
  'STATE_INVALID',
  'PATCH_FAILED',
  'STATE_CONFLICT',
  'STATE_CLOSED',
  'STORAGE_FAULT',
  'INTERNAL',
] as const;
export type ErrorCode = (typeof errorCodes)[number];

export interface NextCall {
  readonly tool: string;
  readonly arguments: JsonObject;
}

/** One thing that is wrong with what was sent. */
export interface RequestViolation {
  /** JSON pointer into the request. */
  readonly path: string;
  readonly rule: string;
  readonly message: Sentence;
  readonly expected?: string;
  readonly actual?: string;
  /** RFC 6902 operations on a workflow's source that put it right, where that is safe. */
  readonly patch?: readonly JsonObject[];
}

/** The caller's mistake, or the world's, as data: what is wrong and the one thing to do next. */
export interface Rejection {
  readonly code: ErrorCode;
  readonly message: string;
  /** One explicit next action, in words. */
  readonly action: Sentence;
  /** The same as a call, where it is one. */
  readonly nextCall?: NextCall;
  /** In place of a call of its own: the caller's request again, with these changes. */
  readonly again?: readonly { readonly at: string; readonly to: JsonValue | undefined }[];
  /** The identifiers, path, line and column it speaks of. */
  readonly context?: JsonObject;
  readonly retryAfterMs?: number;
  readonly violations?: readonly RequestViolation[];
  readonly blockers?: readonly {
    readonly code: string;
    readonly pointer: string;
    readonly message: Sentence;
    readonly fix: Sentence;
  }[];
  /** What the artifacts that were refused must meet, by their kind. */
  readonly schemas?: readonly { readonly kind: string; readonly schema: JsonObject }[];
  /** A filled-in example of a right request. */
  readonly example?: JsonObject;
}
