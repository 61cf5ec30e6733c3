import type { JsonObject } from '../base/json-value.js';
import type { HeldBy } from './held-by.js';

/** A step that WorkRail does itself. */
export interface CommandTold {
  readonly path: string;
  readonly title: string;
  readonly command?: string;
  readonly state: 'pending' | 'running' | 'succeeded' | 'failed' | 'unknown' | 'blocked' | 'canceled';
  /** What the server answered. */
  readonly status?: number;
  readonly ms?: number;
  readonly tries?: number;
  /** Taken from another branch: nothing was sent. */
  readonly reused?: true;
  readonly message?: string;
  /** The beginning of what the server said to a request that failed. */
  readonly answered?: string;
}

/** What an answer says of them. */
export interface CommandsTold {
  /** The steps that WorkRail did itself on the way here, and the one that it is at. */
  readonly commands?: readonly CommandTold[];
  readonly commandsOmitted?: number;
  /** Looking back: what was sent after this step and changed something. Going back undoes none of it. */
  readonly sentSince?: readonly { readonly title: string; readonly request: string }[];
  readonly sentSinceOmitted?: number;
  /** Who has the run, where nobody here can tell whether that still runs. */
  readonly heldBy?: HeldBy;
  /** Why the run went no further. */
  readonly stopped?: { readonly code: string; readonly message: string };
  /** What the run gives. */
  readonly returned?: JsonObject;
}
