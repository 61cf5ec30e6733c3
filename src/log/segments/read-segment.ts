import { join } from 'node:path';
import { type LinesRead, type Position, readLines, type ReadingRules, type Stop } from './segment-lines.js';
import { type FileMark, type ListedSegment, readFrom } from './session-folder.js';

export interface SegmentRead extends Omit<LinesRead, 'stop'> {
  readonly stop: Stop | undefined;
  /** Those that were read, an unfinished end included. */
  readonly bytes: Buffer;
  readonly mark: FileMark;
}

/**
 * What a segment held behind a position when it was listed; undefined where it is gone. Others may append meanwhile:
 * what is read of all segments of one listing stood there at one moment.
 */
export function readSegment(
  segmentsFolder: string,
  { name, writer, firstSeq, size }: ListedSegment,
  from: Position,
  { withdrawn, origin }: Pick<ReadingRules, 'withdrawn' | 'origin'>,
): SegmentRead | undefined {
  const read = readFrom(join(segmentsFolder, name), from.offset);
  if (read === undefined) return undefined;
  const bytes = read.bytes.subarray(0, Math.max(0, size - from.offset));
  const lines = readLines(bytes, from, { writer, firstSeq, withdrawn, origin });
  const { ino, mtimeMs } = read.mark;
  const isUnderWay = lines.stop?.level === 'torn' && bytes.length < read.bytes.length;
  const { events, position, withdrawnBehind, highestSeq } = lines;
  const mark = { ino, size: from.offset + bytes.length, mtimeMs };
  return { events, position, withdrawnBehind, highestSeq, stop: isUnderWay ? undefined : lines.stop, bytes, mark };
}
