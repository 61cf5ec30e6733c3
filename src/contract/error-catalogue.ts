import type { ErrorCode } from '../base/rejection.js';

export const errorCategories = ['validation', 'not_found', 'conflict', 'execution', 'internal'] as const;
export type ErrorCategory = (typeof errorCategories)[number];

export interface ErrorMeaning {
  readonly category: ErrorCategory;
  /** Whether the same call may succeed without a change to it. */
  readonly retryable: boolean;
  readonly meaning: string;
}

const lasting = (category: ErrorCategory, meaning: string): ErrorMeaning => ({ category, retryable: false, meaning });
const passing = (category: ErrorCategory, meaning: string): ErrorMeaning => ({ category, retryable: true, meaning });

/** What each error code means, once for every door. */
export const errorCatalogue: { readonly [code in ErrorCode]: ErrorMeaning } = {
  VALIDATION_ERROR: lasting('validation', 'The request does not have the form the tool asks for.'),
  STEP_INCOMPLETE: lasting(
    'validation',
    'The step lacks something the agent can supply. Nothing was recorded; the tokens stay good.',
  ),
  NOT_FOUND: lasting('not_found', 'No workflow, session or step of that name is here.'),
  WORKFLOW_INVALID: lasting('validation', 'The workflow file has violations; it cannot be started.'),
  CATALOG_INVALID: lasting('validation', 'The API document has violations, or the catalog cannot be used as it is.'),
  TOKEN_MALFORMED: lasting('validation', 'What was sent is not a token of the wanted kind.'),
  TOKEN_UNKNOWN: lasting('not_found', 'It has the form of a token, but none like it was ever given out here.'),
  TOKEN_FOREIGN: lasting('not_found', 'The token was sealed by another installation, or its session is not here.'),
  TOKEN_SCOPE_MISMATCH: lasting('conflict', 'The ackToken belongs to another step than the stateToken.'),
  TOKEN_VERSION: lasting('validation', 'The token is of a version this WorkRail does not read.'),
  SESSION_BUSY: passing('conflict', 'Another process is writing to the session and did not finish in time.'),
  SESSION_CHANGED: lasting(
    'conflict',
    'Files of the session are gone or were replaced, as a checkout, a stash or a move does.',
  ),
  SESSION_DAMAGED: lasting('conflict', 'The session has damaged bytes; it can be read up to them and not written.'),
  SESSION_NEWER_FORMAT: lasting('conflict', 'A newer WorkRail wrote to the session.'),
  LIMIT_EXCEEDED: lasting(
    'validation',
    'Something sent is larger than is allowed. Nothing was cut and nothing recorded.',
  ),
  PRECONDITION_FAILED: lasting('conflict', 'The call does not fit where the run stands.'),
  ALREADY_EXISTS: lasting('conflict', 'Something of that name is here already, and was not replaced.'),
  REVISION_CONFLICT: lasting('conflict', 'The file has changed since the revision that was sent.'),
  CONFIRMATION_REQUIRED: lasting('conflict', 'The user has to agree first. Nothing was changed.'),
  SECRETS_FOUND: lasting(
    'conflict',
    'The session contains something that looks like a credential; it is not exported or shared unless you allow it.',
  ),
  TASK_CAPABILITY_REQUIRED: lasting(
    'validation',
    'The call is about a task, or asks for one, where the client does not say that it takes tasks or the server does not give them.',
  ),
  BUNDLE_INVALID_FORMAT: lasting('validation', 'The file is not a bundle, or contains something a bundle must not.'),
  BUNDLE_UNSUPPORTED_VERSION: lasting('validation', 'A newer WorkRail made the bundle.'),
  BUNDLE_INTEGRITY_FAILED: lasting('validation', 'The bundle was truncated or changed after it was exported.'),
  BUNDLE_MISSING_PIN: lasting('validation', 'The compiled workflow of a run is missing from the bundle.'),
  BUNDLE_EVENT_INVALID: lasting('validation', 'A line of its log is not an event, or is in the wrong place.'),
  STORAGE_FAULT: passing('execution', 'The disk failed: what was sent may or may not be recorded.'),
  INTERNAL: lasting('internal', 'A bug in WorkRail. Nothing was recorded.'),
};
