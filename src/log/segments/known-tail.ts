import type { EventSum, WriterId } from '../../base/ids.js';

/** The last line that a segment is known to have held, and where git stood when it was written. */
export interface KnownTail {
  readonly writer: WriterId;
  readonly sum: EventSum;
  readonly head: string | undefined;
}
