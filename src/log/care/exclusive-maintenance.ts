import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { SessionId, WriterId } from '../../base/ids.js';
import { err, ok, type Result } from '../../base/result.js';
import type { DataRoot } from '../../machine/data-root.js';
import type { LogRejection } from '../port/log-rejection.js';
import { replaceFile } from '../../files/replace-file.js';
import { localFolder } from '../../machine/local-folder.js';
import { segmentName } from '../segments/segment-name.js';
import {
  linkedFolders,
  marksOf,
  type NamedMark,
  namesIn,
  readFrom,
  type SessionFolder,
} from '../segments/session-folder.js';
import { branchMarkOf, noteTaken, spareSegment } from '../segments/spares.js';
import { storageFault } from '../files/storage-fault.js';

/** One session in care: its files may be replaced, since nobody else writes to it. */
export interface Maintenance {
  readonly root: DataRoot;
  readonly id: SessionId;
  readonly at: SessionFolder;
  readonly now: () => Date;
  readonly newWriter: () => WriterId;
}

/** What it takes to put a file of one's own into a session. */
export type SegmentMaker = Pick<Maintenance, 'root' | 'id' | 'at' | 'newWriter'>;

/** What goes wrong with the disk is an answer; whatever was done before it is gone on with the next time. */
export function maintain<A>(care: Maintenance, work: (care: Maintenance) => A): Result<A, LogRejection> {
  try {
    removeUnfinished(care.at);
    const isLinked = linkedFolders(care.at).length > 0;
    const before = isLinked ? [] : marksOf(care.at);
    const done = work(care);
    if (!isLinked) noteReplaced(care, before);
    return ok(done);
  } catch (cause) {
    if (cause instanceof FileChanged)
      return err({ code: 'SESSION_CHANGED', message: `${cause.message}, so it was not changed` });
    return err(storageFault(cause, "put the session's files right", 'nothing written'));
  }
}

/**
 * Whoever still holds a file that care has put another in place of keeps nothing of it; and what care has written has a
 * second name like every other segment.
 */
function noteReplaced({ root, id, at }: Maintenance, before: readonly NamedMark[]): void {
  const after = marksOf(at);
  const isIn = (marks: readonly NamedMark[], { name, ino }: NamedMark): boolean =>
    marks.some((mark) => mark.name === name && mark.ino === ino);
  const made = after.filter((mark) => !isIn(before, mark));
  const branch = made.length > 0 ? branchMarkOf(root) : '';
  for (const mark of made) spareSegment(root, id, at, mark, branch);
  noteTaken(
    root,
    id,
    before.filter((mark) => !isIn(after, mark)),
  );
}

/** What care that was killed had begun to write. Nobody else gives a file such a name, and all it holds is somewhere else. */
function removeUnfinished(at: SessionFolder): void {
  if (linkedFolders(at).length > 0) return;
  for (const name of namesIn(at.segments))
    if (/^\.[0-9a-z-]+\.ndjson\.\d+$/u.test(name)) rmSync(join(at.segments, name), { force: true });
  for (const name of namesIn(at.pins))
    if (/^\.[0-9a-f]+\.json\.\d+$/u.test(name)) rmSync(join(at.pins, name), { force: true });
}

export const temporaryFolder = ({ root, at }: SegmentMaker): string => localFolder(root, 'tmp') ?? at.segments;

/** A segment that is written once and never grows: it appears whole or not at all. */
export function writeSegment(care: SegmentMaker, firstSeq: number, by: WriterId, bytes: Buffer): string {
  const name = segmentName(firstSeq, by);
  replaceFile(join(care.at.segments, name), temporaryFolder(care), bytes);
  return name;
}

/** Somebody wrote to a file that was to be replaced: it is left as it is. */
class FileChanged extends Error {}

/** A holder that does not know of the care may append to the very file, lock or no lock. */
export function refuseIfChanged(path: string, whole: Buffer): void {
  if (readFrom(path, 0)?.bytes.equals(whole) !== true)
    throw new FileChanged(`${path} was written to while it was being repaired`);
}
