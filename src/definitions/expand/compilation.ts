import type { JsonValue } from '../../base/json-value.js';
import type { CompiledWorkflow } from '../compiled/compiled-workflow.js';
import type { Violation } from '../source/violation.js';

export type Compilation =
  | { readonly ok: true; readonly workflow: CompiledWorkflow; readonly warnings: readonly Violation[] }
  /** `id` and `title` as far as the source could be read. */
  | { readonly ok: false; readonly id?: string; readonly title?: string; readonly violations: readonly Violation[] };

/** A workflow file that others may call. */
export interface RoutineSource {
  /** Said in messages instead of a path. */
  readonly file: string;
  /** Compiled when it is asked for. Undefined while it is being compiled itself: whoever asks then is called by it. */
  readonly compile: () => Compilation | undefined;
  /** The file as it was written, where it could be read. */
  readonly source: () => JsonValue | undefined;
}

/** Where called routines are looked up. */
export interface Routines {
  (id: string): RoutineSource | undefined;
  /** For telling which one was meant. */
  readonly ids?: () => readonly string[];
}
