import type { Event } from '../../events/event.js';
import { decodeLine } from '../../events/line-codec.js';
import { type LineWithin, linesWithin } from './lines-within.js';
import { beginsWithMark, byteOrderMark } from './segment-lines.js';

/** A line whose bytes give its sum, wherever it stands. */
export interface SoundLine {
  readonly event: Event;
  /** With its line feed. */
  readonly bytes: Buffer;
  readonly line: number;
  readonly byte: number;
}

/** Bytes that are no line, or were not only one. */
export interface UnsoundPiece {
  readonly line: number;
  readonly byte: number;
  readonly bytes: Buffer;
  readonly message: string;
}

export interface SiftedSegment {
  /** In the order of the file; a line may stand there twice. */
  readonly sound: readonly SoundLine[];
  readonly unsound: readonly UnsoundPiece[];
  /** Lines that were whole once what stood around them was put right: a carriage return, a byte order mark, a lost line end. */
  readonly cleared: number;
  /** Some line was written by a newer program: nobody but it can tell what belongs together. */
  readonly newer: boolean;
}

const lineFeed = 0x0a;

/** Takes a segment apart without asking how its lines follow each other. Everything that ends in a line feed is looked at. */
export function siftSegment(bytes: Buffer): SiftedSegment {
  const sound: SoundLine[] = [];
  const unsound: UnsoundPiece[] = [];
  let cleared = 0;
  let newer = false;
  let line = 0;
  for (let at = 0; at < bytes.length;) {
    const feed = bytes.indexOf(lineFeed, at);
    const end = feed < 0 ? bytes.length : feed;
    const raw = bytes.subarray(at, end);
    line += 1;
    const decoded = decodeLine(raw);
    if (decoded.ok && feed >= 0)
      sound.push({ event: decoded.value, bytes: bytes.subarray(at, end + 1), line, byte: at });
    else if (decoded.ok) {
      // Its sum is right: all that is missing is the line feed, which an editor may have taken.
      sound.push({ event: decoded.value, bytes: Buffer.concat([raw, Buffer.from('\n')]), line, byte: at });
      cleared += 1;
    } else if (!decoded.ok && decoded.error.reason === 'newer') {
      newer = true;
      unsound.push({ line, byte: at, bytes: raw, message: decoded.error.message });
    } else {
      const within = linesWithin(raw);
      for (const { event, start, length } of within)
        sound.push({
          event,
          bytes: Buffer.concat([raw.subarray(start, start + length), Buffer.from('\n')]),
          line,
          byte: at + start,
        });
      cleared += within.length;
      if (!holdsNoMore(raw, within, feed >= 0))
        unsound.push({ line, byte: at, bytes: raw, message: decoded.error.message });
    }
    at = end + 1;
  }
  return { sound, unsound, cleared, newer };
}

/** Whether nothing is around and between lines but what editors and git put there, and what stands where a line feed was. */
function holdsNoMore(raw: Buffer, within: readonly LineWithin[], isEnded: boolean): boolean {
  let at = beginsWithMark(raw) ? byteOrderMark.length : 0;
  for (const [index, { start, length }] of within.entries()) {
    if (start - at > (index === 0 ? 0 : 1)) return false;
    at = start + length;
  }
  const rest = raw.subarray(at);
  return within.length > 0 && (rest.length === 0 || (rest.length === 1 && (!isEnded || rest[0] === 0x0d)));
}
