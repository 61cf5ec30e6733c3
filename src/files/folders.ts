import {
  closeSync,
  constants,
  existsSync,
  fdatasyncSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  realpathSync,
  type Stats,
} from 'node:fs';
import { basename, dirname } from 'node:path';
import { errorCode } from './fault-reason.js';

/** Windows has no such flag; there the check of the listing stands alone. */
export const noFollow: number = constants.O_NOFOLLOW ?? 0;

/** What is done with an open file, which is closed whatever comes of it. A link is not opened. */
export function withOpen<A>(path: string, flags: number, work: (fd: number) => A, mode = 0o666): A {
  const fd = openSync(path, flags | noFollow, mode);
  try {
    return work(fd);
  } finally {
    closeSync(fd);
  }
}

/** Makes the names in a folder durable. Windows cannot open folders and orders such changes itself. */
export function syncFolder(folder: string): void {
  if (process.platform !== 'win32') withOpen(folder, constants.O_RDONLY, fsyncSync);
}

/** Makes the bytes of a file durable that this process may not have written. */
export function syncFile(file: string): void {
  withOpen(file, process.platform === 'win32' ? constants.O_RDWR : constants.O_RDONLY, fdatasyncSync);
}

/** Makes a folder and those above it that are missing; each is on disk before the next is made in it. */
export function makeFolderDurably(folder: string, mode = 0o777): void {
  if (isRealFolder(folder)) return;
  const above = dirname(folder);
  // By a look, and not by what mkdir says: of what cannot be made in it, /proc says too that it is not there.
  if (!existsSync(above)) makeFolderDurably(above);
  try {
    mkdirSync(folder, mode);
  } catch (cause) {
    if (errorCode(cause) === 'EEXIST') return;
    throw cause;
  }
  syncFolder(above);
}

/** False also for a link to a folder: what lies behind a link is not ours to write to. */
export function isRealFolder(folder: string): boolean {
  return look(folder)?.isDirectory() === true;
}

/** The same, by the very name that it has: some file systems find a folder under a name of other case too. */
export function isFolderNamedSo(folder: string): boolean {
  try {
    return isRealFolder(folder) && basename(realpathSync.native(folder)) === basename(folder);
  } catch (cause) {
    // Taken away between the two looks.
    if (errorCode(cause) === 'ENOENT') return false;
    throw cause;
  }
}

export function isLink(path: string): boolean {
  return look(path)?.isSymbolicLink() === true;
}

function look(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (cause) {
    // A file stands where a folder on the way should be: there is nothing behind it.
    if (errorCode(cause) === 'ENOTDIR') return undefined;
    throw cause;
  }
}
