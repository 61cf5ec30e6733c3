/** Why a call came to nothing. */
export type CallProblemCode =
  /** It leads where nobody allowed it to. */
  | 'ADDRESS_REFUSED'
  /** The server could not be reached, or did not answer in time: later it may. */
  | 'COMMAND_UNAVAILABLE'
  /** Its answer is none that can be used. */
  | 'COMMAND_FAILED'
  /** A write was sent, and nobody knows what came of it. */
  | 'OUTCOME_UNKNOWN'
  | 'LIMIT_EXCEEDED'
  | 'VALIDATION_ERROR'
  /** A secret, or a file, that is not there or not as it must be. */
  | 'PRECONDITION_FAILED'
  | 'CANCELED';

/** It never holds a secret. */
export interface CallProblem {
  readonly code: CallProblemCode;
  readonly message: string;
  /** The one thing to do next. */
  readonly action: string;
  /** Whether the same call may succeed later. */
  readonly retryable: boolean;
}

export const callProblem = (
  code: CallProblemCode,
  message: string,
  action: string,
  retryable: boolean = code === 'COMMAND_UNAVAILABLE',
): CallProblem => ({ code, message, action, retryable });
