import type { SessionId } from '../../base/ids.js';
import { command } from '../../base/sentence.js';
import { basename, join } from 'node:path';
import { errorCode } from '../../files/fault-reason.js';
import { refuseLink } from '../../files/folders.js';
import type { DataRoot } from '../../machine/data-root.js';
import { findGitFolders } from '../../machine/git-folders.js';
import { forgetLooks } from '../carry/file-retention.js';
import { folderSize, forgetSession, lookIntoTrash, moveToTrash, trashEntries } from '../carry/trash.js';
import { fileRefOf, placeOf } from '../files/file-ref.js';
import { holdLeases } from '../looks/hold-leases.js';
import type { SessionRef } from '../port/session-ref.js';
import type { CareFinding, RawLine, StoreCare, TakenAway, Unread } from '../port/store-care.js';
import {
  folderOf,
  listSegments,
  marksOf,
  sameMarks,
  segmentBytes,
  type SessionFolder,
  sessionFolder,
} from '../segments/session-folder.js';
import { siftSegment } from '../segments/sift-segment.js';
import { astraySpares, sparedSessions, spareFolder } from '../segments/spares.js';
import { bytesOf } from '../reading/kept-lines.js';
import { awaySessions, examineRoot } from './examine-root.js';
import { examineSession, witnessesOf } from './examine-session.js';
import { type MaintainedSession, redactEverywhere } from './redact-everywhere.js';
import { repairSession } from './repair-session.js';

interface CareOptions {
  readonly roots: readonly DataRoot[];
  readonly sealKey?: () => Uint8Array | undefined;
}

/** The sessions that are cared for, as the store has them open. */
interface OpenSessions {
  list(): Promise<readonly SessionRef[]>;
  open(ref: SessionRef): MaintainedSession & { letGo(): void };
}

/** Care for sessions that are folders. */
export function fileCare(sessions: OpenSessions, { roots, sealKey }: CareOptions, mark: () => string): StoreCare {
  return {
    examine: async (ref) => examineSession(fileRefOf(ref), sealKey?.()),
    examineBeside: () =>
      roots.flatMap((root) => examineRoot(root).map((finding) => ({ place: placeOf(root), finding }))),
    // Sessions that lie in two data folders under one name, as a move that was cut short leaves them: the nearest is the one that is used.
    examineTogether: async (refs) => {
      const asked = new Set(refs.map(({ id }) => id));
      const nearest = new Map<string, SessionRef>();
      return (await sessions.list()).flatMap((ref) => {
        const used = nearest.get(ref.id);
        if (used === undefined) nearest.set(ref.id, ref);
        return used === undefined || !asked.has(ref.id) ? [] : [{ ref, finding: lyingTwice(ref, used) }];
      });
    },
    repair: async (ref, { acceptLoss, everyBranch }) =>
      sessions.open(ref).maintain((care) => {
        const witnesses = witnessesOf(care.root, care.id, sealKey?.());
        return repairSession(care, { acceptLoss, witnesses, kept: everyBranch ? 'all' : 'of this branch' });
      }),
    lines: (ref, unread) => rawLines(folderOf(ref), unread),
    redact: async (ref, asked) => redactEverywhere(sessions.open(ref), fileRefOf(ref), roots, asked),
    takeAway: async (ref, now, judge, mayGo) => {
      const log = sessions.open(ref);
      // What this process holds of it would be found gone.
      log.letGo();
      const done = await holdLeases([fileRefOf(ref)], async () => takeAway(ref, now, judge, mayGo, mark()));
      log.letGo();
      return done.ok ? done.value : { kind: 'busy', message: done.error.message };
    },
    away: () => roots.flatMap((root) => awaySessions(root).map((away) => ({ ...away, place: placeOf(root) }))),
    keptBeside: () =>
      roots.flatMap((root) =>
        sparedSessions(root).map((id) => ({
          id,
          place: placeOf(root),
          where: spareFolder(id),
          lines: (unread) => keptIn(root, id, unread),
        })),
      ),
    trash: () =>
      roots.flatMap((root) =>
        trashEntries(root).map(({ id, place, at }) => ({
          id,
          place: placeOf(root),
          where: place,
          at: at.folder,
          home: sessionFolder(root, id).folder,
          lines: (unread) => rawLines(at, unread),
        })),
      ),
    emptyTrash: (now, remove) => {
      const held = roots.map((root) => lookIntoTrash(root, now, remove));
      if (remove) for (const root of roots) forgetLooks(root);
      return {
        sessions: held.reduce((sum, { sessions: count }) => sum + count, 0),
        bytes: held.reduce((sum, { bytes }) => sum + bytes, 0),
      };
    },
    size: (ref) => folderSize(folderOf(ref).folder),
    isInGit: ({ name }) => findGitFolders(name) !== undefined,
  };
}

async function takeAway<V>(
  ref: SessionRef,
  now: Date,
  judge: () => Promise<V>,
  mayGo: (verdict: V) => boolean,
  mark: string,
): Promise<TakenAway<V>> {
  const { id, root } = fileRefOf(ref);
  const before = marksOf(folderOf(ref));
  const verdict = await judge();
  if (!mayGo(verdict)) return { kind: 'spared', verdict };
  try {
    const trashed = moveToTrash(root, id, now, mark);
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
}

function lyingTwice(ref: SessionRef, used: SessionRef): CareFinding {
  const alike = filesOf(ref) === filesOf(used);
  const { kind } = [used, ref].find(({ place }) => place.kind !== 'given')?.place ?? used.place;
  return {
    level: alike ? 'note' : 'incomplete',
    file: '.',
    message: `${used.place.name} has a session with the same name, and that one is used; an interrupted move leaves two${alike ? ', which are identical here' : ', which differ here: work in this one does not show'}`,
    remedy: [
      'to combine the two, run: ',
      command('sessions', 'move', ref.id, '--to', kind === 'given' ? 'user' : kind),
    ],
  };
}

const filesOf = (ref: SessionRef): string =>
  marksOf(folderOf(ref))
    .map(({ name, size }) => `${name} ${size}`)
    .join();

const throwing: Unread = (fault) => {
  throw fault;
};

/** What is asked for; where the system refuses it, whoever reads is told so, and there is nothing. */
function given<A>(file: string, unread: Unread, none: A, ask: () => A): A {
  try {
    return ask();
  } catch (fault) {
    unread(fault, file);
    return none;
  }
}

/** What is kept of a session; what stands in it as well is told by its own lines. */
function* keptIn(root: DataRoot, id: SessionId, unread: Unread = throwing): Generator<RawLine, void, undefined> {
  for (const spare of given('.', unread, [], () => astraySpares(root, id, sessionFolder(root, id))))
    yield* linesOf(
      basename(spare.path),
      given(basename(spare.path), unread, nothing, () => bytesOf(spare)),
    );
}

const nothing = Buffer.alloc(0);

/** Every line of every segment, what is torn, withdrawn or damaged included: whoever gets the files gets those as well. */
function* rawLines(at: SessionFolder, unread: Unread = throwing): Generator<RawLine, void, undefined> {
  const { segments, links } = given('segments', unread, { segments: [], links: [] }, () => listSegments(at));
  // What cannot be looked through is not passed over in silence.
  for (const name of links) given(`segments/${name}`, unread, undefined, () => refuseLink(join(at.segments, name)));
  for (const { name } of segments) {
    const file = `segments/${name}`;
    yield* linesOf(
      file,
      given(file, unread, nothing, () => segmentBytes(at, name)),
    );
  }
}

function* linesOf(file: string, whole: Buffer): Generator<RawLine, void, undefined> {
  const { sound, unsound } = siftSegment(whole);
  for (const { event, line } of sound) yield { file, line, event };
  for (const { bytes, line } of unsound) yield { file, line, bytes };
}
