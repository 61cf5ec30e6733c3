import { lstatSync } from 'node:fs';
import { limits } from '../../base/limits.js';
import type { Loaded } from '../session-log.js';
import { markSession, type SessionMark } from './session-marks.js';
import type { SessionRef } from '../store.js';

/** A mark that a later look can be held against. */
export interface RefreshMark extends SessionMark {
  /** The folder had not changed for so long that a later change is sure to bear another time. */
  readonly settled: boolean;
}

const quietly = { throwIfNoEntry: false } as const;

export function firstMark(ref: SessionRef): RefreshMark {
  const mark = markSession(ref);
  return { ...mark, settled: isSettled(mark.folder) };
}

/** Reads a session that has not been looked at, with the mark of what was read: no file is looked at twice. */
export async function readMarked<S>(
  ref: SessionRef,
  log: { read(): Promise<Loaded<S>> },
): Promise<{ readonly loaded: Loaded<S>; readonly mark: RefreshMark }> {
  // Before the reading: what comes to the folder meanwhile is seen with the next look.
  const folder = folderTime(ref);
  const loaded = await log.read();
  const files = Array.from(loaded.segments.values(), ({ name, mark: { ino, size, mtimeMs } }) => ({
    name,
    ino,
    size,
    mtimeMs,
  }));
  return { loaded, mark: { folder, files, settled: isSettled(folder) } };
}

/** When a file last came to it or went. */
export const folderTime = ({ root, id }: SessionRef): number =>
  lstatSync(`${root.folder}/sessions/${id}/segments`, quietly)?.mtimeMs ?? 0;

/** By the clock of this machine; a file system whose clock runs behind by more is seen by the round through all files. */
export const isSettled = (mtimeMs: number): boolean => Date.now() - mtimeMs > limits.settledMs;

/**
 * The mark as it is now: the same object where nothing has changed. `folder` looks at the folder alone, which shows that
 * a file has come, gone or been replaced, and not that one has grown.
 */
export function refreshMark(ref: SessionRef, mark: RefreshMark, depth: 'folder' | 'files'): RefreshMark {
  if (!mark.settled) return newMarkOr(ref, mark);
  if (folderTime(ref) !== mark.folder) return newMarkOr(ref, mark);
  if (depth === 'folder') return mark;
  for (const { name, ino, size, mtimeMs } of mark.files) {
    const stat = lstatSync(`${ref.root.folder}/sessions/${ref.id}/segments/${name}`, quietly);
    if (stat === undefined || stat.size !== size || stat.mtimeMs !== mtimeMs || stat.ino !== ino) return firstMark(ref);
  }
  return mark;
}

function newMarkOr(ref: SessionRef, mark: RefreshMark): RefreshMark {
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
