import type { Event } from '../../events/event.js';
import { decodeLine } from '../../events/line-codec.js';

const lineStart = Buffer.from('{"v":');
/** What a line ends with: sixteen digits, a quote and a brace behind it. */
export const sumField = Buffer.from(',"sum":"');
export const afterSum = 16 + 2;
/** How many beginnings and ends of lines are tried against each other in one unsound piece. */
const tries = 32;

export interface LineWithin {
  readonly event: Event;
  readonly start: number;
  readonly length: number;
}

/**
 * Whole lines inside of an unsound piece: behind a changed line end, in front of a carriage return. A line's text cannot
 * hold another line, since every quote in a string is escaped; and what is found must give its own sum.
 */
export function linesWithin(raw: Buffer): readonly LineWithin[] {
  const found: LineWithin[] = [];
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
