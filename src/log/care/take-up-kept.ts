import { basename, dirname, join } from 'node:path';
import type { EventSum, WorkflowHash, WriterId } from '../../base/ids.js';
import { errorCode } from '../../files/fault-reason.js';
import { replaceFile } from '../../files/replace-file.js';
import { makeFolderDurably, syncFile, syncFolder } from '../../files/folders.js';
import { localFolder } from '../../machine/local-folder.js';
import { prepareDataRoot } from '../files/prepare-data-root.js';
import type { FileRef } from '../files/file-ref.js';
import { type Append, bytesOf, type KeptChain, type KeptLines, keptLines } from '../reading/kept-lines.js';
import { pinIsThere, writePin } from '../segments/pins.js';
import type { KnownTail } from '../segments/reading.js';
import { listSegments, type SessionFolder } from '../segments/session-folder.js';
import { segmentName } from '../segments/segment-name.js';
import { siftSegment, type SoundLine } from '../segments/sift-segment.js';
import {
  astraySpares,
  branchMarkOf,
  dropSpares,
  type Spare,
  sparedPin,
  spareFolder,
  sparesOf,
  spareSegment,
  wasRefused,
} from '../segments/spares.js';
import { type SegmentMaker, writeSegment } from './exclusive-maintenance.js';

export interface TakenUp {
  /** Lines that stand in the session again. */
  readonly lines: number;
  /** What is still nowhere but here. */
  readonly left: readonly KnownTail[];
}

const nothing: TakenUp = { lines: 0, left: [] };

/** Which of what is kept is put back: what was not taken away on purpose for certain, what was written on the branch that is here, or all of it. */
export type Wanted = 'what hangs' | 'of this branch' | 'all';

/**
 * Puts lines back that git took away in between its copy and its removal, byte for byte, in segments of their own: a line
 * met twice is one event. By itself only what goes on from a line that is here and was written on the branch that is
 * here: all else may have been taken away on purpose, and waits for a person to ask for it.
 */
export function takeUpKept(care: SegmentMaker, wanted: Wanted): TakenUp {
  const kept = lookAtKept(care);
  if (kept === undefined) return nothing;
  const { chains, branch, isHere, maySettle } = kept;
  const byItself = wanted === 'what hangs';
  const chosen = chains.filter(
    ({ hangs, spare }) => wanted === 'all' || (spare.branch === branch && (!byItself || (hangs && maySettle))),
  );
  let written: ReadonlySet<KeptChain> = new Set();
  try {
    if (chosen.length > 0) written = putBack(care, chosen);
    if ((isHere || written.size > 0) && maySettle) settle(care, kept);
  } catch (cause) {
    // Where nothing can be written now, it stays where it is, and is told of.
    if (errorCode(cause) === undefined || !byItself) throw cause;
  }
  return {
    lines: [...written].reduce((sum, { lines }) => sum + lines.length, 0),
    left: tailsOf(kept).filter((_, index) => !written.has(chains[index]!)),
  };
}

/** What is kept of a session and is not in it, to be missed by whoever reads it. */
export function keptTails(care: Pick<SegmentMaker, 'root' | 'id' | 'at'>): readonly KnownTail[] {
  const kept = lookAtKept(care);
  return kept === undefined ? [] : tailsOf(kept);
}

type Looked = KeptLines & { readonly branch: string };

function lookAtKept({ root, id, at }: Pick<SegmentMaker, 'root' | 'id' | 'at'>): Looked | undefined {
  const spares = astraySpares(root, id, at);
  return spares.length === 0
    ? undefined
    : { ...keptLines(at, id, spares, wasRefused(root, id)), branch: branchMarkOf(root) };
}

const tailsOf = ({ chains, branch, isHere }: Looked): readonly KnownTail[] =>
  chains.map(({ lines, spare }) => ({
    writer: spare.writer,
    sum: lines.at(-1)!.event.sum,
    head: undefined,
    kept: { lines: lines.length, here: isHere && spare.branch === branch, branch: spare.branch === branch },
  }));

/** A pin is on disk before a line that names it; and each new file has its second name before anything else leads to its lines no more. */
function putBack(care: SegmentMaker, chains: readonly KeptChain[]): Set<KeptChain> {
  const { root, id, at, newWriter } = care;
  prepareDataRoot(root);
  for (const folder of [at.pins, at.segments]) makeFolderDurably(folder);
  const written = new Set<KeptChain>();
  for (const chain of chains) {
    const { lines, spare } = chain;
    for (const { event } of lines) if (event.kind === 'run_started') putPinBack(care, event.data.workflowHash);
    const by: WriterId = newWriter();
    const name = writeSegment(care, lines[0]!.event.seq, by, Buffer.concat(lines.map(({ bytes }) => bytes)));
    const made = listSegments(at).segments.find((segment) => segment.name === name);
    // Gone again: git is still at it, and there will be another look.
    if (made === undefined) continue;
    spareSegment(root, id, at, made, spare.branch);
    written.add(chain);
  }
  return written;
}

/** Returns whether it is there now. */
export function putPinBack({ root, id, at }: FileRef & { readonly at: SessionFolder }, hash: WorkflowHash): boolean {
  const text = pinIsThere(at, hash) ? undefined : sparedPin(root, id, hash);
  return text !== undefined && writePin(at.pins, localFolder(root, 'tmp') ?? at.pins, hash, text) === undefined;
}

/** Second names of which nothing is missed any more. What git brings back is not made durable by it. */
function settle(care: SegmentMaker, { appends, withdrawn }: KeptLines): void {
  const covered = coverStanding(care, [...appends.keys()]);
  const isSafe = ({ event: { sum } }: SoundLine): boolean => covered.has(sum) || withdrawn.has(sum);
  dropSpares(
    care.root,
    care.id,
    [...appends].filter(([, kept]) => kept.flat().every(isSafe)).map(([spare]) => spare),
  );
}

/**
 * Sees to it that all that stands in the session has a second name, and returns the lines that have one besides those
 * astray. Git may be taking their files away at this moment, so it is not enough that lines were seen in their place.
 */
function coverStanding({ root, id, at }: SegmentMaker, astray: readonly Spare[]): Set<EventSum> {
  const { segments } = listSegments(at);
  for (const segment of segments) {
    const { branch } = astray.find(({ name }) => name === segment.name) ?? astray[0]!;
    spareSegment(root, id, at, segment, branch);
    syncFile(join(at.segments, segment.name));
  }
  if (segments.length > 0) syncFolder(at.segments);
  const covered = new Set<EventSum>();
  for (const spare of sparesOf(root, id))
    if (!astray.some(({ path }) => path === spare.path))
      for (const { event } of siftSegment(bytesOf(spare)).sound) covered.add(event.sum);
  return covered;
}

/**
 * Takes out of what is kept what may not be said any more, and with it all that has another second name or was withdrawn
 * from the session. Returns which files alone held such, relative to the data root.
 */
export function scrubKept(care: SegmentMaker, maySay: (line: SoundLine) => boolean): readonly string[] {
  const { root, id, at, newWriter } = care;
  const scrubbed: string[] = [];
  const spares = astraySpares(root, id, at);
  if (spares.length === 0) return scrubbed;
  const { appends, withdrawn } = keptLines(at, id, spares, wasRefused(root, id));
  const elsewhere = new Set<string>([...withdrawn, ...coverStanding(care, spares)]);
  for (const [spare, kept] of appends) {
    const isOnlyHere = (append: Append): boolean => append.some(({ event }) => !elsewhere.has(event.sum));
    const onlyHere = kept.filter(isOnlyHere);
    const pieces = runsOf(kept, (append) => isOnlyHere(append) && append.every(maySay)).map((lines) => ({
      bytes: Buffer.concat(lines.map(({ bytes }) => bytes)),
      // Lines without the one that begins their writer's segment may stand in a segment of another.
      name: segmentName(lines[0]!.event.seq, newWriter()),
    }));
    for (const { event } of onlyHere.flat()) elsewhere.add(event.sum);
    if (pieces.reduce((sum, { bytes }) => sum + bytes.length, 0) === bytesOf(spare).length) continue;
    for (const { name, bytes } of pieces) {
      const path = join(dirname(spare.path), `${name}.${spare.branch}.${spare.made}`);
      replaceFile(path, dirname(path), bytes);
    }
    dropSpares(root, id, [spare]);
    if (!onlyHere.flat().every(maySay)) scrubbed.push(`${spareFolder(id)}/${basename(spare.path)}`);
  }
  return scrubbed;
}

/** The lines of those appends that follow each other and all are wanted. */
function runsOf(appends: readonly Append[], isWanted: (append: Append) => boolean): readonly Append[] {
  const runs: SoundLine[][] = [[]];
  for (const append of appends) {
    if (isWanted(append)) runs.at(-1)!.push(...append);
    else runs.push([]);
  }
  return runs.filter((run) => run.length > 0);
}
