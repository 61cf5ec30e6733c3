import type { Lasting } from '../../base/in-place.js';
import type { Loaded } from './session-log.js';
import type { Place, SessionRef } from './session-ref.js';

/** How a session stood at one look. What it holds is the store's; it can be kept on disk. */
export interface SeenMark {
  /** It had not changed for so long that a later change is sure to show. */
  readonly settled: boolean;
}

/** Which sessions somebody may have written to since the last look. */
export interface Hints {
  /** Nobody can know what was written meanwhile: everything is to be looked at. */
  readonly unknown: boolean;
  readonly ids: ReadonlySet<string>;
}

/** What it takes to know of thousands of sessions which have changed, without reading them. */
export interface StoreLooks<S> {
  /** The sessions of one place, in no order. */
  listIn(place: Place): readonly SessionRef[];
  /** Differs when sessions have come to a place or gone from it; undefined where that could not be told. */
  listedAt(place: Place): number | undefined;
  /** When something last came to a session, by the store's clock; only to look at the newest first. */
  touchedAt(ref: SessionRef): number;
  hints(place: Place): { look(now: number): Hints };
  /** No session that is looked at bears this mark. */
  readonly unseen: SeenMark;
  /** Reads a session that has not been looked at, with the mark of what was read. */
  read<A>(
    ref: SessionRef,
    take: (loaded: Loaded<S>) => A,
  ): Promise<{ readonly taken: Lasting<A>; readonly mark: SeenMark }>;
  /** The mark as it is now: the same object where nothing has changed. A quick look may miss what no hint told of. */
  refresh(ref: SessionRef, mark: SeenMark, depth: 'quick' | 'whole'): SeenMark;
  same(a: SeenMark, b: SeenMark): boolean;
  /** What an earlier process has left at a place for the next one, unchanged; it can be lost at any time. */
  kept(place: Place): Buffer | undefined;
  keep(place: Place, bytes: () => Buffer): boolean;
}
