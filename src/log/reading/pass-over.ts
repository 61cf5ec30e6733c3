import type { EventSum, OriginId, SessionId, WorkflowHash } from '../../base/ids.js';
import type { EventData } from '../../events/event-data.js';
import type { Finding } from '../port/finding.js';
import { type GrowingLineSums, lineSums } from '../segments/line-sums.js';
import { forgottenLines, linesNamedBy, missingLines, type NamedInFile } from '../segments/missing-lines.js';
import { checkPins } from '../segments/pins.js';
import type { Known, KnownTail, MissingLine, ReadSegment } from '../segments/reading.js';
import { readSegment, type SegmentRead } from '../segments/read-segment.js';
import { type Position, segmentStart } from '../segments/segment-lines.js';
import {
  haveGrown,
  linkedFolders,
  linkFinding,
  type ListedSegment,
  listSegments,
  sameMark,
  type SessionFolder,
} from '../segments/session-folder.js';
import { stillEndsThere } from '../segments/still-ends-there.js';

/** What the lines of a session say about how its lines are read. */
export interface Rules {
  /** Taken out: chains accept that these are not here. One that was damaged or lost and comes back counts again. */
  readonly withdrawn: ReadonlySet<string>;
  /** These do not come back. */
  readonly redacted: ReadonlySet<string>;
  /** The session that is read, where segments name several. */
  readonly origin: OriginId | undefined;
}

/** Who is shown a session segment by segment, by the numbers that they begin with. */
export interface Visit {
  /** All segments are shown anew: what was shown before counts no more. */
  readonly begin?: (rules: Rules) => void;
  /** `from` is where in the segment its events begin. */
  readonly segment?: (segment: ReadSegment, read: SegmentRead, from: Position) => void;
}

/** How far the segments of a session have been read, and by which rules. */
export interface Passed {
  readonly segments: ReadonlyMap<string, ReadSegment>;
  readonly rules: Rules;
}

export interface Pass extends Passed {
  readonly segments: Map<string, ReadSegment>;
  readonly listed: readonly ListedSegment[];
  /** What is a link, and is therefore not read. */
  readonly links: readonly Finding[];
  /** The sum of every line that was shown. */
  readonly lines: GrowingLineSums;
  readonly named: readonly NamedInFile[];
  readonly missing: Map<EventSum, MissingLine>;
  /** The pins that runs name. */
  readonly pins: ReadonlySet<WorkflowHash>;
  readonly lastSeq: number;
}

const triesWhileGrowing = 4;

/**
 * Reads and checks the segments of a session, each from its start; or, given an earlier pass, what has come since, of
 * which it cannot tell what is missing. What one segment says can change how another is read (withdrawn lines, the
 * origin), so passes repeat until nothing changes; nearly always the first is the last.
 */
export function passOver(at: SessionFolder, id: SessionId, visit: Visit = {}, before?: Passed): Pass {
  const steps = passInSteps(at, id, visit, before);
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return step.value;
}

/** The same, one segment a step: whoever has time lets others in between. */
export function* passInSteps(
  at: SessionFolder,
  id: SessionId,
  visit: Visit,
  before?: Passed,
): Generator<void, Pass, void> {
  let rules: Rules = before?.rules ?? { withdrawn: new Set(), redacted: new Set(), origin: undefined };
  for (let tries = 1; ;) {
    visit.begin?.(rules);
    const { told, ...pass } = yield* passOnce(at, rules, visit, before);
    const next = rulesAfter(id, pass, told);
    if (next !== rules) rules = next;
    // A line may name one that was appended elsewhere between two looks at the folder.
    else if (pass.missing.size > 0 && tries < triesWhileGrowing && haveGrown(at, pass.listed)) tries += 1;
    else return pass;
  }
}

/** What lines say that counts for more than their own segment. */
interface Heard extends Pick<Pass, 'lines'> {
  readonly named: Map<string, NamedInFile>;
  readonly pins: Set<WorkflowHash>;
  readonly told: EventData<'lines_withdrawn'>[];
}

function* passOnce(
  at: SessionFolder,
  rules: Rules,
  visit: Visit,
  before: Passed | undefined,
): Generator<void, Pass & Pick<Heard, 'told'>, void> {
  const linked = linkedFolders(at);
  const listing = linked.length > 0 ? { segments: [], links: [] } : listSegments(at);
  const links = [...linked, ...listing.links.map((name) => linkFinding(`segments/${name}`))];
  const segments = new Map<string, ReadSegment>();
  const heard: Heard = { lines: lineSums(), named: new Map(), pins: new Set(), told: [] };
  let lastSeq = 0;
  for (const listed of listing.segments) {
    const { name, firstSeq, writer } = listed;
    const known = before && standing(at, listed, before, rules);
    if (known !== undefined && sameMark(known.mark, listed) && (known.stop === undefined || rules === before?.rules)) {
      segments.set(name, known);
      continue;
    }
    const from = known?.position ?? segmentStart;
    const read = readSegment(at.segments, listed, from, rules);
    if (read === undefined) continue;
    const { position, stop, mark } = read;
    const segment = { name, firstSeq, writer, mark, position, covered: false, ...(stop !== undefined && { stop }) };
    segments.set(name, segment);
    lastSeq = Math.max(lastSeq, read.highestSeq);
    hear(read, name, rules, heard);
    visit.segment?.(segment, read, from);
    yield;
  }
  const named = before === undefined ? [...heard.named.values()] : [];
  const missing = missingLines(named, { lines: heard.lines, segments, withdrawn: rules.withdrawn });
  return { segments, rules, listed: listing.segments, links, ...heard, named, missing, lastSeq };
}

function hear(
  { events, withdrawnBehind }: SegmentRead,
  inFile: string,
  { redacted }: Rules,
  { lines, named, pins, told }: Heard,
): void {
  told.push(...withdrawnBehind);
  for (const [index, event] of events.entries()) {
    lines.add(event.sum);
    if (event.kind === 'lines_withdrawn') told.push(event.data);
    if (event.kind === 'run_started' && !redacted.has(event.sum)) pins.add(event.data.workflowHash);
    if (index > 0 && event.saw === undefined) continue;
    for (const { sum, writer } of linesNamedBy(event, index)) {
      // What is said of a missing line rests on whether its writer is named.
      const key = writer === undefined ? `before ${sum}` : sum;
      if (!named.has(key)) named.set(key, { sum, writer, inFile });
    }
  }
}

/** The segment as it was read before, where all of that still stands there. */
function standing(
  at: SessionFolder,
  listed: ListedSegment,
  { segments }: Passed,
  { origin }: Rules,
): ReadSegment | undefined {
  const segment = segments.get(listed.name);
  const isStrange =
    origin !== undefined && segment?.position.origin !== undefined && segment.position.origin !== origin;
  if (segment === undefined || isStrange) return undefined;
  // A checkout puts another file in its place; as long as the line that was read last is where it was, so is all before it.
  return sameMark(segment.mark, listed) || stillEndsThere(at.segments, segment) ? segment : undefined;
}

/** The same object where nothing is new. */
function rulesAfter(id: SessionId, { rules, segments }: Passed, told: readonly EventData<'lines_withdrawn'>[]): Rules {
  const origins = new Map<OriginId, number>();
  for (const { position } of segments.values())
    if (position.origin !== undefined) origins.set(position.origin, (origins.get(position.origin) ?? 0) + 1);
  const origin = origins.size > 1 ? chooseOrigin(id, origins) : rules.origin;
  const withdrawn = new Set([...rules.withdrawn, ...told.flatMap(({ sums }) => sums)]);
  const redacted = new Set([
    ...rules.redacted,
    ...told.flatMap(({ sums, reason }) => (reason === 'redacted' ? sums : [])),
  ]);
  const isSame =
    withdrawn.size === rules.withdrawn.size && redacted.size === rules.redacted.size && origin === rules.origin;
  return isSame ? rules : { withdrawn, redacted, origin };
}

/** Several sessions in one folder: the folder's own name decides, else what is named most. */
export function chooseOrigin(id: SessionId, origins: ReadonlyMap<OriginId, number>): OriginId {
  const own = id as string as OriginId;
  if (origins.has(own)) return own;
  return [...origins].toSorted(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))[0]![0];
}

/** All that a pass has shown of a session's files, with a look at its pins. Lines of `witnesses` are missed like those that other lines name. */
export function knownAfter(id: SessionId, at: SessionFolder, pass: Pass, witnesses: readonly KnownTail[] = []): Known {
  const { links, named, lines, segments, lastSeq, rules } = pass;
  const forgotten = [...forgottenLines(id, witnesses, { lines, segments, withdrawn: rules.withdrawn })];
  // One thing is said of a file: first what can be put back.
  const missing = new Map(forgotten.filter(([, { finding }]) => finding.kept));
  for (const [sum, line] of [...pass.missing, ...forgotten]) if (!missing.has(sum)) missing.set(sum, line);
  const heads = new Set<string>(named.map(({ sum }) => sum));
  let { origin } = rules;
  for (const segment of pass.segments.values()) {
    segment.covered = heads.has(segment.position.sum);
    origin ??= segment.position.origin;
  }
  // Nothing is read through a link.
  const behindLink = links.some(({ file }) => file === '.' || file === 'pins');
  const pins = behindLink ? { names: new Set<WorkflowHash>(), findings: [] } : checkPins(at.pins);
  return {
    lastSeq,
    origin,
    segments: pass.segments,
    withdrawn: new Set(rules.withdrawn),
    redacted: new Set(rules.redacted),
    missing,
    missingPins: new Set([...pass.pins].filter((hash) => !pins.names.has(hash))),
    pinNames: pins.names,
    otherFindings: [...links, ...pins.findings],
  };
}
