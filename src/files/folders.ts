import {
  closeSync,
  constants,
  existsSync,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  realpathSync,
  type Stats,
  statSync,
} from 'node:fs';
import { basename, dirname } from 'node:path';
import { errorCode, named } from './fault-reason.js';

/** Windows has no such flag; there the check of the listing stands alone. */
const noFollow: number = constants.O_NOFOLLOW ?? 0;

/** A pipe that nobody writes to would be waited for. */
export const noWait: number = constants.O_NONBLOCK ?? 0;

/** Opens a plain file and nothing else: no link, no folder, no pipe, no device. */
export function openPlain(path: string, flags: number, mode?: number): number {
  const fd = openSync(path, flags | noFollow | noWait, mode ?? modeOfNew(path, flags));
  try {
    named(path, () => requirePlain(fd, path));
    return fd;
  } catch (cause) {
    closeSync(fd);
    throw cause;
  }
}

export function requirePlain(fd: number, path: string): void {
  if (!fstatSync(fd).isFile())
    throw Object.assign(new Error(`${path} is not a regular file`), { code: 'EFTYPE', syscall: 'open', path });
}

/** What is made in a folder is as open as the folder. */
const modeOfNew = (path: string, flags: number): number =>
  (flags & constants.O_CREAT) === 0 ? 0o666 : modeWithin(dirname(path)) & 0o666;

/** Who may do what in a folder, and so in what is made in it. */
export const modeWithin = (folder: string): number =>
  (statSync(folder, { throwIfNoEntry: false })?.mode ?? 0o777) & 0o777;

/** What is done with an open file, which is closed whatever comes of it. What goes wrong names the file. */
export function withOpen<A>(path: string, flags: number, work: (fd: number) => A, mode?: number): A {
  const fd = openPlain(path, flags, mode);
  try {
    return named(path, () => work(fd));
  } finally {
    closeSync(fd);
  }
}

/** Makes the names in a folder durable. Windows cannot open folders and orders such changes itself. */
export function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const fd = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY | noFollow);
  try {
    named(folder, () => fsyncSync(fd));
  } finally {
    closeSync(fd);
  }
}

/** Makes the bytes of a file durable that this process may not have written. */
export function syncFile(file: string): void {
  withOpen(file, process.platform === 'win32' ? constants.O_RDWR : constants.O_RDONLY, fdatasyncSync);
}

/**
 * Makes a folder and those above it that are missing; each is on disk before the next is made in it, and as open as the
 * one it is made in where nothing else is asked. What stands there and is no folder is refused, be it a link to one.
 */
export function makeFolderDurably(folder: string, mode?: number): void {
  if (isRealFolder(folder)) return;
  refuseLink(folder);
  const above = dirname(folder);
  // By a look, and not by what mkdir says: of what cannot be made in it, /proc says too that it is not there.
  if (!existsSync(above)) makeFolderDurably(above);
  try {
    mkdirSync(folder, mode ?? modeWithin(above));
  } catch (cause) {
    if (errorCode(cause) === 'EEXIST' && isRealFolder(folder)) return;
    throw cause;
  }
  syncNamedFolder(above);
}

/** The same of a folder that a person named, or that a data folder lies in: the way there may lead through links. */
export function syncNamedFolder(folder: string): void {
  syncFolder(isLink(folder) ? realpathSync(folder) : folder);
}

/** False also for a link to a folder: what lies behind a link is not ours to write to. */
export function isRealFolder(folder: string): boolean {
  return lookAt(folder)?.isDirectory() === true;
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
  return lookAt(path)?.isSymbolicLink() === true;
}

/** Throws where a link stands: what is behind it is neither read nor written. */
export function refuseLink(path: string): void {
  if (isLink(path))
    throw Object.assign(new Error(`${path} is a symbolic link`), { code: 'ELOOP', syscall: 'follow', path });
}

/** Undefined where nothing stands, also where a file stands in the place of a folder on the way. */
export function lookAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (cause) {
    if (errorCode(cause) === 'ENOTDIR') return undefined;
    throw cause;
  }
}
