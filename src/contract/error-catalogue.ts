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
    'The step lacks something the agent can supply. Nothing was recorded; the tokens stay valid.',
  ),
  NOT_FOUND: lasting('not_found', 'No workflow, session or step has that name.'),
  WORKFLOW_INVALID: lasting('validation', 'The workflow file has violations; it cannot be started.'),
  CATALOG_INVALID: lasting('validation', 'The API document has violations, or the catalog cannot be used.'),
  TOKEN_MALFORMED: lasting('validation', 'This is not a token of the expected kind.'),
  TOKEN_UNKNOWN: lasting('not_found', 'It has the form of a token, but this installation never issued it.'),
  TOKEN_FOREIGN: lasting('not_found', 'The token is from another installation, or its session is not on this machine.'),
  TOKEN_SCOPE_MISMATCH: lasting('conflict', 'The ackToken and the stateToken belong to different steps.'),
  TOKEN_VERSION: lasting('validation', 'This WorkRail cannot read tokens of this version.'),
  SESSION_BUSY: passing('conflict', 'Another process is writing to the session and did not finish in time.'),
  SESSION_CHANGED: lasting(
    'conflict',
    'Files of the session were removed or replaced, for example by a checkout, a stash or a move.',
  ),
  SESSION_DAMAGED: lasting('conflict', 'The session is damaged: it can be read up to the damage, and not written.'),
  SESSION_NEWER_FORMAT: lasting('conflict', 'A newer WorkRail wrote to the session.'),
  LIMIT_EXCEEDED: lasting(
    'validation',
    'Something in the request is over a limit. Nothing was cut and nothing recorded.',
  ),
  PRECONDITION_FAILED: lasting('conflict', 'The call does not fit the state of the run.'),
  ALREADY_EXISTS: lasting('conflict', 'Something with that name already exists, and was not replaced.'),
  REVISION_CONFLICT: lasting('conflict', 'The file has changed since the revision in the request.'),
  CONFIRMATION_REQUIRED: lasting('conflict', 'The user has to agree first. Nothing was changed.'),
  SECRETS_FOUND: lasting(
    'conflict',
    'The session contains something that looks like a credential; it is not exported or shared unless you allow it.',
  ),
  TASK_CAPABILITY_REQUIRED: lasting(
    'validation',
    'The call needs a task, but the client does not declare tasks or the server does not offer them.',
  ),
  BUNDLE_INVALID_FORMAT: lasting('validation', 'The file is not a bundle, or contains something a bundle must not.'),
  BUNDLE_UNSUPPORTED_VERSION: lasting('validation', 'A newer WorkRail made the bundle.'),
  BUNDLE_INTEGRITY_FAILED: lasting('validation', 'The bundle was truncated or changed after it was exported.'),
  BUNDLE_MISSING_PIN: lasting('validation', 'The compiled workflow of a run is missing from the bundle.'),
  BUNDLE_EVENT_INVALID: lasting('validation', 'A line of its log is not an event, or is in the wrong place.'),
  COMMAND_FAILED: lasting('execution', 'A command was sent, and its answer cannot be used.'),
  COMMAND_UNAVAILABLE: passing('execution', 'The server of a command could not be reached, or did not answer in time.'),
  OUTCOME_UNKNOWN: lasting('execution', 'A command was sent, and its outcome is unknown.'),
  ADDRESS_REFUSED: lasting('execution', 'A command leads to an address that it must not call.'),
  CANCELED: lasting('execution', 'The call was canceled before it was done.'),
  STATE_INVALID: lasting('validation', 'The document does not fit its schema. Nothing was written.'),
  PATCH_FAILED: lasting('validation', 'An operation of the patch cannot be done. Nothing was written.'),
  STATE_CONFLICT: lasting(
    'conflict',
    'The shared state has changed since the version in the request. Nothing was written.',
  ),
  STATE_CLOSED: lasting('conflict', 'The shared state is closed. It can be read, and not written.'),
  STORAGE_FAULT: passing('execution', 'The disk failed: the request may or may not be recorded.'),
  INTERNAL: lasting('internal', 'A bug in WorkRail. Nothing was recorded.'),
};
