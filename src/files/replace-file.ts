import { closeSync, constants, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { noFollow, syncFolder } from './folders.js';
import { writeAll } from './write-all.js';

/** Somebody wrote to a file that was to be replaced: it is left as it is. */
export class FileChanged extends Error {
  constructor(readonly path: string) {
    super(`${path} was written to while it was being repaired`);
  }
}

/** Puts bytes in the place of a file: whole and on disk before the name leads to them. `unless` is asked at the last moment. */
export function replaceFile(
  path: string,
  temporaryFolder: string,
  bytes: Buffer,
  unless?: () => Error | undefined,
): void {
  const temporary = join(temporaryFolder, `.${basename(path)}.${process.pid}`);
  rmSync(temporary, { force: true });
  const fd = openSync(temporary, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | noFollow, 0o666);
  try {
    try {
      writeAll(fd, bytes);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    const reason = unless?.();
    if (reason !== undefined) throw reason;
    renameSync(temporary, path);
  } catch (cause) {
    rmSync(temporary, { force: true });
    throw cause;
  }
  syncFolder(dirname(path));
}
