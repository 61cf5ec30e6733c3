import type { Result } from '../../base/result.js';
import { command } from '../../base/sentence.js';
import { errorCode } from '../../files/fault-reason.js';
import type { DataRoot } from '../../machine/data-root.js';
import { findGitFolders } from '../../machine/git-folders.js';
import {
  folderSize,
  forgetSession,
  lookIntoTrash,
  marksOf,
  moveToTrash,
  sameMarks,
  trashEntries,
} from '../carry/trash.js';
import { type FileRef, fileRefOf, placeOf, rootOf } from '../files/file-ref.js';
import { holdLeases } from '../looks/hold-leases.js';
import type { LogRejection } from '../port/log-rejection.js';
import type { Place, SessionRef } from '../port/session-ref.js';
import type {
  CareFinding,
  Examined,
  RawLine,
  RedactAsked,
  Redacted,
  Repaired,
  StoreCare,
  TakenAway,
  TrashedSession,
} from '../port/store-care.js';
import { rawLines } from '../segments/raw-lines.js';
import { listSegments, sessionFolder } from '../segments/session-folder.js';
import { examineRoot } from './examine-root.js';
import { examineSession, witnessesOf } from './examine-session.js';
import type { Maintenance } from './exclusive-maintenance.js';
import { redactEverywhere } from './redact-everywhere.js';
import { repairSession } from './repair-session.js';

interface CareOptions {
  readonly roots: readonly DataRoot[];
  readonly randomBytes: (count: number) => Uint8Array;
  readonly sealKey?: () => Uint8Array | undefined;
}

/** The sessions that are cared for, as the store has them open. */
interface OpenSessions {
  list(): Promise<readonly SessionRef[]>;
  open(ref: SessionRef): {
    maintain<A>(work: (care: Maintenance) => A): Promise<Result<A, LogRejection>>;
    letGo(): void;
  };
}

/** Care for sessions that are folders. */
export class FileCare implements StoreCare {
  readonly #sessions: OpenSessions;
  readonly #options: CareOptions;

  constructor(sessions: OpenSessions, options: CareOptions) {
    this.#sessions = sessions;
    this.#options = options;
  }

  async examine(ref: SessionRef): Promise<Examined> {
    return examineSession(fileRefOf(ref), this.#options.sealKey?.());
  }

  examineBeside(): readonly { readonly place: Place; readonly finding: CareFinding }[] {
    return this.#options.roots.flatMap((root) =>
      examineRoot(root).map((finding) => ({ place: placeOf(root), finding })),
    );
  }

  /** Sessions that lie in two data folders under one name, as a move that was cut short leaves them: the nearest is the one that is used. */
  async examineTogether(
    refs: readonly SessionRef[],
  ): Promise<readonly { readonly ref: SessionRef; readonly finding: CareFinding }[]> {
    const asked = new Set(refs.map(({ id }) => id));
    const nearest = new Map<string, SessionRef>();
    const found: { readonly ref: SessionRef; readonly finding: CareFinding }[] = [];
    for (const ref of await this.#sessions.list()) {
      const used = nearest.get(ref.id);
      if (used === undefined) nearest.set(ref.id, ref);
      else if (asked.has(ref.id)) found.push({ ref, finding: lyingTwice(fileRefOf(ref), fileRefOf(used)) });
    }
    return found;
  }

  async repair(ref: SessionRef, acceptLoss: boolean): Promise<Result<Repaired, LogRejection>> {
    const { id, root } = fileRefOf(ref);
    return this.#sessions
      .open(ref)
      .maintain((care) =>
        repairSession(care, { acceptLoss, witnesses: witnessesOf(root, id, this.#options.sealKey?.()) }),
      );
  }

  lines(ref: SessionRef): Iterable<RawLine> {
    return rawLines(sessionFolder(rootOf(ref.place), ref.id));
  }

  async redact(ref: SessionRef, asked: RedactAsked): Promise<Result<Redacted, LogRejection>> {
    return redactEverywhere(this.#sessions.open(ref), fileRefOf(ref), this.#options.roots, asked);
  }

  async takeAway<V>(
    ref: SessionRef,
    now: Date,
    judge: () => Promise<V>,
    mayGo: (verdict: V) => boolean,
  ): Promise<TakenAway<V>> {
    const { id, root } = fileRefOf(ref);
    const at = sessionFolder(root, id);
    const log = this.#sessions.open(ref);
    // What this process holds of it would be found gone.
    log.letGo();
    const done = await holdLeases([{ id, root }], async (): Promise<TakenAway<V>> => {
      const before = marksOf(at);
      const verdict = await judge();
      if (!mayGo(verdict)) return { kind: 'spared', verdict };
      try {
        const trashed = moveToTrash(root, id, now, Buffer.from(this.#options.randomBytes(6)).toString('hex'));
        // The lease is a courtesy: whoever wrote without it, and was told so, wrote before the move, and is seen here.
        if (!sameMarks(before, marksOf(trashed.at))) {
          trashed.putBack();
          return { kind: 'used' };
        }
        forgetSession(root, id);
        trashed.settle();
        return { kind: 'gone', verdict };
      } catch (cause) {
        const code = errorCode(cause);
        if (code === undefined) throw cause;
        return { kind: 'failed', code };
      }
    });
    log.letGo();
    return done.ok ? done.value : { kind: 'busy', message: done.error.message };
  }

  trash(): readonly TrashedSession[] {
    return this.#options.roots.flatMap((root) =>
      trashEntries(root).map(({ id, place, at }) => ({
        id,
        place: placeOf(root),
        where: place,
        at: at.folder,
        home: sessionFolder(root, id).folder,
        lines: () => rawLines(at),
      })),
    );
  }

  emptyTrash(now: Date, remove: boolean): { readonly sessions: number; readonly bytes: number } {
    const held = this.#options.roots.map((root) => lookIntoTrash(root, now, remove));
    return {
      sessions: held.reduce((sum, { sessions }) => sum + sessions, 0),
      bytes: held.reduce((sum, { bytes }) => sum + bytes, 0),
    };
  }

  size(ref: SessionRef): number {
    return folderSize(sessionFolder(rootOf(ref.place), ref.id).folder);
  }

  isInGit({ name }: Place): boolean {
    return findGitFolders(name) !== undefined;
  }
}

function lyingTwice(ref: FileRef, used: FileRef): CareFinding {
  const alike = filesOf(ref) === filesOf(used);
  const { kind } = [used, ref].find(({ root }) => root.kind !== 'given')?.root ?? used.root;
  return {
    level: alike ? 'note' : 'incomplete',
    file: '.',
    message: `a session of the same name lies in ${used.root.folder}, and that one is used; a move that was cut short leaves two${alike ? ', which hold the same here' : ', and what each holds differs here: work in this one is not seen'}`,
    remedy: ['put the two together: ', command('sessions', 'move', ref.id, '--to', kind === 'given' ? 'user' : kind)],
  };
}

const filesOf = ({ root, id }: FileRef): string =>
  listSegments(sessionFolder(root, id).segments)
    .segments.map(({ name, size }) => `${name} ${size}`)
    .join();
