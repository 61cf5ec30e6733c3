import { type FileRef, fileRefOf, placeOf, refOf } from './files/file-ref.js';
import { fileCarry } from './carry/file-carry.js';
import { fileFolders } from './carry/file-folders.js';
import { fileRetention } from './carry/file-retention.js';
import { fileLooks } from './looks/file-looks.js';
import { fileRunning } from './running/file-running.js';
import type { StoreRetention } from './port/store-retention.js';
import type { StoreRunning } from './port/store-running.js';
import type { StoreCarry } from './port/store-carry.js';
import type { StoreFolders } from './port/store-folders.js';
import type { StoreLooks } from './port/store-looks.js';
import { fileCare } from './care/file-care.js';
import { takeUpKept } from './care/take-up-kept.js';
import { SessionFinder } from './looks/session-finder.js';
import type { Place, SessionRef } from './port/session-ref.js';
import type { SessionStore, StoreNeeds } from './port/session-store.js';
import type { StoreCare } from './port/store-care.js';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { idPatterns, type SessionId } from '../base/ids.js';
import { limits } from '../base/limits.js';
import type { DataRoot } from '../machine/data-root.js';
import { isFolderNamedSo, isLink } from '../files/folders.js';
import { FileSessionLog, type FileSessionLogOptions } from './file-session-log.js';
import { errorCode } from '../files/fault-reason.js';

export interface FileStoreOptions<S> extends StoreNeeds<S> {
  readonly roots: readonly DataRoot[];
  readonly newSessions: DataRoot;
  /** Every root that there is, also those that are not read: a session may be moved to any. */
  readonly known?: readonly DataRoot[];
  /** `off` is for tests: correctness never rests on the lock. */
  readonly lock?: 'lease' | 'off';
}

/** Sessions as folders in data roots, and which of them this process keeps in memory. */
export class FileStore<S> implements SessionStore<S> {
  readonly #options: FileStoreOptions<S>;
  readonly #logs = new Map<string, FileSessionLog<S>>();
  /** Weights of what is in memory, in events, the longest unused first. */
  readonly #resident = new Map<FileSessionLog<S>, number>();
  #residentEvents = 0;
  /** Those that hold a segment or a snapshot open, the longest unused first. */
  readonly #holding = new Set<FileSessionLog<S>>();
  readonly #finder = new SessionFinder();
  readonly places: readonly Place[];
  readonly newSessions: Place;
  readonly looks: StoreLooks<S>;
  readonly care: StoreCare;
  readonly carry: StoreCarry;
  readonly running: StoreRunning;
  readonly retention: StoreRetention = fileRetention();
  readonly folders: StoreFolders;

  constructor(options: FileStoreOptions<S>) {
    this.#options = options;
    this.places = options.roots.map(placeOf);
    this.newSessions = placeOf(options.newSessions);
    const mark = (): string => Buffer.from(options.randomBytes(6)).toString('hex');
    this.care = fileCare(this, options, mark);
    this.carry = fileCarry(this, mark);
    this.running = fileRunning(mark, options.now);
    this.looks = fileLooks(this, () => options.sealKey?.());
    this.folders = fileFolders(this, options.known ?? options.roots, mark, (ref) =>
      this.open(ref).maintain((care) => takeUpKept(care, 'all')),
    );
  }

  /** Names that are no session ids are left out. A link is listed: whoever reads it is told that it is one. */
  async list(passOver?: (place: Place, fault: unknown) => void): Promise<readonly SessionRef[]> {
    return this.#list(passOver && ((root, fault) => passOver(placeOf(root), fault))).map(refOf);
  }

  /** A root that cannot be listed is a fault, where nobody takes it upon himself to tell of it. */
  #list(passOver?: (root: DataRoot, fault: unknown) => void): readonly FileRef[] {
    const refs = this.#options.roots.flatMap((root) => {
      try {
        return this.listIn(root);
      } catch (fault) {
        if (passOver === undefined || errorCode(fault) === undefined) throw fault;
        passOver(root, fault);
        return [];
      }
    });
    // Sorting keeps the order of the roots where ids are the same.
    return refs.toSorted((a, b) => (a.id === b.id ? 0 : a.id < b.id ? -1 : 1));
  }

  /** Compared without case. A root is listed only where no folder in it has this very name. */
  async find(id: string): Promise<SessionRef | undefined> {
    if (!idPatterns.session.test(id)) return undefined;
    const wanted = id.toLowerCase();
    for (const root of this.#options.roots) {
      const sessions = join(root.folder, 'sessions');
      if (!isLink(sessions) && isFolderNamedSo(join(sessions, id))) return refOf({ id: id as SessionId, root });
      const found = this.listIn(root).find((ref) => ref.id.toLowerCase() === wanted);
      if (found !== undefined) return refOf(found);
    }
    return undefined;
  }

  async byToken(prefix: bigint, bits: 34 | 82, anew?: 'anew'): Promise<readonly FileSessionLog<S>[]> {
    if (anew !== undefined) this.#finder.forget();
    let throwFault: (() => never) | undefined;
    const listed = (): readonly FileRef[] =>
      this.#list((_, fault) => {
        throwFault ??= () => {
          throw fault as Error;
        };
      });
    const found = this.#finder.byPrefix(prefix, bits, listed);
    // It may lie just where nothing could be listed: nobody can say that it is not here.
    if (found.length === 0) throwFault?.();
    return found.map((ref) => this.#open(ref));
  }

  open(ref: SessionRef): FileSessionLog<S> {
    return this.#open(fileRefOf(ref));
  }

  #open(ref: FileRef): FileSessionLog<S> {
    const key = join(ref.root.folder, ref.id);
    const known = this.#logs.get(key);
    if (known !== undefined) return known;
    this.#finder.note(ref);
    const log = this.#make(
      ref,
      (used, weight, holdsFile) => this.#used(used, weight, holdsFile),
      this.#options.sealKey,
    );
    this.#logs.set(key, log);
    return log;
  }

  /** For one look among thousands: nothing that is in use has to leave memory for it. It looks at all, so no snapshot would spare it anything. */
  glance(ref: SessionRef): FileSessionLog<S> {
    const { id, root } = fileRefOf(ref);
    const log = this.#logs.get(join(root.folder, id));
    return log !== undefined && this.#resident.has(log) ? log : this.#make({ id, root }, () => undefined, undefined);
  }

  #make(
    { id, root }: FileRef,
    used: FileSessionLogOptions<S>['used'],
    sealKey: FileSessionLogOptions<S>['sealKey'],
  ): FileSessionLog<S> {
    const { projection, now, randomBytes, lock = 'lease' } = this.#options;
    return new FileSessionLog(id, root, {
      projection,
      now,
      randomBytes,
      lock,
      used,
      ...(sealKey !== undefined && { sealKey }),
    });
  }

  /** A session that is not there yet; its first append makes it. */
  create(id: SessionId): FileSessionLog<S> {
    return this.#open({ id, root: this.#options.newSessions });
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
  listIn(root: DataRoot): FileRef[] {
    const folder = join(root.folder, 'sessions');
    // Whoever asks for anything is told of a link before.
    if (isLink(root.folder) || isLink(folder)) return [];
    try {
      return readdirSync(folder, { withFileTypes: true })
        .filter((entry) => (entry.isDirectory() || entry.isSymbolicLink()) && idPatterns.session.test(entry.name))
        .map((entry) => ({ id: entry.name as SessionId, root }));
    } catch (cause) {
      if (errorCode(cause) === 'ENOENT') return [];
      throw cause;
    }
  }

  /** Memory is bounded by events and by what weighs as much, open files by those who hold any; the log used last always stays. */
  #used(log: FileSessionLog<S>, weight: number, holdsFile: boolean): void {
    this.#residentEvents += weight - (this.#resident.get(log) ?? 0);
    this.#resident.delete(log);
    this.#resident.set(log, weight);
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

  #letGo(log: FileSessionLog<S>): void {
    this.#residentEvents -= this.#resident.get(log) ?? 0;
    this.#resident.delete(log);
    this.#holding.delete(log);
    log.letGo();
  }
}

export function openFileStore<S>(options: FileStoreOptions<S>): FileStore<S> {
  return new FileStore(options);
}
