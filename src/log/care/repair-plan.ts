import { join } from 'node:path';
import type { EventSum, OriginId, SessionId, WriterId } from '../../base/ids.js';
import type { Event } from '../../events/event.js';
import { mendSegment, type MendedSegment } from './mend-segment.js';
import { chooseOrigin } from '../reading/pass-over.js';
import { linesNamedBy, type NamedLine } from '../segments/missing-lines.js';
import type { KnownTail, ReadSegment, Reading } from '../segments/reading.js';
import { readLines, segmentStart } from '../segments/segment-lines.js';
import { readFrom, segmentBytes, type SessionFolder } from '../segments/session-folder.js';
import { siftSegment, type SoundLine, type UnsoundPiece } from '../segments/sift-segment.js';

/** One damaged segment, and what becomes of it. */
export interface MendPlan {
  readonly name: string;
  readonly whole: Buffer;
  /** Undefined where nothing in it belongs to this session: it goes as it is. */
  readonly bytes: Buffer | undefined;
  /** Lines in it that are brought home into other files: it lets them go only when they are there. */
  readonly lent: readonly SoundLine[];
  readonly kept: number;
  readonly lost: readonly UnsoundPiece[];
  /** Lines before gaps, of which there are no bytes: the sum, and the line that names it. */
  readonly gone: readonly { readonly sum: EventSum; readonly before: number }[];
  readonly foreign: number;
}

export interface RepairPlan {
  readonly mends: readonly MendPlan[];
  /** Chains that are at home in no file here; each goes into a segment of its own. */
  readonly rescued: readonly (readonly SoundLine[])[];
  readonly withdraw: readonly EventSum[];
  readonly origin: OriginId;
  readonly nextSeq: number;
}

/** What is known of the session's lines before any of them is moved. */
interface Lines {
  readonly present: Set<string>;
  readonly named: NamedLine[];
  readonly copies: Map<string, SoundLine>;
  /** The sessions that each writer says it wrote for: one, unless somebody meddled. */
  readonly origins: Map<WriterId, Set<OriginId>>;
  /** How many lines each wrote. */
  readonly counts: Map<WriterId, number>;
  /** Whose segments stand here, whether or not anything in them can be read. */
  readonly writers: ReadonlySet<WriterId>;
  highest: number;
}

/**
 * How a damaged session becomes sound again. Follows from the bytes alone, so that a repair that was cut short is gone on
 * with by the next one. Segments are read one at a time; of the sound ones only sums are kept.
 */
export function planRepair<S>(
  at: SessionFolder,
  id: SessionId,
  reading: Reading<S>,
  damaged: readonly ReadSegment[],
  witnesses: readonly KnownTail[],
): RepairPlan {
  const lines: Lines = {
    present: new Set(),
    named: [...witnesses],
    copies: new Map(),
    origins: new Map(),
    counts: new Map(),
    writers: new Set([...reading.segments.values()].map(({ writer }) => writer)),
    highest: reading.lastSeq,
  };
  for (const segment of reading.segments.values()) survey(at, segment, damaged.includes(segment), reading, lines);
  const origin = ownOrigin(id, lines, hintedOrigin(at, damaged)) ?? (id as string as OriginId);
  const strangers = new Set([...lines.origins].filter(([, origins]) => !origins.has(origin)).map(([writer]) => writer));
  const mended: (Omit<MendPlan, 'lent'> & { readonly strays: readonly SoundLine[] })[] = [];
  const filled = new Set<string>();
  const gaps: EventSum[] = [];
  for (const { name, writer, firstSeq } of damaged) {
    const whole = readFrom(join(at.segments, name), 0)?.bytes;
    if (whole === undefined) continue;
    const sifted = siftSegment(whole);
    const segment = mendSegment(whole, sifted, {
      writer,
      firstSeq,
      origin,
      withdrawn: reading.withdrawn,
      copies: lines.copies,
      strangers,
    });
    gaps.push(...segment.gaps);
    for (const sum of segment.filled) filled.add(sum);
    for (const [index, { event }] of segment.kept.entries()) noteLine(event, index, lines);
    mended.push({ ...mendOf(name, whole, segment, strangers), strays: segment.strays });
  }
  const mends = mended.map(({ strays, ...mend }): MendPlan => ({
    ...mend,
    lent: strays.filter(({ event }) => filled.has(event.sum)),
  }));
  const strays = mended.flatMap((segment) => segment.strays);
  const rescued = chainsOf(
    strays.filter((stray) => !lines.present.has(stray.event.sum) && belongs(stray.event, origin, lines)),
  );
  for (const line of rescued.flat()) lines.present.add(line.event.sum);
  const damagedWriters = new Set<string>(damaged.map(({ writer }) => writer));
  // A line that others saw in a file that is damaged here is gone with the damage; one of a file that is missing may come back.
  const ruined = lines.present.size > 0 ? [] : mended.flatMap((segment) => sumsShown(segment, origin, lines));
  const unseen = lines.named
    .filter(({ writer }) => (writer === undefined ? damaged.length > 0 : damagedWriters.has(writer)))
    .map(({ sum }) => sum);
  // A gap is a gap even where its line stands in another file now; a line that counts again when it is there loses nothing by it.
  const withdraw = [...new Set([...gaps, ...ruined, ...unseen.filter((sum) => !lines.present.has(sum))])].filter(
    (sum) => !reading.withdrawn.has(sum),
  );
  return { mends, rescued, withdraw, origin, nextSeq: lines.highest + 1 };
}

/** Where nothing is left that could say what is gone: what the bytes still show of it. */
function sumsShown(
  { lost, strays }: Pick<MendedSegment, 'lost' | 'strays'>,
  origin: OriginId,
  lines: Lines,
): readonly EventSum[] {
  const shown = lost.flatMap(({ bytes }) => [...bytes.toString('latin1').matchAll(/"sum":"([0-9a-f]{16})"\}/gu)]);
  return [
    ...shown.map(([, sum]) => sum as EventSum),
    ...strays
      .map(({ event }) => event)
      .filter((event) => belongs(event, origin, lines))
      .map(({ sum }) => sum),
  ];
}

function survey<S>(
  at: SessionFolder,
  { name, writer, firstSeq }: ReadSegment,
  isDamaged: boolean,
  { withdrawn, origin }: Reading<S>,
  lines: Lines,
): void {
  const whole = segmentBytes(at, name);
  const { events } = isDamaged
    ? { events: [] }
    : readLines(whole, segmentStart, { writer, firstSeq, withdrawn, origin });
  for (const [index, event] of events.entries()) noteLine(event, index, lines);
  const { sound } = siftSegment(whole);
  for (const line of sound) {
    const { event } = line;
    lines.highest = Math.max(lines.highest, event.seq);
    lines.counts.set(event.by, (lines.counts.get(event.by) ?? 0) + 1);
    if (event.origin !== undefined)
      lines.origins.set(event.by, (lines.origins.get(event.by) ?? new Set()).add(event.origin));
    if (event.by !== writer && !lines.copies.has(event.sum)) lines.copies.set(event.sum, line);
  }
}

function noteLine(event: Event, index: number, { present, named }: Lines): void {
  present.add(event.sum);
  named.push(...linesNamedBy(event, index));
}

function mendOf(
  name: string,
  whole: Buffer,
  { bytes, kept, gaps, strays, lost }: MendedSegment,
  strangers: ReadonlySet<WriterId>,
): Omit<MendPlan, 'lent'> {
  const foreign = strays.filter(({ event }) => strangers.has(event.by)).length;
  const gone = gaps.map((sum) => ({ sum, before: kept.find(({ event }) => event.prev === sum)?.event.seq ?? 0 }));
  return { name, whole, bytes: bytes.length === 0 ? undefined : bytes, kept: kept.length, lost, gone, foreign };
}

/** Whether a line that stands in the wrong file is this session's: it says so, its writer does elsewhere or has a segment here, or it and the others know of each other. */
function belongs(event: Event, origin: OriginId, { origins, writers, named, present }: Lines): boolean {
  const told = event.origin === undefined ? origins.get(event.by) : new Set([event.origin]);
  if (told !== undefined) return told.has(origin);
  return (
    writers.has(event.by) ||
    named.some(({ sum, writer }) => sum === event.sum || writer === event.by) ||
    [event.prev, ...Object.values(event.saw ?? {})].some((sum) => present.has(sum))
  );
}

/** Lines that follow each other, as far as whole appends go. */
function chainsOf(strays: readonly SoundLine[]): readonly (readonly SoundLine[])[] {
  const chains: SoundLine[][] = [];
  const bySum = new Map(strays.map((line) => [line.event.sum, line]));
  for (const line of [...bySum.values()].toSorted((a, b) => a.event.seq - b.event.seq)) {
    const chain = chains.find((candidate) => candidate.at(-1)!.event.sum === line.event.prev);
    if (chain === undefined) chains.push([line]);
    else chain.push(line);
  }
  return chains
    .map((chain) => chain.slice(0, chain.findLastIndex(({ event }) => event.more === undefined) + 1))
    .filter((chain) => chain.length > 0);
}

/** The folder's own name, where some line says it or what is left of one shows it; else what most lines were written for. */
function ownOrigin(id: SessionId, { origins, counts }: Lines, hinted: OriginId | undefined): OriginId | undefined {
  const lines = new Map<OriginId, number>();
  for (const [writer, named] of origins)
    for (const origin of named) lines.set(origin, (lines.get(origin) ?? 0) + (counts.get(writer) ?? 0));
  return hinted === (id as string) || lines.size === 0 ? hinted : chooseOrigin(id, lines);
}

/** Where the only line that names the session is damaged, its bytes may still show the name. */
function hintedOrigin(at: SessionFolder, damaged: readonly ReadSegment[]): OriginId | undefined {
  for (const { name } of damaged) {
    const [, hinted] =
      /^.{0,200}"origin":"([A-Za-z0-9][A-Za-z0-9._-]{0,127})"/u.exec(
        segmentBytes(at, name).toString('latin1', 0, 400),
      ) ?? [];
    if (hinted !== undefined) return hinted as OriginId;
  }
  return undefined;
}
