import { closeSync, constants, fsyncSync, linkSync, openSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isRealFolder, noFollow, syncFolder } from './folders.js';
import { pathIsTaken } from './path-is-taken.js';
import { errorCode } from './fault-reason.js';
import { writeAll } from './write-all.js';

/**
 * Writes a file so that it is whole or not there: beside its place under another name first. `taken` where something
 * stands there that may not be replaced. What goes wrong on the way is thrown, and leaves nothing behind.
 */
export async function writeWholeFile(
  file: string,
  chunks: AsyncIterable<Uint8Array>,
  { replace, mark }: { readonly replace: boolean; readonly mark: string },
): Promise<'written' | 'taken'> {
  if (isRealFolder(file) || (!replace && pathIsTaken(file))) return 'taken';
  const temporary = join(dirname(file), `.${basename(file)}.${mark}`);
  const fd = openSync(temporary, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | noFollow, 0o600);
  try {
    try {
      for await (const chunk of chunks) writeAll(fd, Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    if (replace) renameSync(temporary, file);
    else if (!nameIfFree(temporary, file)) return 'taken';
    syncFolder(dirname(file));
    return 'written';
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** A link is refused where the name is taken; file systems without links are looked at first. */
function nameIfFree(temporary: string, file: string): boolean {
  try {
    linkSync(temporary, file);
    return true;
  } catch (cause) {
    if (errorCode(cause) === 'EEXIST') return false;
    if (pathIsTaken(file)) return false;
    renameSync(temporary, file);
    return true;
  }
}
