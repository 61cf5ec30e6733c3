import { constants, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { type EventSum, idPatterns, type SessionId } from '../../base/ids.js';
import { isJsonObject } from '../../base/json-value.js';
import type { DataRoot } from '../../machine/data-root.js';
import { findGitFolders } from '../../machine/git-folders.js';
import { headKey, readGitHead } from '../../machine/git-head.js';
import { localFolder, localPlace } from '../../machine/local-folder.js';
import { isLink, modeWithin, refuseLink, withOpen } from '../../files/folders.js';
import { readPlainFile } from '../../files/read-plain-file.js';
import { writeAll } from '../../files/write-all.js';
import type { FileRef } from '../files/file-ref.js';
import type { KnownTail, ReadSegment } from './reading.js';
import { parseSegmentName } from './segment-name.js';
import { linkedFolders, listSegments, namesIn, type SessionFolder } from './session-folder.js';

/** What the holder of a segment leaves behind when it ends cleanly: whoever claims it may go on in the same file. */
export interface EndedSegment {
  readonly ino: number;
  readonly size: number;
  readonly sum: EventSum;
  /** Where git stood; a segment that may be committed by now must not grow. */
  readonly head: string;
}

/** Says that a segment has no holder any more. Nothing is lost if this fails: the next process begins another file. */
export function leaveSegment(root: DataRoot, id: SessionId, name: string, ended: EndedSegment, unique: string): void {
  leave(root, id, name, ended, unique);
}

/** Says how far a segment goes whose holder may still be at work: nobody may take it up. */
export function witnessSegment(root: DataRoot, id: SessionId, name: string, ended: EndedSegment, unique: string): void {
  leave(root, id, `${name}${past}`, ended, unique);
}

function leave(root: DataRoot, id: SessionId, name: string, ended: EndedSegment, unique: string): void {
  const folder = localFolder(root, 'ended');
  if (folder === undefined) return;
  try {
    const own = join(folder, id);
    refuseLink(own);
    mkdirSync(own, { recursive: true, mode: modeWithin(folder) });
    const temporary = join(own, `.${unique}`);
    withOpen(temporary, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, (fd) =>
      writeAll(fd, Buffer.from(JSON.stringify(ended))),
    );
    renameSync(temporary, join(own, name));
  } catch {
    return;
  }
}

/** How the name ends of what was left once and has been taken up, or cannot be any more: it goes on saying how far the segment went. */
const past = '.past';

/**
 * Takes up a segment that was left. The claim is a rename, which one process wins; the checks make sure that the file
 * is still the one that was left, so that a claim that a crash brought back cannot lead to two holders of one segment.
 */
export function claimSegment(
  root: DataRoot,
  id: SessionId,
  segments: ReadonlyMap<string, ReadSegment>,
  head: string,
): ReadSegment | undefined {
  const folder = endedOf(root, id);
  if (folder === undefined) return undefined;
  for (const name of namesIn(folder)) {
    if (name.startsWith('.') || name.endsWith(past)) continue;
    const segment = segments.get(name);
    const claimed = join(folder, `${name}${past}`);
    try {
      renameSync(join(folder, name), claimed);
      const ended = readEnded(claimed);
      if (segment !== undefined && ended !== undefined && stillAsLeft(segment, ended, head)) return segment;
    } catch {
      continue;
    }
  }
  return undefined;
}

function endedOf(root: DataRoot, id: SessionId): string | undefined {
  const ended = localPlace(root, 'ended');
  const own = ended && join(ended, id);
  return own === undefined || isLink(own) ? undefined : own;
}

type Ended = { readonly [field in keyof EndedSegment]?: unknown };

function readEnded(file: string): Ended | undefined {
  const ended: unknown = JSON.parse(readPlainFile(file).toString('utf8'));
  return isJsonObject(ended) ? ended : undefined;
}

/** How far this machine knows the segments of a session to have gone. */
export function endedWitnesses(root: DataRoot, id: SessionId): readonly KnownTail[] {
  const folder = endedOf(root, id);
  if (folder === undefined) return [];
  return namesIn(folder).flatMap((name): readonly KnownTail[] => {
    const segment = parseSegmentName(name.endsWith(past) ? name.slice(0, -past.length) : name);
    if (segment === undefined) return [];
    try {
      const { sum, head } = readEnded(join(folder, name)) ?? {};
      return typeof sum === 'string' && idPatterns.sum.test(sum)
        ? [{ writer: segment.writer, sum: sum as EventSum, head: typeof head === 'string' ? head : undefined }]
        : [];
    } catch {
      return [];
    }
  });
}

/**
 * Those whose lines must be here. Where git has moved since, another branch may simply not hold them; and a session that
 * is gone whole may have been taken away on purpose. Of both the doctor alone speaks.
 */
export function witnessesHere({ root, id }: FileRef, at: SessionFolder): readonly KnownTail[] {
  const all = endedWitnesses(root, id);
  if (all.length === 0 || linkedFolders(at).length > 0 || listSegments(at).segments.length === 0) return [];
  const git = findGitFolders(root.folder);
  const now = git && headKey(readGitHead(git));
  return all.filter(({ head }) => now === undefined || head === now);
}

function stillAsLeft(segment: ReadSegment, ended: Ended, head: string): boolean {
  return (
    segment.stop === undefined &&
    segment.mark.ino === ended.ino &&
    segment.mark.size === ended.size &&
    segment.position.offset === ended.size &&
    segment.position.sum === ended.sum &&
    head === ended.head
  );
}
