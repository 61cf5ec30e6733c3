import { compareEvents, type Event } from '../../events/event.js';
import { foldInto } from './fold-into.js';
import type { Projection } from '../port/projection.js';
import type { ReadSegment, Reading } from '../segments/reading.js';
import { readSegment, type SegmentRead } from '../segments/read-segment.js';
import { segmentStart } from '../segments/segment-lines.js';
import { type ListedSegment, listSegments, sameMark, type SessionFolder } from '../segments/session-folder.js';
import { stillEndsThere } from '../segments/still-ends-there.js';

interface Grown {
  readonly segment: ReadSegment;
  readonly read: SegmentRead;
}

/**
 * Folds what was appended since `reading` was made. Returns false where that cannot be done from the new bytes alone: a
 * file is gone or changed, something sorts before what is folded, names what is not known, or needs to be judged over
 * the whole session. `reading` is then unchanged and a whole reading must follow.
 */
export function readTail<S>(at: SessionFolder, projection: Projection<S>, reading: Reading<S>): boolean {
  const listing = listSegments(at);
  if (listing.links.length > 0 || reading.otherFindings.length > 0) return false;
  let known = 0;
  const changed: ListedSegment[] = [];
  for (const listed of listing.segments) {
    const segment = reading.segments.get(listed.name);
    if (segment !== undefined) {
      known += 1;
      if (sameMark(segment.mark, listed)) continue;
      if (segment.mark.ino !== listed.ino || listed.size <= segment.mark.size) return false;
    }
    changed.push(listed);
  }
  if (known < reading.segments.size) return false;
  if (changed.length === 0) return true;
  const grown = readGrown(at, reading, changed);
  const events = grown?.flatMap(({ read }) => read.events);
  if (grown === undefined || events === undefined || !namesOnlyKnown(reading, grown, events)) return false;
  const { lastFolded } = reading;
  if (lastFolded !== undefined && events.some((event) => compareEvents(event, lastFolded) <= 0)) return false;

  for (const { segment, read } of grown) {
    if (read.events.length > 0) segment.covered = false;
    Object.assign(segment, { mark: read.mark, position: read.position, stop: read.stop });
    reading.segments.set(segment.name, segment);
    reading.lastSeq = Math.max(reading.lastSeq, read.highestSeq);
    reading.origin ??= read.position.origin;
  }
  for (const event of events) reading.missing.delete(event.sum);
  coverNamed(reading, events);
  foldInto(reading, projection, events, reading.redacted);
  return true;
}

function readGrown<S>(at: SessionFolder, reading: Reading<S>, changed: readonly ListedSegment[]): Grown[] | undefined {
  const grown: Grown[] = [];
  for (const listed of changed) {
    const { name, firstSeq, writer } = listed;
    const known = reading.segments.get(name);
    const segment: ReadSegment = known ?? {
      name,
      firstSeq,
      writer,
      mark: listed,
      position: segmentStart,
      covered: false,
    };
    const read = readSegment(at.segments, listed, segment.position, reading);
    if (read === undefined || (known !== undefined && read.mark.ino !== known.mark.ino)) return undefined;
    // What was put in before the place where reading goes on looks torn from there.
    if (read.stop !== undefined && (read.stop.level !== 'torn' || !stillEndsThere(at.segments, segment)))
      return undefined;
    grown.push({ segment, read });
  }
  return grown;
}

/** Whether every line that the new ones name is a head that was known, is among the new, or is known to be missing. */
function namesOnlyKnown<S>(reading: Reading<S>, grown: readonly Grown[], events: readonly Event[]): boolean {
  if (events.some((event) => event.kind === 'lines_withdrawn')) return false;
  const known = new Set<string>([...reading.missing.keys(), ...reading.withdrawn, ...events.map((event) => event.sum)]);
  for (const segment of reading.segments.values()) known.add(segment.position.sum);
  const firsts = grown
    .filter(({ segment }) => segment.position.lines === 0)
    .flatMap(({ read }) => read.events.slice(0, 1));
  return (
    firsts.every((event) => event.prev === '' || known.has(event.prev)) &&
    events.every((event) => event.saw === undefined || Object.values(event.saw).every((sum) => known.has(sum)))
  );
}

/** Marks the heads that these lines name. */
export function coverNamed<S>(reading: Reading<S>, events: readonly Event[]): void {
  const named = new Set<string>();
  for (const event of events) {
    named.add(event.prev);
    if (event.saw !== undefined) for (const sum of Object.values(event.saw)) named.add(sum);
  }
  for (const segment of reading.segments.values()) {
    // A chain names its own segment's lines; only a head can be the last of them, and nothing there names a head.
    if (named.has(segment.position.sum)) segment.covered = true;
  }
}
