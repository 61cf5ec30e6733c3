import type { JsonValue } from '../base/json-value.js';
import type { ValueUnknown } from '../definitions/check/known-values.js';
import type { Frame } from '../definitions/compiled/place.js';
import type { Facts } from '../definitions/expression/scope-at.js';
import type { Collected } from './collected-lists.js';

/** What happens when a condition reads what nobody has set: the step that should have set it is incomplete, or the run goes on. */
export type WhenUnknown = 'stop' | 'assume';

export interface Way {
  /** Absent at the end of the run, and when something is unknown. */
  readonly next?: {
    readonly id: string;
    readonly path: string;
    readonly title: string;
    readonly frames: readonly Frame[];
    /** WorkRail does it itself. */
    readonly does?: 'run' | 'fail';
  };
  readonly entered: readonly { readonly loop: string; readonly items: readonly JsonValue[] }[];
  readonly skipped: readonly { readonly path: string; readonly title: string; readonly reason: string }[];
  readonly skippedMore: number;
  /** Loops that ended at their maximum with more to do. */
  readonly limited: readonly { readonly path: string; readonly message: string }[];
  readonly collected: Collected;
  readonly ended: readonly RoundEnded[];
  /** What a condition could not tell. Under `stop` the first one ends the search. */
  readonly unknown: readonly Unknown[];
  /** Keys that nobody set and without which steps were skipped that might else have run. */
  readonly unset: readonly Unset[];
  /** Keys whose value no condition knows, and for which steps were skipped that might else have run. */
  readonly missed: readonly (Unset & ValueUnknown)[];
}

export interface Unset {
  readonly key: string;
  /** Of the first of the steps. */
  readonly titles: readonly string[];
  readonly count: number;
}

/** What the author of a loop says of a round. */
export interface RoundEnded {
  readonly loop: string;
  readonly round: number;
  readonly line: string;
}

export interface Unknown {
  /** The context key that is not set, where that is the trouble. */
  readonly key?: string;
  /** Otherwise the keys that were read, one of which is not as it was meant to be. */
  readonly reads?: readonly string[];
  /** It reads the shared state, and nothing that a step hands back. */
  readonly isOfState?: boolean;
  /** What was asked, where it reads the output of steps, and of which. */
  readonly asked?: { readonly source: string; readonly outputs: ReadonlySet<string> };
  readonly path: string;
  readonly message: string;
}

/** The step that was done last. */
export interface Done {
  readonly id: string;
  readonly frames: readonly Frame[];
  /** What is known in a round that it was done in: without what other rounds left. */
  readonly ofRound: (frames: readonly Frame[]) => Pick<Facts, 'context' | 'outputs'>;
}
