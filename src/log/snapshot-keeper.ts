import { limits } from '../base/limits.js';
import type { Reading } from './reading.js';
import type { SessionFolder } from './session-folder.js';
import { loadSnapshot, saveSnapshot, type SnapshotOf } from './snapshot.js';

/** When a session's snapshot is worth writing, and how much of it the one on disk holds. */
export class SnapshotKeeper<S> {
  readonly #of: Omit<SnapshotOf<S>, 'key'>;
  readonly #sealKey: () => Uint8Array | undefined;
  #kept = 0;

  constructor(of: Omit<SnapshotOf<S>, 'key'>, sealKey: () => Uint8Array | undefined) {
    this.#of = of;
    this.#sealKey = sealKey;
  }

  load(at: SessionFolder, spoilt: () => void): Reading<S> | undefined {
    const key = this.#sealKey();
    const reading = key && loadSnapshot({ ...this.#of, key }, at, spoilt);
    this.#kept = reading?.eventCount ?? 0;
    return reading;
  }

  isBehind(eventCount: number): boolean {
    return eventCount - this.#kept >= limits.snapshotEvery;
  }

  /** In proportion to the session, so that all snapshots together cost no more than a few readings of it. */
  keepNowAndThen(reading: Reading<S> | undefined): void {
    this.#keep(reading, Math.max(limits.snapshotEvery, this.#kept / 4));
  }

  keepBeforeLeaving(reading: Reading<S> | undefined): void {
    this.#keep(reading, limits.snapshotEvery);
  }

  #keep(reading: Reading<S> | undefined, after: number): void {
    const key = reading === undefined || reading.eventCount - this.#kept < after ? undefined : this.#sealKey();
    if (reading === undefined || key === undefined) return;
    this.#kept = reading.eventCount;
    saveSnapshot({ ...this.#of, key }, reading);
  }
}
