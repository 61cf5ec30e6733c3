import { linkSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { sha256Hex } from '../base/digest.js';
import { revisionOf } from './revision.js';
import type { Result } from '../base/result.js';
import { errorCode } from '../files/fault-reason.js';
import { lookAt, makeFolderDurably, syncNamedFolder } from '../files/folders.js';
import { moveAcross } from '../files/move-across.js';
import { readPlainFile } from '../files/read-plain-file.js';
import { removeUnfinished } from '../files/remove-unfinished.js';
import { writeNewFile } from '../files/replace-file.js';
import { rewriteFile } from '../files/rewrite-file.js';
import { Refused, refusals, type WriteProblem } from './write-problem.js';

/** What a file must be like to be written: not there, of a revision, or there at all. */
export type Standing = 'absent' | { readonly revision: string };

/** Writes a workflow file, whole or not at all. Of several who write at once one does, and the others are told. */
export async function writeWorkflow(
  folder: string,
  file: string,
  text: string,
  standing: Standing,
): Promise<Result<string, WriteProblem>> {
  makeFolderDurably(path.dirname(file));
  return refusals(folder, () => {
    if (standing === 'absent') writeNew(file, text);
    else rewriteFile(file, withMark(file, text), () => requireRevision(file, standing.revision));
    return revisionAt(file) ?? '';
  });
}

/** Writes another text and gives the file another name. */
export const renameWorkflow = (
  folder: string,
  {
    from,
    to,
    text,
    revision,
  }: { readonly from: string; readonly to: string; readonly text: string; readonly revision: string },
): Promise<Result<string, WriteProblem>> =>
  refusals(folder, () => {
    if (to !== from && lookAt(to) !== undefined) throw new Refused({ kind: 'exists' });
    rewriteFile(from, withMark(from, text), () => requireRevision(from, revision));
    if (to !== from) {
      renameSync(from, to);
      syncNamedFolder(path.dirname(to));
    }
    return revisionAt(to) ?? '';
  });

/** Takes a workflow file out of the way, into a folder where it can be found again. */
export const removeWorkflow = (
  folder: string,
  { file, to, revision }: { readonly file: string; readonly to: string; readonly revision: string },
): Promise<Result<string, WriteProblem>> =>
  refusals(folder, () => {
    requireRevision(file, revision);
    moveAcross(file, to);
    syncNamedFolder(path.dirname(file));
    return revision;
  });

function requireRevision(file: string, wanted: string): void {
  const revision = revisionAt(file);
  if (revision !== wanted) throw new Refused({ kind: 'changed', revision });
}

function revisionAt(file: string): string | undefined {
  return lookAt(file) === undefined ? undefined : revisionOf(sha256Hex(readPlainFile(file)));
}

/** A name that is taken meanwhile is not written over: a link is made only where nothing stands. */
function writeNew(file: string, text: string): void {
  const folder = path.dirname(file);
  const temporary = path.join(folder, `.${path.basename(file)}.${process.pid}.tmp`);
  try {
    removeUnfinished(folder, (name) => name === path.basename(file));
    rmSync(temporary, { force: true });
    writeNewFile(temporary, Buffer.from(text), 0o666);
    linkSync(temporary, file);
  } catch (cause) {
    if (errorCode(cause) === 'EEXIST') throw new Refused({ kind: 'exists' });
    throw cause;
  } finally {
    rmSync(temporary, { force: true });
  }
  syncNamedFolder(folder);
}

/** A file that begins with a byte order mark keeps it. */
function withMark(file: string, text: string): string {
  const mark = '\uFEFF';
  const had = lookAt(file) !== undefined && readPlainFile(file).subarray(0, 3).toString('utf8') === mark;
  return had && !text.startsWith(mark) ? mark + text : text;
}
