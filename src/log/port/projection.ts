import type { Event } from '../../events/event.js';

/** How a session's events become a value. The log knows nothing else of what its events mean. */
export interface Projection<S> {
  /** Changes whenever shape or meaning of S does; snapshots of another version are ignored. */
  readonly version: string;
  empty(): S;
  /** Maps of S by text that grow with the session: a snapshot keeps them in pieces, and no two of their values may share what is changed in place. */
  readonly tables?: readonly (keyof S & string)[];
  /**
   * `events` come in the total order, after everything folded before, each event once, withdrawn lines taken out.
   * May change `state` in place; returns it. S can be cloned structurally (Maps, Sets, plain data).
   */
  fold(state: S, events: readonly Event[]): S;
  /** Bytes that a state keeps in memory beyond what its events take. Asked after every use. */
  weigh?(state: S): number;
}
