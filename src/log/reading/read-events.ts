import { constants } from 'node:fs';
import { join } from 'node:path';
import type { SessionId } from '../../base/ids.js';
import { compareEvents, type EventPosition } from '../../events/event.js';
import { decodeLine } from '../../events/line-codec.js';
import type { Finding } from '../port/finding.js';
import type { EventRange, PlacedEvent } from '../port/session-log.js';
import { withOpen } from '../../files/folders.js';
import { readAt } from '../../files/read-at.js';
import { findingsOf, type Known, type KnownTail, type ReadSegment } from '../segments/reading.js';
import { type Position, type ReadingRules, readLines, segmentStart } from '../segments/segment-lines.js';
import type { SessionFolder } from '../segments/session-folder.js';
import { knownAfter, type Passed, passOver, type Rules } from './pass-over.js';

const lineFeed = 0x0a;
const blockSize = 256 * 1024;

/**
 * The events of a session in the total order, read and checked as a fold reads them: what is torn, withdrawn or stands
 * behind damage is left out, and the same line in two segments is one event. Memory does not grow with the session.
 * At the end it says all that is amiss with the session's files.
 */
export function* readEvents(
  at: SessionFolder,
  id: SessionId,
  { after, upTo }: EventRange = {},
  witnesses: readonly KnownTail[] = [],
): Generator<PlacedEvent, readonly Finding[], undefined> {
  const { findings, ...passed } = findEvents(at, id, witnesses);
  for (const placed of eventsOf(at, passed)) {
    // Behind the end of the range nothing is read any more.
    if (upTo !== undefined && compareEvents(placed.event, upTo) > 0) return [];
    if (after === undefined || compareEvents(placed.event, after) > 0) yield placed;
  }
  return findings;
}

/**
 * The events behind one, of a session of which a reading is at hand that has checked what comes before. Nothing of that
 * is looked at again but where its lines end.
 */
export function* readEventsBehind(
  at: SessionFolder,
  { segments, withdrawn, redacted, origin, ...known }: Known,
  after: EventPosition,
  upTo: EventPosition | undefined,
): Generator<PlacedEvent, readonly Finding[], undefined> {
  const findings = findingsOf({ segments, withdrawn, redacted, origin, ...known });
  // The reading goes on meanwhile, in place.
  const passed = {
    segments: new Map([...segments].map(([name, segment]) => [name, { ...segment }])),
    rules: { withdrawn, redacted, origin },
  };
  for (const placed of eventsOf(at, passed, after.seq)) {
    if (upTo !== undefined && compareEvents(placed.event, upTo) > 0) return [];
    if (compareEvents(placed.event, after) > 0) yield placed;
  }
  return findings;
}

/** Where the events stand, and all that is amiss: the sums of a pass, which grow with the session, are let go. */
export function findEvents(
  at: SessionFolder,
  id: SessionId,
  witnesses: readonly KnownTail[] = [],
): Passed & { readonly findings: readonly Finding[] } {
  const pass = passOver(at, id);
  return { segments: pass.segments, rules: pass.rules, findings: findingsOf(knownAfter(id, at, pass, witnesses)) };
}

/** The events that a pass has shown, or those that come behind a number and perhaps some before it. */
export function* eventsOf(
  at: SessionFolder,
  { segments, rules }: Passed,
  behind = 0,
): Generator<PlacedEvent, void, undefined> {
  const waiting = [...segments.values()].filter(({ position }) => position.offset > 0);
  const open: { next: PlacedEvent; readonly rest: Iterator<PlacedEvent> }[] = [];
  let last: string | undefined;
  for (;;) {
    let least = leastOf(open);
    // A segment is opened when its turn may have come: a thousand short ones are not held at once.
    for (
      let segment = waiting[0];
      segment !== undefined && (least === undefined || segment.firstSeq <= least.next.event.seq);
      segment = waiting[0]
    ) {
      waiting.shift();
      const rest = segmentEvents(at, segment, rules, behind);
      const first = rest.next();
      if (first.done !== true) open.push({ next: first.value, rest });
      least = leastOf(open);
    }
    if (least === undefined) return;
    const { next } = least;
    if (next.event.sum !== last && !rules.redacted.has(next.event.sum)) yield next;
    last = next.event.sum;
    const following = least.rest.next();
    if (following.done === true) open.splice(open.indexOf(least), 1);
    else least.next = following.value;
  }
}

function leastOf<T extends { readonly next: PlacedEvent }>(open: readonly T[]): T | undefined {
  let least: T | undefined;
  for (const one of open) if (least === undefined || compareEvents(one.next.event, least.next.event) < 0) least = one;
  return least;
}

/** The events of one segment, a block of bytes at a time. */
function* segmentEvents(
  at: SessionFolder,
  { name, writer, firstSeq, position: { offset: end } }: ReadSegment,
  { withdrawn, origin }: Rules,
  behind: number,
): Generator<PlacedEvent, void, undefined> {
  const rules: ReadingRules = { writer, firstSeq, withdrawn, origin };
  let position = behind > firstSeq ? lastBefore(join(at.segments, name), end, behind, rules) : segmentStart;
  let size = blockSize;
  while (position.offset < end) {
    const read = readLines(
      blockAt(join(at.segments, name), position.offset, Math.min(size, end - position.offset)),
      position,
      rules,
    );
    if (read.events.length === 0) {
      // One append may be longer than a block. Where the rest as a whole holds none, it is not what was surveyed.
      if (position.offset + size >= end) throw new Error(`segments/${name} was changed while being read`);
      size *= 2;
      continue;
    }
    for (const [index, event] of read.events.entries())
      yield { event, file: `segments/${name}`, line: position.lines + index + 1 };
    position = read.position;
    size = blockSize;
  }
}

/** The end of the last append whose lines all have lower numbers. Where it cannot be made out, reading begins at the start. */
function lastBefore(file: string, end: number, seq: number, { writer, origin }: ReadingRules): Position {
  const bytes = withOpen(file, constants.O_RDONLY, (fd) => readAt(fd, 0, end));
  const ends = [0];
  for (let at = 0, feed = bytes.indexOf(lineFeed); feed >= 0; feed = bytes.indexOf(lineFeed, at)) {
    if (!(Number(numberAtStart.exec(bytes.toString('latin1', at, at + 40))?.[1]) < seq)) break;
    at = feed + 1;
    ends.push(at);
  }
  for (let lines = ends.length - 1; lines > 0; lines -= 1) {
    const offset = ends[lines]!;
    const line = decodeLine(bytes.subarray(ends[lines - 1], offset - 1));
    if (!line.ok) return segmentStart;
    const { sum, by, more } = line.value;
    if (more === undefined)
      return { offset, lines, sum, seq: line.value.seq, own: by === writer, ...(origin !== undefined && { origin }) };
  }
  return segmentStart;
}

const numberAtStart = /^\{"v":\d+,"seq":(\d+),/u;

/** Whole lines only, so that the end of a block is not taken for the end of a write. */
function blockAt(file: string, offset: number, length: number): Buffer {
  const read = withOpen(file, constants.O_RDONLY, (fd) => readAt(fd, offset, length));
  return read.subarray(0, read.lastIndexOf(lineFeed) + 1);
}
