import { closeSync, constants, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import type { EventSum, OriginId, SessionId, WorkflowHash } from '../../base/ids.js';
import type { EventData } from '../../events/event-data.js';
import { compareEvents, type Event } from '../../events/event.js';
import type { Finding } from '../port/finding.js';
import { noFollow } from '../../files/folders.js';
import { lineSums } from '../segments/line-sums.js';
import { linesNamedBy, missingFindings, type NamedLine } from '../segments/missing-lines.js';
import { checkPins } from '../segments/pins.js';
import { beginningGone, missingPinFinding, stopFinding } from '../segments/reading.js';
import { type Position, type ReadingRules, readLines, segmentStart } from '../segments/segment-lines.js';
import type { SegmentName } from '../segments/segment-name.js';
import {
  haveGrown,
  linkedFolders,
  linkFinding,
  type ListedSegment,
  listSegments,
  readFrom,
  type SessionFolder,
} from '../segments/session-folder.js';
import { chooseOrigin } from './whole-reading.js';
import { noWithdrawals, type Withdrawals, withWithdrawals } from '../segments/withdrawals.js';

/** An event with the place where it stands. */
export interface PlacedEvent {
  readonly event: Event;
  /** Relative to the session's folder, with forward slashes. */
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
}

interface Surveyed extends SegmentName {
  readonly begins: number;
  /** Everything up to here are whole appends; what is behind is torn, or damaged. */
  readonly end: number;
}

interface Survey extends Known {
  readonly segments: readonly Surveyed[];
  readonly findings: readonly Finding[];
}

interface Known {
  readonly withdrawals: Withdrawals;
  readonly origin: OriginId | undefined;
}

/** What one look at all segments gives: of each line no more than its sum is kept. */
interface Look {
  readonly listed: readonly ListedSegment[];
  readonly segments: readonly Surveyed[];
  readonly findings: readonly Finding[];
  readonly withdrawals: Withdrawals;
  readonly origins: ReadonlyMap<OriginId, number>;
  readonly missing: readonly NamedLine[];
  /** Pins that runs name. */
  readonly pins: ReadonlySet<WorkflowHash>;
}

const lineFeed = 0x0a;
const blockSize = 256 * 1024;
const triesWhileGrowing = 4;

/**
 * The events of a session in the total order, read and checked as a fold reads them: what is torn, withdrawn or stands
 * behind damage is left out, and the same line in two segments is one event. Memory does not grow with the session.
 * At the end it says all that is amiss with the session's files.
 */
export function* readEvents(at: SessionFolder, id: SessionId): Generator<PlacedEvent, readonly Finding[], undefined> {
  const survey = surveySegments(at, id);
  const waiting = survey.segments.toSorted((a, b) => a.begins - b.begins);
  const open: { next: PlacedEvent; readonly rest: Iterator<PlacedEvent> }[] = [];
  let last: string | undefined;
  for (;;) {
    let least = leastOf(open);
    // A segment is opened when its turn may have come: a thousand short ones are not held at once.
    for (
      let segment = waiting[0];
      segment !== undefined && (least === undefined || segment.begins <= least.next.event.seq);
      segment = waiting[0]
    ) {
      waiting.shift();
      const rest = segmentEvents(at, segment, survey);
      const first = rest.next();
      if (first.done !== true) open.push({ next: first.value, rest });
      least = leastOf(open);
    }
    if (least === undefined) return survey.findings;
    const { next } = least;
    if (next.event.sum !== last && !survey.withdrawals.redacted.has(next.event.sum)) yield next;
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

/** What one segment says can change how another is read, so the survey repeats until it changes nothing more. */
function surveySegments(at: SessionFolder, id: SessionId): Survey {
  let rules: Known = { withdrawals: noWithdrawals, origin: undefined };
  for (let tries = 1; ; tries += 1) {
    const look = surveyOnce(at, rules);
    const { segments, withdrawals, origins, listed, missing, pins } = look;
    const origin = origins.size > 1 ? chooseOrigin(id, origins) : rules.origin;
    if (withdrawals !== rules.withdrawals || origin !== rules.origin) {
      rules = { withdrawals, origin };
      tries -= 1;
      continue;
    }
    // A line may name one that was appended elsewhere between two looks at the folder.
    if (missing.length > 0 && tries < triesWhileGrowing && haveGrown(at.segments, listed)) continue;
    const findings = [...look.findings, ...missingFindings(missing), ...pinFindings(at, pins)];
    const { size } = checkPins(at.pins).names;
    return {
      segments,
      findings: segments.length === 0 && size > 0 && findings.length === 0 ? [beginningGone(size)] : findings,
      ...rules,
    };
  }
}

function surveyOnce(at: SessionFolder, { withdrawals, origin }: Known): Look {
  const told: EventData<'lines_withdrawn'>[] = [];
  const origins = new Map<OriginId, number>();
  const segments: Surveyed[] = [];
  const linked = linkedFolders(at);
  const listing = linked.length > 0 ? { segments: [], links: [] } : listSegments(at.segments);
  const findings = [...linked, ...listing.links.map((name) => linkFinding(`segments/${name}`))];
  const here = lineSums();
  const named = new Map<EventSum, NamedLine>();
  const pins = new Set<WorkflowHash>();
  const unreadable = new Set<string>();
  for (const { name, firstSeq, writer } of listing.segments) {
    const read = readFrom(join(at.segments, name), 0);
    if (read === undefined) continue;
    const { events, position, stop, withdrawnBehind } = readLines(read.bytes, segmentStart, {
      writer,
      firstSeq,
      withdrawn: withdrawals.withdrawn,
      origin,
    });
    if (stop !== undefined) findings.push(stopFinding(name, stop));
    if (stop !== undefined && stop.level !== 'torn') unreadable.add(writer);
    told.push(...withdrawnBehind);
    for (const [index, event] of events.entries()) {
      here.add(event.sum);
      if (event.kind === 'lines_withdrawn') told.push(event.data);
      if (event.kind === 'run_started' && !withdrawals.redacted.has(event.sum)) pins.add(event.data.workflowHash);
      for (const one of linesNamedBy(event, index)) if (!withdrawals.withdrawn.has(one.sum)) named.set(one.sum, one);
    }
    if (position.origin !== undefined) origins.set(position.origin, (origins.get(position.origin) ?? 0) + 1);
    const [first] = events;
    if (first !== undefined) segments.push({ name, firstSeq, writer, begins: first.seq, end: position.offset });
  }
  const missing = new Set<string>(named.keys());
  here.strike(missing);
  return {
    listed: listing.segments,
    segments,
    findings,
    withdrawals: withWithdrawals(withdrawals, told),
    origins,
    // Where a segment was read in part, its own damage says why not.
    missing: [...named.values()].filter(({ sum, by }) => missing.has(sum) && !unreadable.has(by)),
    pins,
  };
}

function pinFindings({ pins: folder }: SessionFolder, pins: ReadonlySet<WorkflowHash>): readonly Finding[] {
  const { names, findings } = checkPins(folder);
  return [...findings, ...[...pins].filter((hash) => !names.has(hash)).map(missingPinFinding)];
}

/** The events of one segment, a block of bytes at a time. */
function* segmentEvents(
  at: SessionFolder,
  { name, writer, firstSeq, end }: Surveyed,
  { withdrawals: { withdrawn }, origin }: Survey,
): Generator<PlacedEvent, void, undefined> {
  const rules: ReadingRules = { writer, firstSeq, withdrawn, origin };
  let position: Position = segmentStart;
  let size = blockSize;
  while (position.offset < end) {
    const read = readLines(
      blockAt(join(at.segments, name), position.offset, Math.min(size, end - position.offset)),
      position,
      rules,
    );
    if (read.events.length === 0) {
      // One append may be longer than a block. Where the rest as a whole holds none, it is not what was surveyed.
      if (position.offset + size >= end) throw new Error(`segments/${name} was changed while it was read`);
      size *= 2;
      continue;
    }
    for (const [index, event] of read.events.entries())
      yield { event, file: `segments/${name}`, line: position.lines + index + 1 };
    position = read.position;
    size = blockSize;
  }
}

/** Whole lines only, so that the end of a block is not taken for the end of a write. */
function blockAt(file: string, offset: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  let filled = 0;
  const fd = openSync(file, constants.O_RDONLY | noFollow);
  try {
    for (let count = -1; filled < length && count !== 0; filled += count)
      count = readSync(fd, bytes, filled, length - filled, offset + filled);
  } finally {
    closeSync(fd);
  }
  const read = bytes.subarray(0, filled);
  return read.subarray(0, read.lastIndexOf(lineFeed) + 1);
}
