import { closeSync, constants, fsyncSync, linkSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isRealFolder, openPlain, syncNamedFolder } from './folders.js';
import { pathIsTaken } from './path-is-taken.js';
import { errorCode, named } from './fault-reason.js';
import { writeAll } from './write-all.js';

export type Chunks = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/**
 * Writes a file so that it is whole or not there: beside its place under another name first. `taken` where something
 * stands there that may not be replaced. What goes wrong on the way is thrown, and leaves nothing behind.
 */
export async function writeWholeFile(
  file: string,
  chunks: Chunks,
  { replace, mark }: { readonly replace: boolean; readonly mark: string },
): Promise<'written' | 'taken'> {
  if (isRealFolder(file) || (!replace && pathIsTaken(file))) return 'taken';
  const temporary = join(dirname(file), `.${basename(file)}.${mark}`);
  try {
    await writeChunks(temporary, chunks, 0o600);
    if (replace) renameSync(temporary, file);
    else if (!nameIfFree(temporary, file)) return 'taken';
    syncNamedFolder(dirname(file));
    return 'written';
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** A file that was not there before, with all bytes on disk that come. */
export async function writeChunks(file: string, chunks: Chunks, mode?: number): Promise<void> {
  const fd = openPlain(file, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, mode);
  try {
    for await (const chunk of chunks) named(file, () => writeAll(fd, chunk));
    named(file, () => fsyncSync(fd));
  } finally {
    closeSync(fd);
  }
}

/** Gives a file a name, where nobody has taken that meanwhile: a link is refused then; file systems without links are looked at first. */
export function nameIfFree(temporary: string, file: string): boolean {
  try {
    linkSync(temporary, file);
    return true;
  } catch (cause) {
    if (errorCode(cause) === 'EEXIST' || pathIsTaken(file)) return false;
    renameSync(temporary, file);
    return true;
  }
}
