import { lstatSync, mkdirSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { limits } from '../../base/limits.js';
import { isAlive } from '../../files/is-alive.js';
import { besideName } from '../../machine/local-folder.js';
import { type DataRoot, rootMode } from '../../machine/data-root.js';
import { isLink, makeFolderDurably, modeWithin, refuseLink, syncFolder } from '../../files/folders.js';
import { readPlainFile } from '../../files/read-plain-file.js';
import { hasEnded, type ProcessName, thisProcess } from '../../files/this-process.js';
import { pathIsTaken } from '../../files/path-is-taken.js';
import { namesIn, type SessionFolder, sessionFolderIn } from '../segments/session-folder.js';
import { errorCode } from '../../files/fault-reason.js';
import { type Chunks, writeChunks } from '../../files/write-whole-file.js';

/** Where a session that comes from elsewhere lies until all of it is verified: under `local/`, where nobody looks for sessions. */
export interface StagedFolder {
  readonly at: SessionFolder;
  /** Writes one file of it, durably. `name` is `pins/…` or `segments/…`, checked by the caller. */
  readonly put: (name: string, bytes: Chunks) => Promise<void>;
  /** Makes the names of all its files durable. */
  readonly settle: () => void;
  /** Takes away whatever is still here, and the folders that were made for it and hold nothing. */
  readonly discard: () => void;
}

const prefix = 'import-';

export function openStaging(root: DataRoot, mark: string): StagedFolder {
  const local = join(root.folder, 'local');
  for (const folder of [root.folder, local, join(root.folder, 'sessions')]) refuseLink(folder);
  removeStale(local);
  removeCopies(join(root.folder, 'sessions', besideName, 'tmp'));
  const sessions = join(local, `${prefix}${mark}`);
  const made = makeFolders(local, sessions, root);
  const at = sessionFolderIn(sessions, 'session');
  const discard = (): void => {
    rmSync(sessions, { recursive: true, force: true });
    for (const folder of made) removeIfEmpty(folder);
  };
  try {
    writeFileSync(join(sessions, 'holder'), JSON.stringify(thisProcess()));
    // What it holds lies there for good: a project's sessions are as open as the project.
    for (const folder of [at.folder, at.segments, at.pins]) mkdirSync(folder, modeWithin(root.folder));
  } catch (cause) {
    discard();
    throw cause;
  }
  return {
    at,
    discard,
    settle: () => {
      for (const folder of [at.segments, at.pins, at.folder]) syncFolder(folder);
    },
    put: (name, bytes) => writeChunks(join(at.folder, name), bytes),
  };
}

/** Makes the folder and what is missing above it; returns what was missing, the innermost first. */
function makeFolders(local: string, sessions: string, root: DataRoot): readonly string[] {
  for (let tries = 1; ; tries += 1) {
    const missing: string[] = [];
    for (let folder = local; !pathIsTaken(folder) && dirname(folder) !== folder; folder = dirname(folder))
      missing.push(folder);
    try {
      for (const folder of missing.toReversed())
        makeFolderDurably(folder, folder === root.folder ? rootMode(root.kind) : undefined);
      mkdirSync(sessions, 0o700);
      return missing;
    } catch (cause) {
      // Another import has just ended and taken away a folder that it had made.
      if (errorCode(cause) !== 'ENOENT' || tries === 5) throw cause;
    }
  }
}

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch (cause) {
    const code = errorCode(cause);
    // Somebody uses it: then it stays.
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST' && code !== 'ENOENT' && code !== 'EBUSY') throw cause;
  }
}

/** What a killed import left. That of a process which may still be at work stays, for a day. */
function removeStale(local: string): void {
  for (const name of namesIn(local)) {
    const folder = join(local, name);
    if (name.startsWith(prefix) && isStale(folder)) rmSync(folder, { recursive: true, force: true });
  }
}

/** What a killed process had begun to bring to the mount of the sessions. */
function removeCopies(folder: string): void {
  if (isLink(dirname(folder))) return;
  for (const name of namesIn(folder))
    if (!isAlive(Number(name.slice(name.lastIndexOf('.') + 1))))
      rmSync(join(folder, name), { recursive: true, force: true });
}

function isStale(folder: string): boolean {
  const stat = lstatSync(folder, { throwIfNoEntry: false });
  if (stat === undefined || !stat.isDirectory()) return false;
  if (Date.now() - stat.mtimeMs > limits.stagingStaleMs) return true;
  try {
    return hasEnded(JSON.parse(readPlainFile(join(folder, 'holder')).toString('utf8')) as ProcessName);
  } catch {
    // It is being made right now, or its maker was killed in that moment: then age decides.
    return false;
  }
}
