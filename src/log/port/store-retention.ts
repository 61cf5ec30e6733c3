import type { Place, SessionRef } from './session-ref.js';

/** What is noted beside sessions for whoever lets old ones go. It can be lost at any time, and is no part of any session. */
export interface StoreRetention {
  /** Somebody has looked at a session, by the store's clock. Kept only where this machine has written before. */
  noteLook(ref: SessionRef): void;
  /** When somebody last did, in milliseconds; undefined where nobody is known to have. */
  lookedAt(ref: SessionRef): number | undefined;
  /** What was told of the last look for old sessions at a place. */
  told(place: Place): Buffer | undefined;
  /** False where it could not be kept. */
  tell(place: Place, bytes: Buffer): boolean;
}
