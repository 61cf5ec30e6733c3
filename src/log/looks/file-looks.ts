import { lstatSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Lasting } from '../../base/in-place.js';
import { limits } from '../../base/limits.js';
import { readSealed, writeSealed } from '../../files/sealed-file.js';
import type { DataRoot } from '../../machine/data-root.js';
import { localFolder, localPlace } from '../../machine/local-folder.js';
import { type FileRef, refOf, rootOf } from '../files/file-ref.js';
import { AppendHintReader } from '../locks/append-hints.js';
import type { SessionRef } from '../port/session-ref.js';
import type { SeenMark, StoreLooks } from '../port/store-looks.js';
import type { FilesLoaded } from '../segments/reading.js';
import { folderOf, marksOf, type NamedMark, sameMark, sameMarks } from '../segments/session-folder.js';

/** How a session's files stood: enough to see at the next look whether anything has come, gone or been replaced. */
interface FilesMark extends SeenMark {
  readonly folder: number;
  readonly files: readonly NamedMark[];
}

interface LookedAt<S> {
  listIn(root: DataRoot): readonly FileRef[];
  glance(ref: SessionRef): { read<A>(take: (loaded: FilesLoaded<S>) => A): Promise<Lasting<A>> };
}

const purpose = 'session register';
const fileName = 'sessions';
const quietly = { throwIfNoEntry: false } as const;

/**
 * Looks at sessions that are folders: at the times and sizes of files, and at what other processes left word of. What is
 * kept on disk is sealed with the key; without it nothing is.
 */
export function fileLooks<S>(sessions: LookedAt<S>, key: () => Uint8Array | undefined): StoreLooks<S> {
  const unseen: FilesMark = { folder: Infinity, settled: true, files: [] };
  return {
    unseen,
    listIn: (place) => sessions.listIn(rootOf(place)).map(refOf),
    listedAt: ({ name }) => {
      const at = statSync(join(name, 'sessions'), quietly)?.mtimeMs ?? 0;
      return isSettled(at) ? at : undefined;
    },
    touchedAt: folderTime,
    hints: (place) => new AppendHintReader(rootOf(place)),
    read: async (ref, take) => {
      // Before the reading: what comes to the folder meanwhile is seen with the next look. No file is looked at twice.
      const folder = folderTime(ref);
      let files: readonly NamedMark[] = [];
      const taken = await sessions.glance(ref).read((loaded) => {
        files = Array.from(loaded.segments.values(), ({ name, mark: { ino, size, mtimeMs } }) => ({
          name,
          ino,
          size,
          mtimeMs,
        }));
        return take(loaded);
      });
      return { taken, mark: { folder, files, settled: isSettled(folder) } satisfies FilesMark };
    },
    refresh: (ref, mark, depth) => refreshMark(ref, mark as FilesMark, depth),
    same: (a, b) => sameFiles(a as FilesMark, b as FilesMark),
    kept: (place) => {
      const [folder, own] = [localPlace(rootOf(place), 'index'), key()];
      return folder === undefined || own === undefined ? undefined : readSealed(join(folder, fileName), purpose, own);
    },
    keep: (place, bytes) => {
      const [folder, own] = [localFolder(rootOf(place), 'index'), key()];
      return folder !== undefined && own !== undefined && writeSealed(join(folder, fileName), purpose, own, bytes);
    },
  };
}

/** When a file last came to it or went. */
const folderTime = ({ place, id }: SessionRef): number =>
  lstatSync(`${place.name}/sessions/${id}/segments`, quietly)?.mtimeMs ?? 0;

/** By the clock of this machine; a file system whose clock runs behind by more is seen by the round through all files. */
const isSettled = (mtimeMs: number): boolean => Date.now() - mtimeMs > limits.settledMs;

function firstMark(ref: SessionRef): FilesMark {
  const folder = folderTime(ref);
  return { folder, files: marksOf(folderOf(ref)), settled: isSettled(folder) };
}

/** A quick look is at the folder alone, which shows that a file has come, gone or been replaced, and not that one has grown. */
function refreshMark(ref: SessionRef, mark: FilesMark, depth: 'quick' | 'whole'): FilesMark {
  if (!mark.settled || folderTime(ref) !== mark.folder) {
    const now = firstMark(ref);
    return now.settled === mark.settled && sameFiles(now, mark) ? mark : now;
  }
  if (depth === 'quick') return mark;
  for (const file of mark.files) {
    const stat = lstatSync(`${ref.place.name}/sessions/${ref.id}/segments/${file.name}`, quietly);
    if (stat === undefined || !sameMark(stat, file)) return firstMark(ref);
  }
  return mark;
}

const sameFiles = (a: FilesMark, b: FilesMark): boolean => a.folder === b.folder && sameMarks(a.files, b.files);
