import { statSync } from 'node:fs';
import { join } from 'node:path';
import { listSegments, sessionFolder } from '../segments/session-folder.js';
import type { SessionRef } from '../store.js';

/** How a session's files stood at one look: enough to see at the next whether anything has come, gone or been replaced. */
export interface SessionMark {
  readonly folder: number;
  readonly files: readonly {
    readonly name: string;
    readonly ino: number;
    readonly size: number;
    readonly mtimeMs: number;
  }[];
}

export function markSession({ root, id }: SessionRef): SessionMark {
  const { segments } = sessionFolder(root, id);
  const folder = statSync(segments, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return {
    folder,
    files: listSegments(segments).segments.map(({ name, ino, size, mtimeMs }) => ({ name, ino, size, mtimeMs })),
  };
}

/** As cheap as a look can be: the folder, and each file that was there. */
export function hasChanged({ root, id }: SessionRef, { folder, files }: SessionMark): boolean {
  const { segments } = sessionFolder(root, id);
  if ((statSync(segments, { throwIfNoEntry: false })?.mtimeMs ?? 0) !== folder) return true;
  return files.some(({ name, ino, size, mtimeMs }) => {
    const stat = statSync(join(segments, name), { throwIfNoEntry: false });
    return stat === undefined || stat.size !== size || stat.mtimeMs !== mtimeMs || stat.ino !== ino;
  });
}

/** When something was written to it last, by the clock of the file system. */
export const writtenAt = ({ folder, files }: SessionMark): number =>
  files.reduce((newest, { mtimeMs }) => Math.max(newest, mtimeMs), folder);

/** Whether sessions have come to a data root or gone from it. */
export const sessionsChangedAt = (folder: string): number =>
  statSync(join(folder, 'sessions'), { throwIfNoEntry: false })?.mtimeMs ?? 0;
