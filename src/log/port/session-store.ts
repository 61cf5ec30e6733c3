import type { SessionId } from '../../base/ids.js';
import type { StoreCare } from './store-care.js';
import type { StoreCarry } from './store-carry.js';
import type { StoreFolders } from './store-folders.js';
import type { StoreLooks } from './store-looks.js';
import type { Projection } from './projection.js';
import type { StoreRetention } from './store-retention.js';
import type { StoreRunning } from './store-running.js';
import type { SessionLog } from './session-log.js';
import type { Place, SessionRef } from './session-ref.js';

/** What every store is given, whatever it keeps sessions in. */
export interface StoreNeeds<S> {
  readonly projection: Projection<S>;
  readonly now: () => Date;
  readonly randomBytes: (count: number) => Uint8Array;
  /** Seals what is kept beside sessions; without it nothing is. */
  readonly sealKey?: () => Uint8Array | undefined;
  readonly log: (line: string) => void;
}

/**
 * Everything that a request may ask of a log, whatever the log is kept in. The laws in property-tests/laws/law-stores
 * hold every store to it.
 */
export interface SessionStore<S> {
  /** Where new sessions go. */
  readonly newSessions: Place;
  /** Where sessions are read from, the nearest first; `newSessions` is among them. */
  readonly places: readonly Place[];
  /** Every session, by id, the nearest place first where ids are the same. */
  list(passOver?: (place: Place, fault: unknown) => void): Promise<readonly SessionRef[]>;
  /** The session of this name, compared without case. */
  find(id: string): Promise<SessionRef | undefined>;
  /** The sessions that a token may speak of: those whose digest begins so. `anew` forgets where they were met before. */
  byToken(prefix: bigint, bits: 34 | 82, anew?: 'anew'): Promise<readonly SessionLog<S>[]>;
  open(ref: SessionRef): SessionLog<S>;
  /** For one look among thousands: nothing that is in use has to leave memory for it. */
  glance(ref: SessionRef): SessionLog<S>;
  /** A session that is not there yet; its first append makes it. */
  create(id: SessionId): SessionLog<S>;
  readonly looks: StoreLooks<S>;
  readonly care: StoreCare;
  readonly carry: StoreCarry;
  readonly running: StoreRunning;
  readonly retention: StoreRetention;
  /** What only a store of folders can do. */
  readonly folders?: StoreFolders;
  /** Ends what this process holds, so that a later one may take it up. */
  close(): Promise<void>;
}
