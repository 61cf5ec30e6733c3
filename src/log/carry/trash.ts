import { lstatSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { idPatterns, type SessionId } from '../../base/ids.js';
import { limits } from '../../base/limits.js';
import type { DataRoot } from '../../machine/data-root.js';
import { errorCode } from '../../files/fault-reason.js';
import { isLink, isRealFolder, syncFolder } from '../../files/folders.js';
import { besideName, folderBesideSessions, localFolder, localPlace } from '../../machine/local-folder.js';
import { mergeSession } from './merge-session.js';
import { pathIsTaken } from '../../files/path-is-taken.js';
import { namesIn, type SessionFolder, sessionFolder, sessionFolderIn } from '../segments/session-folder.js';
import { forgetSpares } from '../segments/spares.js';
import { removeSnapshots } from '../reading/snapshot.js';

/** Where a session lies that was taken away. */
export interface Trashed {
  readonly at: SessionFolder;
  /** Undoes it. Where the session was begun anew meanwhile, the two are put together. */
  readonly putBack: () => void;
  /** The move is over: the next run may delete it, however soon that comes. */
  readonly settle: () => void;
}

/** No session's id holds it, so the parts of a name in the trash can be told apart. */
const separator = '~';
/** How the name of what nobody looks at any more ends. */
const over = 'over';

/** Takes a session out of the way in one rename. Whoever has it open finds its files gone, and acknowledges nothing more. */
export function moveToTrash(root: DataRoot, id: SessionId, now: Date, mark: string): Trashed {
  const trash = localFolder(root, 'trash');
  if (trash === undefined)
    throw Object.assign(new Error(`${join(root.folder, 'local', 'trash')} cannot be created or used`), {
      code: 'EACCES',
    });
  const at = sessionFolder(root, id);
  const name = [id, now.getTime().toString(36), mark].join(separator);
  let there = sessionFolderIn(trash, name);
  try {
    renameSync(at.folder, there.folder);
  } catch (cause) {
    if (errorCode(cause) !== 'EXDEV') throw cause;
    there = sessionFolderIn(folderBesideSessions(root, 'trash'), name);
    renameSync(at.folder, there.folder);
  }
  syncFolder(at.sessions);
  syncFolder(there.sessions);
  return { at: there, putBack: () => putBack(there, at), settle: () => settle(there) };
}

/** Nothing is lost where it fails: once it has rested, an entry is deleted under either name. */
function settle({ folder }: SessionFolder): void {
  try {
    renameSync(folder, `${folder}${separator}${over}`);
  } catch {
    return;
  }
}

function putBack(from: SessionFolder, to: SessionFolder): void {
  if (pathIsTaken(to.folder)) {
    // Files of two writers never have one name: this is a union.
    const merged = mergeSession(to, from);
    if (!merged.ok)
      throw new Error(
        `${from.folder} could not be restored: ${merged.error.diverged} is a different file in ${to.folder}`,
      );
    rmSync(from.folder, { recursive: true, force: true });
  } else renameSync(from.folder, to.folder);
  syncFolder(to.sessions);
}

/** What is remembered of a session beside it, and what is kept of it: it was taken away on purpose. */
export function forgetSession(root: DataRoot, id: SessionId): void {
  removeSnapshots(root, id);
  forgetSpares(root, id);
  const [ended, index] = [localPlace(root, 'ended'), localPlace(root, 'index')];
  if (ended !== undefined) rmSync(join(ended, id), { recursive: true, force: true });
  if (index !== undefined) rmSync(index, { recursive: true, force: true });
}

export interface TrashHeld {
  readonly sessions: number;
  readonly bytes: number;
}

/** What earlier moves left; deleted where that is asked for. A move that is under way is left alone. */
export function lookIntoTrash(root: DataRoot, now: Date, remove: boolean): TrashHeld {
  const held = { sessions: 0, bytes: 0 };
  for (const trash of trashesOf(root)) {
    const old = namesIn(trash).filter((name) => mayGo(name, now));
    held.sessions += old.length;
    held.bytes += old.reduce((sum, name) => sum + folderSize(join(trash, name)), 0);
    if (!remove) continue;
    for (const name of old) rmSync(join(trash, name), { recursive: true, force: true });
    removeIfEmpty(trash);
  }
  return held;
}

/** The trash, and the one of a root whose sessions are on a mount of their own. */
function trashesOf(root: DataRoot): readonly string[] {
  const sessions = join(root.folder, 'sessions');
  const beside = [root.folder, sessions, join(sessions, besideName)].some(isLink)
    ? undefined
    : join(sessions, besideName, 'trash');
  return [localPlace(root, 'trash'), beside].filter((trash) => trash !== undefined).filter(isRealFolder);
}

function mayGo(name: string, now: Date): boolean {
  const [, moved = '', , end] = name.split(separator);
  const rested = now.getTime() - Number.parseInt(moved, 36);
  return rested > limits.trashRestMs || (rested <= limits.trashRestMs && end === over);
}

export interface TrashEntry {
  readonly id: SessionId;
  /** Relative to the data root, with forward slashes. */
  readonly place: string;
  readonly at: SessionFolder;
}

/** Every session in the trash of a root; one may lie there several times. */
export function trashEntries(root: DataRoot): readonly TrashEntry[] {
  return trashesOf(root).flatMap((trash) =>
    namesIn(trash).flatMap((name): readonly TrashEntry[] => {
      const [id = ''] = name.split(separator);
      const place = relative(root.folder, join(trash, name)).split(sep).join('/');
      return idPatterns.session.test(id) && isRealFolder(join(trash, name))
        ? [{ id: id as SessionId, place, at: sessionFolderIn(trash, name) }]
        : [];
    }),
  );
}

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // What is in it is younger.
  }
}

/** All files of a session. */
export function folderSize(folder: string): number {
  const stat = lstatSync(folder, { throwIfNoEntry: false });
  if (stat === undefined) return 0;
  return stat.isDirectory()
    ? namesIn(folder).reduce((sum, name) => sum + folderSize(join(folder, name)), 0)
    : stat.size;
}
