import type { Event } from '../../events/event.js';
import { decodeLine } from '../../events/line-codec.js';
import { afterSum, beginsWithMark, byteOrderMark, sumField } from './segment-lines.js';

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
const lineStart = Buffer.from('{"v":');
/** How many beginnings and ends of lines are tried against each other in one unsound piece. */
const tries = 32;

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
      const rest = raw.length - within.reduce((sum, { length }) => sum + length, 0);
      // What editors and git put around a line says nothing.
      const harmless = (beginsWithMark(raw) ? byteOrderMark.length : 0) + (raw.at(-1) === 0x0d ? 1 : 0);
      if (within.length === 0 || rest !== harmless)
        unsound.push({ line, byte: at, bytes: raw, message: decoded.error.message });
    }
    at = end + 1;
  }
  return { sound, unsound, cleared, newer };
}

/**
 * Whole lines inside of an unsound piece: behind a changed line end, in front of a carriage return. A line's text cannot
 * hold another line, since every quote in a string is escaped; and what is found must give its own sum.
 */
function linesWithin(
  raw: Buffer,
): readonly { readonly event: Event; readonly start: number; readonly length: number }[] {
  const found: { event: Event; start: number; length: number }[] = [];
  const starts = placesOf(raw, lineStart);
  const ends = placesOf(raw, sumField).map((place) => place + sumField.length + afterSum);
  let after = 0;
  for (const start of starts) {
    if (start < after) continue;
    for (const end of ends) {
      if (end <= start || end > raw.length) continue;
      const decoded = decodeLine(raw.subarray(start, end));
      if (!decoded.ok) continue;
      found.push({ event: decoded.value, start, length: end - start });
      after = end;
      break;
    }
  }
  return found;
}

function placesOf(raw: Buffer, wanted: Buffer): readonly number[] {
  const places: number[] = [];
  for (let at = raw.indexOf(wanted); at >= 0 && places.length < tries; at = raw.indexOf(wanted, at + 1))
    places.push(at);
  return places;
}
