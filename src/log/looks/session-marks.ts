import { statSync } from 'node:fs';
import { join } from 'node:path';
import { listSegments, sessionFolder } from '../segments/session-folder.js';
import type { FileRef } from '../files/file-ref.js';

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

export function markSession({ root, id }: FileRef): SessionMark {
  const { segments } = sessionFolder(root, id);
  const folder = statSync(segments, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return {
    folder,
    files: listSegments(segments).segments.map(({ name, ino, size, mtimeMs }) => ({ name, ino, size, mtimeMs })),
  };
}

/** Whether sessions have come to a data root or gone from it. */
export const sessionsChangedAt = (folder: string): number =>
  statSync(join(folder, 'sessions'), { throwIfNoEntry: false })?.mtimeMs ?? 0;
