import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { idPatterns, type SessionId } from '../base/ids.js';
import { limits } from '../base/limits.js';
import type { DataRoot } from '../machine/data-root.js';
import { isFolderNamedSo, isLink } from '../files/folders.js';
import type { Projection } from './port/projection.js';
import { SessionLog, type SessionLogEnvironment } from './session-log.js';
import { errorCode } from '../files/fault-reason.js';

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

/** The sessions of all data roots, and which of them this process keeps in memory. */
export class Store<S> {
  readonly #options: StoreOptions<S>;
  readonly #logs = new Map<string, SessionLog<S>>();
  /** Event counts of what is in memory, the longest unused first. */
  readonly #resident = new Map<SessionLog<S>, number>();
  #residentEvents = 0;
  /** Those that hold a segment or a snapshot open, the longest unused first. */
  readonly #holding = new Set<SessionLog<S>>();

  constructor(options: StoreOptions<S>) {
    this.#options = options;
  }

  /** The sessions of every root, by id. Names that are no session ids, and links, are left out. */
  async list(): Promise<readonly SessionRef[]> {
    const refs = this.#options.roots.flatMap((root) => this.listIn(root));
    // Sorting keeps the order of the roots where ids are the same.
    return refs.toSorted((a, b) => (a.id === b.id ? 0 : a.id < b.id ? -1 : 1));
  }

  /** Compared without case. A root is listed only where no folder in it has this very name. */
  async find(id: string): Promise<SessionRef | undefined> {
    if (!idPatterns.session.test(id)) return undefined;
    const wanted = id.toLowerCase();
    for (const root of this.#options.roots) {
      const sessions = join(root.folder, 'sessions');
      if (!isLink(sessions) && isFolderNamedSo(join(sessions, id))) return { id: id as SessionId, root };
      const found = this.listIn(root).find((ref) => ref.id.toLowerCase() === wanted);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  open(ref: SessionRef): SessionLog<S> {
    const key = join(ref.root.folder, ref.id);
    const log =
      this.#logs.get(key) ??
      this.#make(ref, (used, eventCount, holdsFile) => this.#used(used, eventCount, holdsFile), this.#options.sealKey);
    this.#logs.set(key, log);
    return log;
  }

  /** For one look among thousands: nothing that is in use has to leave memory for it. It looks at all, so no snapshot would spare it anything. */
  glance(ref: SessionRef): SessionLog<S> {
    const log = this.#logs.get(join(ref.root.folder, ref.id));
    return log !== undefined && this.#resident.has(log) ? log : this.#make(ref, () => undefined, undefined);
  }

  #make(
    { id, root }: SessionRef,
    used: SessionLogEnvironment<S>['used'],
    sealKey: SessionLogEnvironment<S>['sealKey'],
  ): SessionLog<S> {
    const { projection, now, randomBytes, lock = 'lease' } = this.#options;
    return new SessionLog(id, root, {
      projection,
      now,
      randomBytes,
      lock,
      used,
      ...(sealKey !== undefined && { sealKey }),
    });
  }

  /** A session that is not there yet; its first append makes it. */
  create(id: SessionId): SessionLog<S> {
    return this.open({ id, root: this.#options.newSessions });
  }

  /** Ends what this process holds, so that a later one may take it up. */
  async close(): Promise<void> {
    for (const log of this.#logs.values()) log.letGo();
    this.#logs.clear();
    this.#resident.clear();
    this.#holding.clear();
    this.#residentEvents = 0;
  }

  /** The sessions of one root, in no order. */
  listIn(root: DataRoot): SessionRef[] {
    const folder = join(root.folder, 'sessions');
    if (isLink(folder)) return [];
    try {
      return readdirSync(folder, { withFileTypes: true })
        .filter((entry) => entry.isDirectory() && idPatterns.session.test(entry.name))
        .map((entry) => ({ id: entry.name as SessionId, root }));
    } catch (cause) {
      const code = errorCode(cause);
      if (code !== 'ENOENT' && code !== 'ENOTDIR')
        this.#options.log(`The sessions under ${root.folder} could not be listed: ${String(cause)}`);
      return [];
    }
  }

  /** Memory is bounded by events, open files by those who hold any; the log used last always stays. */
  #used(log: SessionLog<S>, eventCount: number, holdsFile: boolean): void {
    this.#residentEvents += eventCount - (this.#resident.get(log) ?? 0);
    this.#resident.delete(log);
    this.#resident.set(log, eventCount);
    this.#holding.delete(log);
    if (holdsFile) this.#holding.add(log);
    for (const oldest of this.#resident.keys()) {
      if (oldest === log || this.#residentEvents <= limits.residentEvents) break;
      this.#letGo(oldest);
    }
    for (const oldest of this.#holding) {
      if (oldest === log || this.#holding.size <= limits.heldSegments) break;
      this.#letGo(oldest);
    }
  }

  #letGo(log: SessionLog<S>): void {
    this.#residentEvents -= this.#resident.get(log) ?? 0;
    this.#resident.delete(log);
    this.#holding.delete(log);
    log.letGo();
  }
}

export function openStore<S>(options: StoreOptions<S>): Store<S> {
  return new Store(options);
}
