import { join } from 'node:path';
import type { EventSum, OriginId, SessionId } from '../../base/ids.js';
import type { EventData } from '../../events/event-data.js';
import type { Event } from '../../events/event.js';
import type { Finding } from '../port/finding.js';
import { foldInto } from './fold-into.js';
import { checkPins } from '../segments/pins.js';
import type { Projection } from '../port/projection.js';
import type { ReadSegment, Reading } from '../segments/reading.js';
import { remedies } from '../segments/remedies.js';
import { readLines, segmentStart } from '../segments/segment-lines.js';
import { linkedFolders, linkFinding, listSegments, readFrom, type SessionFolder } from '../segments/session-folder.js';
import { noWithdrawals, type Withdrawals, withWithdrawals } from '../segments/withdrawals.js';
import type { KnownTail } from '../segments/known-tail.js';

interface Named {
  readonly sum: EventSum;
  /** The writer whose line it is, where the naming line says so. */
  readonly writer?: string;
  readonly inFile: string;
}

interface Pass<S> {
  readonly reading: Reading<S>;
  readonly named: readonly Named[];
  readonly sums: ReadonlySet<string>;
  readonly withdrawals: Withdrawals;
  readonly origins: ReadonlyMap<OriginId, number>;
}

interface PassRules extends Withdrawals {
  readonly origin: OriginId | undefined;
}

/**
 * Reads and checks every byte of a session and folds it from the start. What one segment says can change how another is
 * read (withdrawn lines, the origin), so passes repeat until nothing changes; nearly always the first is the last.
 * Lines of `witnesses` are missed like those that other lines name.
 */
export function readWhole<S>(
  at: SessionFolder,
  id: SessionId,
  projection: Projection<S>,
  witnesses: readonly KnownTail[] = [],
): Reading<S> {
  const links = linkedFolders(at);
  let rules: PassRules = { ...noWithdrawals, origin: undefined };
  for (;;) {
    const pass = readOnce(at, projection, rules, links);
    const origin = pass.origins.size > 1 ? chooseOrigin(id, pass.origins) : rules.origin;
    if (pass.withdrawals !== rules || origin !== rules.origin) {
      rules = { ...pass.withdrawals, origin };
      continue;
    }
    findMissing(pass);
    findForgotten(pass, witnesses);
    notePins(pass.reading, at.pins);
    return pass.reading;
  }
}

function readOnce<S>(
  at: SessionFolder,
  projection: Projection<S>,
  rules: PassRules,
  links: readonly Finding[],
): Pass<S> {
  const reading = emptyReading(projection, rules, links);
  const sums = new Set<string>();
  const named: Named[] = [];
  const withdrawals: EventData<'lines_withdrawn'>[] = [];
  const origins = new Map<OriginId, number>();
  let waiting: Event[] = [];
  const foldBelow = (seq: number): void => {
    const ready = waiting.filter((event) => event.seq < seq);
    if (ready.length === 0) return;
    waiting = waiting.filter((event) => event.seq >= seq);
    foldInto(reading, projection, ready, rules.redacted);
  };
  const listing = links.length > 0 ? { segments: [], links: [] } : listSegments(at.segments);
  for (const name of listing.links) reading.otherFindings.push(linkFinding(`segments/${name}`));
  for (const listed of listing.segments) {
    // Lines of this segment and of all after it are not below its first number: one that begins otherwise is not read.
    foldBelow(listed.firstSeq);
    const read = readFrom(join(at.segments, listed.name), 0);
    if (read === undefined) continue;
    const { events, position, stop, highestSeq, withdrawnBehind } = readLines(read.bytes, segmentStart, {
      writer: listed.writer,
      firstSeq: listed.firstSeq,
      withdrawn: rules.withdrawn,
      origin: rules.origin,
    });
    const { name, firstSeq, writer } = listed;
    const segment: ReadSegment = {
      name,
      firstSeq,
      writer,
      mark: read.mark,
      position,
      covered: false,
      ...(stop !== undefined && { stop }),
    };
    reading.segments.set(name, segment);
    reading.lastSeq = Math.max(reading.lastSeq, highestSeq);
    if (position.origin !== undefined) origins.set(position.origin, (origins.get(position.origin) ?? 0) + 1);
    withdrawals.push(...withdrawnBehind);
    for (const [index, event] of events.entries()) {
      sums.add(event.sum);
      if (index === 0 && event.prev !== '') named.push({ sum: event.prev, inFile: name });
      for (const [by, sum] of Object.entries(event.saw ?? {})) named.push({ sum, writer: by, inFile: name });
      if (event.kind === 'lines_withdrawn') withdrawals.push(event.data);
      waiting.push(event);
    }
  }
  foldBelow(Infinity);
  if (rules.origin === undefined) for (const origin of origins.keys()) reading.origin = origin;
  return { reading, named, sums, withdrawals: withWithdrawals(rules, withdrawals), origins };
}

function emptyReading<S>(projection: Projection<S>, rules: PassRules, links: readonly Finding[]): Reading<S> {
  return {
    state: projection.empty(),
    eventCount: 0,
    lastSeq: 0,
    origin: rules.origin,
    segments: new Map(),
    withdrawn: new Set(rules.withdrawn),
    redacted: new Set(rules.redacted),
    missing: new Map(),
    missingPins: new Set(),
    pinNames: new Set(),
    otherFindings: [...links],
  };
}

function notePins<S>(reading: Reading<S>, pinsFolder: string): void {
  const { names, findings } = checkPins(pinsFolder);
  reading.pinNames = names;
  reading.otherFindings.push(...findings);
  for (const hash of reading.missingPins) if (names.has(hash)) reading.missingPins.delete(hash);
}

/** Segments of several sessions in one folder: the folder's own name decides, else what most segments name. */
export function chooseOrigin(id: SessionId, origins: ReadonlyMap<OriginId, number>): OriginId {
  const own = id as string as OriginId;
  if (origins.has(own)) return own;
  return [...origins].toSorted(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))[0]![0];
}

/** Whether everything that some line names is here. Where a segment was read in part, its own damage says why not. */
function findMissing<S>({ reading, named, sums }: Pass<S>): void {
  const namedSums = new Set<string>(named.map(({ sum }) => sum));
  const segments = [...reading.segments.values()];
  for (const segment of segments) segment.covered = segment.position.sum !== '' && namedSums.has(segment.position.sum);
  const unreadable = (segment: ReadSegment): boolean => segment.stop !== undefined && segment.stop.level !== 'torn';
  for (const { sum, writer, inFile } of named) {
    if (sums.has(sum) || reading.withdrawn.has(sum) || reading.missing.has(sum)) continue;
    const here = segments.find((segment) => segment.writer === writer);
    if (here === undefined ? writer === undefined && segments.some(unreadable) : unreadable(here)) continue;
    const finding: Finding = {
      level: 'incomplete',
      file:
        here === undefined
          ? `segments/${writer === undefined ? inFile : `*-${writer}.ndjson`}`
          : `segments/${here.name}`,
      message:
        here !== undefined
          ? `it is shorter than when ${inFile} was written: line ${sum} is not in it`
          : writer === undefined
            ? `it goes on from line ${sum}, which is in no segment here`
            : `it is missing: ${inFile} was written by somebody who had seen it`,
      remedy: remedies.missing,
    };
    reading.missing.set(sum, { sum, finding });
  }
}

/** Lines that this machine has had on disk, and that no line here may name. */
function findForgotten<S>({ reading, sums }: Pass<S>, witnesses: readonly KnownTail[]): void {
  for (const witness of witnesses) {
    const { sum, writer } = witness;
    if (sums.has(sum) || reading.withdrawn.has(sum) || reading.missing.has(sum)) continue;
    const here = [...reading.segments.values()].find((segment) => segment.writer === writer);
    if (here !== undefined && here.stop !== undefined && here.stop.level !== 'torn') continue;
    const message =
      here === undefined
        ? 'it is missing'
        : here.stop === undefined
          ? 'it is shorter than it was'
          : `its end cannot be read from line ${here.stop.line} on`;
    const finding: Finding = {
      level: 'incomplete',
      file: here === undefined ? `segments/*-${writer}.ndjson` : `segments/${here.name}`,
      ...(here?.stop !== undefined && { line: here.stop.line, byte: here.stop.byte }),
      message: `${message}: when it was last written on this machine, line ${sum} was in it, and whoever wrote it was told that it is recorded`,
      remedy: remedies.missing,
    };
    reading.missing.set(sum, { sum, finding, witness });
  }
}
