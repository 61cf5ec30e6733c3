import type { SessionId } from '../base/ids.js';
import type { DataRoot } from './data-root.js';
import type { Projection } from './projection.js';
import type { SessionLog } from './session-log.js';

export type { DataRoot } from './data-root.js';

export interface SessionRef {
  readonly id: SessionId;
  readonly root: DataRoot;
}

export interface StoreOptions<S> {
  readonly roots: readonly DataRoot[];
  readonly newSessions: DataRoot;
  readonly projection: Projection<S>;
  readonly now: () => Date;
  readonly randomBytes: (count: number) => Uint8Array;
  /** Seals snapshots; without it there are none. */
  readonly sealKey?: () => Uint8Array | undefined;
  /** `off` is for tests: correctness never rests on the lock. */
  readonly lock?: 'lease' | 'off';
  readonly log: (line: string) => void;
}

export class Store<S> {
  constructor(_options: StoreOptions<S>) {}

  /** The sessions of every root, by id. Names that are no session ids, and links, are left out. */
  list(): Promise<readonly SessionRef[]> {
    return Promise.reject(new Error('not written yet'));
  }

  /** Compared without case. */
  find(_id: string): Promise<SessionRef | undefined> {
    return Promise.reject(new Error('not written yet'));
  }

  open(_ref: SessionRef): SessionLog<S> {
    throw new Error('not written yet');
  }

  /** A session that is not there yet; its first append makes it. */
  create(_id: SessionId): SessionLog<S> {
    throw new Error('not written yet');
  }

  /** Ends what this process holds, so that a later one may take it up. */
  close(): Promise<void> {
    return Promise.reject(new Error('not written yet'));
  }
}

export function openStore<S>(options: StoreOptions<S>): Store<S> {
  return new Store(options);
}
