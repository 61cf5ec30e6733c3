import type { ErrorCode } from '../base/rejection.js';

export const errorCategories = ['validation', 'not_found', 'conflict', 'execution', 'internal'] as const;
export type ErrorCategory = (typeof errorCategories)[number];

export interface ErrorMeaning {
  readonly category: ErrorCategory;
  /** Whether the same call may succeed without a change to it. */
  readonly retryable: boolean;
  readonly meaning: string;
}

/** What each error code means, once for every door. */
export const errorCatalogue: { readonly [code in ErrorCode]: ErrorMeaning } = {
  VALIDATION_ERROR: {
    category: 'validation',
    retryable: false,
    meaning: 'The request does not have the form the tool asks for.',
  },
  STEP_INCOMPLETE: {
    category: 'validation',
    retryable: false,
    meaning: 'The step lacks something the agent can supply. Nothing was recorded; the tokens stay good.',
  },
  NOT_FOUND: { category: 'not_found', retryable: false, meaning: 'No workflow, session or step of that name is here.' },
  WORKFLOW_INVALID: {
    category: 'validation',
    retryable: false,
    meaning: 'The workflow file has violations; it cannot be started.',
  },
  TOKEN_MALFORMED: {
    category: 'validation',
    retryable: false,
    meaning: 'What was sent is not a token of the wanted kind.',
  },
  TOKEN_UNKNOWN: {
    category: 'not_found',
    retryable: false,
    meaning: 'It has the form of a token, but none like it was ever given out here.',
  },
  TOKEN_FOREIGN: {
    category: 'not_found',
    retryable: false,
    meaning: 'The token was sealed by another installation, or its session is not here.',
  },
  TOKEN_SCOPE_MISMATCH: {
    category: 'conflict',
    retryable: false,
    meaning: 'The ackToken belongs to another step than the stateToken.',
  },
  TOKEN_VERSION: {
    category: 'validation',
    retryable: false,
    meaning: 'The token is of a version this WorkRail does not read.',
  },
  SESSION_BUSY: {
    category: 'conflict',
    retryable: true,
    meaning: 'Another process is writing to the session and did not finish in time.',
  },
  SESSION_CHANGED: {
    category: 'conflict',
    retryable: false,
    meaning: 'Files of the session are gone or were replaced, as a checkout, a stash or a move does.',
  },
  SESSION_DAMAGED: {
    category: 'conflict',
    retryable: false,
    meaning: 'The session has damaged bytes; it can be read up to them and not written.',
  },
  SESSION_NEWER_FORMAT: { category: 'conflict', retryable: false, meaning: 'A newer WorkRail wrote to the session.' },
  LIMIT_EXCEEDED: {
    category: 'validation',
    retryable: false,
    meaning: 'Something sent is larger than is allowed. Nothing was cut and nothing recorded.',
  },
  PRECONDITION_FAILED: {
    category: 'conflict',
    retryable: false,
    meaning: 'The call does not fit where the run stands.',
  },
  SECRETS_FOUND: {
    category: 'conflict',
    retryable: false,
    meaning: 'The session holds what looks like credentials; it does not leave unless that is asked for.',
  },
  BUNDLE_INVALID_FORMAT: {
    category: 'validation',
    retryable: false,
    meaning: 'The file is no bundle, or holds what a bundle must not.',
  },
  BUNDLE_UNSUPPORTED_VERSION: {
    category: 'validation',
    retryable: false,
    meaning: 'A newer WorkRail made the bundle.',
  },
  BUNDLE_INTEGRITY_FAILED: {
    category: 'validation',
    retryable: false,
    meaning: 'Bytes of the bundle are not those that were exported: it was cut or changed on the way.',
  },
  BUNDLE_MISSING_PIN: {
    category: 'validation',
    retryable: false,
    meaning: 'A run in it names a compiled workflow that is not there.',
  },
  BUNDLE_EVENT_INVALID: {
    category: 'validation',
    retryable: false,
    meaning: 'A line of its log is no event that may stand there.',
  },
  STORAGE_FAULT: {
    category: 'execution',
    retryable: true,
    meaning: 'The disk failed: what was sent may or may not be recorded.',
  },
  INTERNAL: { category: 'internal', retryable: false, meaning: 'A mistake of WorkRail itself. Nothing was recorded.' },
};
