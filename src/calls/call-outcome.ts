import type { JsonValue } from '../base/json-value.js';
import type { CallProblem } from './call-problem.js';

export type AnswerBody =
  | { readonly kind: 'none' }
  | { readonly kind: 'json'; readonly value: JsonValue }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array };

interface Told {
  /** Where it was sent in the end; without secrets. */
  readonly url: string;
  /** All tries together, pauses included. */
  readonly ms: number;
  readonly tries: number;
}

/** A call whose answer is there, whole. */
export interface AnsweredCall extends Told {
  readonly kind: 'answered';
  readonly status: number;
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: AnswerBody;
  /** Of the body, unpacked. */
  readonly bytes: number;
  /** How long the server asked to be left alone, where that is longer than a call waits. */
  readonly retryAfterMs?: number;
  /** An earlier try of it may have arrived, and been done. */
  readonly mayBeSecond?: true;
}

export type CallOutcome =
  | AnsweredCall
  /** No byte of it left this machine: any method may be tried again. */
  | (Told & { readonly kind: 'not_sent'; readonly problem: CallProblem })
  /** The server did it, and says more of it than is allowed: that was not read to its end, and none of it is kept. */
  | (Told & { readonly kind: 'too_long'; readonly status: number; readonly problem: CallProblem })
  /** Some of it may have arrived, and no complete answer came back. */
  | (Told & { readonly kind: 'unknown'; readonly problem: CallProblem; readonly status?: number });
