import type { JsonValue } from '../../base/json-value.js';

/** One thing wrong, or doubtful, in a workflow's source, said so that its author can mend it without looking further. */
export interface Violation {
  readonly severity: 'error' | 'warning';
  /** A stable name, such as `unknown_key`. */
  readonly rule: string;
  /** JSON pointer into the source. */
  readonly pointer: string;
  /** Both from 1. */
  readonly line?: number;
  readonly column?: number;
  readonly message: string;
  readonly expected?: string;
  readonly actual?: string;
  /** The valid name that was probably meant. */
  readonly closest?: string;
  /** Where it can be mended without guessing: what to do to the source (RFC 6902). */
  readonly patch?: readonly PatchOperation[];
}

export type PatchOperation =
  | { readonly op: 'add' | 'replace'; readonly path: string; readonly value: JsonValue }
  | { readonly op: 'remove'; readonly path: string }
  | { readonly op: 'move'; readonly from: string; readonly path: string };
