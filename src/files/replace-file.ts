import { constants, fsyncSync, renameSync, rmSync, unlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { errorCode } from './fault-reason.js';
import { modeWithin, syncFolder, withOpen } from './folders.js';
import { pathIsTaken } from './path-is-taken.js';
import { removeUnfinished } from './remove-unfinished.js';
import { writeAll } from './write-all.js';

/**
 * Puts bytes in the place of a file, or makes one: whole and on disk before the name leads to them. `check` throws at the
 * last moment where the file is not to be replaced after all. Where the temporary folder is on another mount, the file is
 * written beside its place.
 */
export function replaceFile(path: string, temporaryFolder: string, bytes: Buffer, check?: () => void): void {
  const folder = dirname(path);
  if (temporaryFolder === folder) removeUnfinished(folder, (name) => name === basename(path), 'anyhow');
  try {
    putInPlace(path, temporaryFolder, bytes, check);
  } catch (cause) {
    if (errorCode(cause) !== 'EXDEV' || temporaryFolder === folder) throw cause;
    removeUnfinished(folder, (name) => name === basename(path), 'anyhow');
    putInPlace(path, folder, bytes, check);
  }
  syncFolder(folder);
}

function putInPlace(path: string, temporaryFolder: string, bytes: Buffer, check?: () => void): void {
  const temporary = join(temporaryFolder, `.${basename(path)}.${process.pid}`);
  if (pathIsTaken(temporary)) unlinkSync(temporary);
  try {
    writeNewFile(temporary, bytes, modeWithin(dirname(path)) & 0o666);
    check?.();
    renameSync(temporary, path);
  } catch (cause) {
    rmSync(temporary, { force: true });
    throw cause;
  }
}

/** A file that was not there before, with its bytes on disk. */
export function writeNewFile(path: string, bytes: Buffer, mode?: number): void {
  const write = (fd: number): void => {
    writeAll(fd, bytes);
    fsyncSync(fd);
  };
  withOpen(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, write, mode);
}
