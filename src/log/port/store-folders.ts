import type { Result } from '../../base/result.js';
import type { LogRejection } from './log-rejection.js';
import type { Place, SessionRef } from './session-ref.js';
import type { Staging } from './store-carry.js';

export interface MoveAsked<E> {
  readonly from: SessionRef;
  readonly to: Place;
  readonly now: Date;
  /** Looks at what was copied before it counts: it is what will be there. */
  readonly check: (staged: Staging) => Promise<Result<unknown, E>>;
}

export type MoveRefused<E> =
  | { readonly why: 'checked'; readonly error: E }
  | { readonly why: 'busy'; readonly error: LogRejection }
  /** Another session stands there under that id, with other content. */
  | { readonly why: 'diverged' };

/** What only a store of folders can do. */
export interface StoreFolders {
  /** Every place that a session may be moved to, also those that are not read. */
  readonly known: readonly Place[];
  /** Takes a session to another place, in this order that whoever is cut short has it twice and never not at all. */
  move<E>(asked: MoveAsked<E>): Promise<Result<void, MoveRefused<E>>>;
  /** Makes a folder that holds sessions, or what is missing of it. Returns the files that were made. */
  prepare(place: Place): readonly string[];
}
