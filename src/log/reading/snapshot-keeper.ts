import { limits } from '../../base/limits.js';
import type { Reading } from '../segments/reading.js';
import type { SessionFolder } from '../segments/session-folder.js';
import { astraySpares } from '../segments/spares.js';
import { loadSnapshot, removeSnapshots, saveSnapshot, type SnapshotOf } from './snapshot.js';

/** When a session's snapshot is worth writing, and how much of it the one on disk holds. */
export class SnapshotKeeper<S> {
  readonly #of: Omit<SnapshotOf<S>, 'key'>;
  readonly #at: SessionFolder;
  readonly #sealKey: () => Uint8Array | undefined;
  readonly #spoilt: () => void;
  #kept = 0;
  /** What lies on disk is not what was written, and it may not be possible to take it away. */
  #isSpoilt = false;
  #holds = false;

  /** `spoilt` is told when what was loaded turns out not to be what was kept. */
  constructor(
    of: Omit<SnapshotOf<S>, 'key'>,
    at: SessionFolder,
    sealKey: () => Uint8Array | undefined,
    spoilt: () => void,
  ) {
    this.#of = of;
    this.#at = at;
    this.#sealKey = sealKey;
    this.#spoilt = spoilt;
  }

  /** A file is open, of which parts have not been read. */
  get holds(): boolean {
    return this.#holds;
  }

  load(): Reading<S> | undefined {
    const { root, id } = this.#of;
    // What git took away and put aside is looked for by a reading of the whole.
    const isOfUse = !this.#isSpoilt && astraySpares(root, id, this.#at).length === 0;
    const key = isOfUse ? this.#sealKey() : undefined;
    const reading = key && loadSnapshot({ ...this.#of, key }, this.#at, () => this.#leaveAside());
    this.#kept = reading?.eventCount ?? 0;
    this.#holds = reading !== undefined;
    return reading;
  }

  isBehind(eventCount: number): boolean {
    return eventCount - this.#kept >= limits.snapshotEvery;
  }

  /**
   * In proportion to the session, so that all snapshots together cost no more than a few readings of it. Gives back what
   * to go on with: once its steps are on disk in pieces, a long session need not be in memory as well.
   */
  keepNowAndThen(reading: Reading<S> | undefined): Reading<S> | undefined {
    return this.#keep(reading, Math.max(limits.snapshotEvery, this.#kept / 4)) ? (this.load() ?? reading) : reading;
  }

  keepBeforeLeaving(reading: Reading<S> | undefined): void {
    this.#keep(reading, limits.snapshotEvery);
    this.#holds = false;
  }

  #leaveAside(): void {
    this.#isSpoilt = true;
    this.#spoilt();
    try {
      removeSnapshots(this.#of.root, this.#of.id);
    } catch {
      // Whoever may write here can.
    }
  }

  #keep(reading: Reading<S> | undefined, after: number): boolean {
    const key = reading === undefined || reading.eventCount - this.#kept < after ? undefined : this.#sealKey();
    if (reading === undefined || key === undefined) return false;
    this.#kept = reading.eventCount;
    const saved = saveSnapshot({ ...this.#of, key }, reading);
    this.#isSpoilt &&= !saved;
    return saved;
  }
}
