import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type DataRoot, rootMode } from './data-root.js';
import { errorCode } from '../files/fault-reason.js';
import { isLink, isRealFolder, makeFolderDurably, modeWithin, refuseLink } from '../files/folders.js';
import { pathIsTaken } from '../files/path-is-taken.js';
import { writeNewFile } from '../files/replace-file.js';

export type LocalPart =
  | 'agents'
  | 'locks'
  | 'snapshots'
  | 'ended'
  | 'tmp'
  | 'trash'
  | 'index'
  | 'running'
  | 'retention'
  | 'deleted';

/**
 * A folder under `local/`, made if it is missing: all in it can be deleted at any time at the cost of speed only.
 * Undefined where it cannot be had (a read-only data root, or a link in its place); then one does without.
 */
export function localFolder(root: DataRoot, part: LocalPart): string | undefined {
  const local = join(root.folder, 'local');
  const folder = join(local, part);
  if ([root.folder, local, folder].some(isLink)) return undefined;
  try {
    // What is in it may be lost; but it may be the first thing that makes the data root, and that may not.
    makeFolderDurably(root.folder, rootMode(root.kind));
    makeFolderDurably(local);
    mkdirSync(folder, { recursive: true, mode: modeWithin(local) });
    hideFromGit(local);
  } catch {
    return undefined;
  }
  return isRealFolder(folder) ? folder : undefined;
}

/**
 * The same on the mount of the sessions, where `local/` is on another: a rename does not lead from one to the other. Git
 * leaves it out, whatever stands in the data folder's own `.gitignore`.
 */
export function folderBesideSessions(root: DataRoot, part: 'tmp' | 'trash'): string {
  const beside = join(root.folder, 'sessions', besideName);
  refuseLink(beside);
  makeFolderDurably(join(beside, part));
  hideFromGit(beside);
  return join(beside, part);
}

/** Its name in the folder of sessions; no session can be called so. */
export const besideName = '.local';

/** Where that folder is looked for, without making it; undefined where a link is on the way, behind which nothing is ours. */
export function localPlace({ folder }: DataRoot, part: LocalPart): string | undefined {
  const local = join(folder, 'local');
  const place = join(local, part);
  return [folder, local, place].some(isLink) ? undefined : place;
}

/** The data root says so too, in a file that `git clean` and `git stash -u` take away; with this one they pass by all that is here. */
function hideFromGit(folder: string): void {
  const file = join(folder, '.gitignore');
  if (pathIsTaken(file)) return;
  try {
    writeNewFile(file, Buffer.from('*\n'));
  } catch (cause) {
    if (errorCode(cause) !== 'EEXIST') throw cause;
  }
}
