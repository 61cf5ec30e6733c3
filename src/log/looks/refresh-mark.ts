import { lstatSync } from 'node:fs';
import { limits } from '../../base/limits.js';
import type { Lasting } from '../../base/in-place.js';
import type { SeenMark } from '../port/store-looks.js';
import { markSession, type SessionMark } from './session-marks.js';
import type { FileRef } from '../files/file-ref.js';
import type { FileMark } from '../segments/session-folder.js';

/** A mark that a later look can be held against. */
export interface RefreshMark extends SessionMark, SeenMark {}

/** What a reading says of the files that it was read from. */
export interface MarkedReading {
  readonly segments: ReadonlyMap<string, { readonly name: string; readonly mark: FileMark }>;
}

const quietly = { throwIfNoEntry: false } as const;

export function firstMark(ref: FileRef): RefreshMark {
  const mark = markSession(ref);
  return { ...mark, settled: isSettled(mark.folder) };
}

/** Reads a session that has not been looked at, with the mark of what was read: no file is looked at twice. */
export async function readMarked<L extends MarkedReading, A>(
  ref: FileRef,
  log: { read(): Promise<L> },
  take: (loaded: L) => A,
): Promise<{ readonly taken: Lasting<A>; readonly mark: RefreshMark }> {
  // Before the reading: what comes to the folder meanwhile is seen with the next look.
  const folder = folderTime(ref);
  const loaded = await log.read();
  const files = Array.from(loaded.segments.values(), ({ name, mark: { ino, size, mtimeMs } }) => ({
    name,
    ino,
    size,
    mtimeMs,
  }));
  return { taken: take(loaded) as Lasting<A>, mark: { folder, files, settled: isSettled(folder) } };
}

/** When a file last came to it or went. */
export const folderTime = ({ root, id }: FileRef): number =>
  lstatSync(`${root.folder}/sessions/${id}/segments`, quietly)?.mtimeMs ?? 0;

/** By the clock of this machine; a file system whose clock runs behind by more is seen by the round through all files. */
export const isSettled = (mtimeMs: number): boolean => Date.now() - mtimeMs > limits.settledMs;

/**
 * The mark as it is now: the same object where nothing has changed. `folder` looks at the folder alone, which shows that
 * a file has come, gone or been replaced, and not that one has grown.
 */
export function refreshMark(ref: FileRef, mark: RefreshMark, depth: 'folder' | 'files'): RefreshMark {
  if (!mark.settled) return newMarkOr(ref, mark);
  if (folderTime(ref) !== mark.folder) return newMarkOr(ref, mark);
  if (depth === 'folder') return mark;
  for (const { name, ino, size, mtimeMs } of mark.files) {
    const stat = lstatSync(`${ref.root.folder}/sessions/${ref.id}/segments/${name}`, quietly);
    if (stat === undefined || stat.size !== size || stat.mtimeMs !== mtimeMs || stat.ino !== ino) return firstMark(ref);
  }
  return mark;
}

function newMarkOr(ref: FileRef, mark: RefreshMark): RefreshMark {
  const now = firstMark(ref);
  return now.settled === mark.settled && sameFiles(now, mark) ? mark : now;
}

/** Whether two marks are of the same files with the same bytes. */
export function sameFiles(a: SessionMark, b: SessionMark): boolean {
  if (a.folder !== b.folder || a.files.length !== b.files.length) return false;
  return a.files.every(({ name, ino, size, mtimeMs }) =>
    b.files.some(
      (other) => other.name === name && other.ino === ino && other.size === size && other.mtimeMs === mtimeMs,
    ),
  );
}
