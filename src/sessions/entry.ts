import type { EventSum, NodeId } from '../base/ids.js';
import type { Gap, Output } from '../events/event-data.js';
import { compareEvents, type Event, type EventPosition } from '../events/event.js';
import type { FoldedSession, RunNode } from './folded-session.js';
import type { KnownGaps } from './gap-words.js';
import { gapsAt, type PathGap } from './gaps.js';
import { landmarksUpFrom } from './landmarks.js';
import { commandWords } from './command-words.js';
import { saysOnlyUsage, withoutUsage } from './usage.js';

/** One thing that was remembered: the output of a step, a checkpoint, what waits for the user, or a note of a person. */
export interface Entry {
  readonly sum: EventSum;
  readonly kind: 'step' | 'checkpoint' | 'late' | 'draft' | 'note';
  /** Where it was said: the path and title of the step that was done, or that was pending at the checkpoint. */
  readonly path: string;
  readonly title: string;
  readonly output: Output;
  readonly gaps: readonly Gap[];
  /** The user agreed to it. */
  readonly confirmed?: true;
  /** WorkRail did it: its notes are told from what came back. */
  readonly isCommand?: true;
}

/** What was remembered between the root and a node, the node's own checkpoints included, newest first, and only as far as it is asked for. */
export function* entriesUpFrom(session: FoldedSession, from: RunNode, stopAt?: NodeId): Generator<Entry> {
  let node: RunNode | undefined = from;
  while (node !== undefined) {
    if (node.id === stopAt) return;
    yield* entriesOf(session, node);
    node = node.parent === undefined ? undefined : session.nodes.get(node.parent);
  }
}

/** What was remembered on a way, newest first and only as far as it is asked for, and how much that is without a walk. */
export interface Remembered {
  readonly newestFirst: Iterable<Entry>;
  readonly count: () => number;
  /** The first notes of the run, which stay when older ones are left out. */
  readonly first?: () => Entry | undefined;
  /** How its gaps ended, and what those are that they end. */
  readonly gaps: () => KnownGaps;
  /** What the same answer tells whole in another place. */
  readonly isToldBeside?: (entry: Entry) => boolean;
}

/** What was noted while a step was under way counts until the step is done: then its own notes say it. */
export function rememberedUpFrom(session: FoldedSession, from: RunNode, stopAt?: NodeId): Remembered {
  const stop = stopAt === undefined ? undefined : session.nodes.get(stopAt);
  return {
    newestFirst: stepsUpFrom(session, from, stopAt),
    count: () => (stop === from ? 0 : from.depth - (stop?.depth ?? 0) + checkpointsOf(from).length),
    first: () => (stop === undefined ? firstNote(session, from) : undefined),
    gaps: () => byId(gapsAt(session, from)),
  };
}

/** The same for a look, which tells at the head of the step itself how far it had come. */
export function rememberedBefore(session: FoldedSession, node: RunNode): Remembered {
  const { newestFirst, count, first, gaps } = rememberedUpFrom(session, node);
  const told = begunAt(node) === undefined ? 0 : 1;
  return {
    newestFirst: told === 0 ? newestFirst : withoutFirst(newestFirst),
    count: () => count() - told,
    gaps,
    ...(first !== undefined && { first }),
  };
}

/** The newest checkpoint of a step that waits. */
export function begunAt(node: RunNode): Entry | undefined {
  const event = node.pending === undefined ? undefined : checkpointsOf(node).at(-1);
  return event && checkpointEntry(event, node);
}

function* withoutFirst(entries: Iterable<Entry>): Generator<Entry> {
  let isFirst = true;
  for (const entry of entries) {
    if (!isFirst) yield entry;
    isFirst = false;
  }
}

function* stepsUpFrom(session: FoldedSession, from: RunNode, stopAt: NodeId | undefined): Generator<Entry> {
  let node: RunNode | undefined = from;
  while (node !== undefined && node.id !== stopAt) {
    if (node === from) yield* entriesOf(session, node);
    else {
      const step = stepEntry(session, node);
      if (step !== undefined) yield step;
    }
    node = node.parent === undefined ? undefined : session.nodes.get(node.parent);
  }
}

const stepsLookedAt = 4;

/** How the work is done is said in the first notes of a run. */
function firstNote(session: FoldedSession, from: RunNode): Entry | undefined {
  let node = session.nodes.get(session.runs.get(from.run)?.root ?? from.id);
  for (let depth = 1; depth <= Math.min(stepsLookedAt, from.depth) && node !== undefined; depth += 1) {
    const [child, ...others]: readonly NodeId[] = node.children;
    node = others.length > 0 ? ancestorAt(session, from, depth) : child && session.nodes.get(child);
    const entry = node && stepEntry(session, node);
    if (entry?.output.notes !== undefined && entry.isCommand !== true) return entry;
  }
  return undefined;
}

function ancestorAt(session: FoldedSession, from: RunNode, depth: number): RunNode | undefined {
  let node: RunNode | undefined = from;
  while (node !== undefined && node.depth > depth)
    node = node.parent === undefined ? undefined : session.nodes.get(node.parent);
  return node;
}

export const rememberedIn = (newestFirst: readonly Entry[], gaps?: Remembered['gaps']): Remembered => ({
  newestFirst,
  count: () => newestFirst.length,
  gaps:
    gaps ??
    ((): KnownGaps =>
      byId(newestFirst.flatMap(({ gaps: own, path }) => own.map((gap) => ({ ...gap, path, resolved: false }))))),
});

export const byId = (gaps: readonly PathGap[]): KnownGaps => new Map(gaps.map((gap) => [gap.id, gap]));

/** The same way, without what has nothing but notes, or came late; until an event, where that is named. */
export function* landmarkEntriesUpFrom(session: FoldedSession, from: RunNode, until?: EventPosition): Generator<Entry> {
  for (const node of landmarksUpFrom(session, from)) yield* entriesOf(session, node, until);
}

function* entriesOf(session: FoldedSession, node: RunNode, until?: EventPosition): Generator<Entry> {
  for (const event of checkpointsOf(node).toReversed())
    if (until === undefined || compareEvents(event, until) < 0) yield checkpointEntry(event, node);
  const step = stepEntry(session, node);
  if (step !== undefined) yield step;
}

/** Other work that came with a repeated ack stands beside the step. This branch did not do it. */
const checkpointsOf = ({ checkpoints }: RunNode): readonly Event<'checkpoint'>[] =>
  checkpoints.filter((event) => event.data.late === undefined && !saysOnlyUsage(event));

/** Finds one entry again by the event that recorded it. */
export function entryBySum(session: FoldedSession, sum: EventSum): Entry | undefined {
  const id = session.entries.get(sum);
  const node = id === undefined ? undefined : session.nodes.get(id);
  if (node === undefined) {
    const event = session.checkpoints.find((checkpoint) => checkpoint.sum === sum);
    return event === undefined ? undefined : checkpointEntry(event, undefined);
  }
  if (node.madeBy.sum === sum) return stepEntry(session, node);
  const event = node.checkpoints.find((checkpoint) => checkpoint.sum === sum);
  return event === undefined ? undefined : checkpointEntry(event, node);
}

/** What was left beside the steps, newest first: on the session itself, and by people on the way to a node. */
export function notedBeside(session: FoldedSession, at: RunNode | undefined): readonly Noted[] {
  const noted: Noted[] = [
    ...besideRuns(session).map((event) => ({ event, entry: checkpointEntry(event, undefined) })),
    ...session.notes.map((event) => ({ event, entry: noteEntry(event, undefined) })),
  ];
  for (const node of at === undefined ? [] : landmarksUpFrom(session, at))
    for (const event of node.notes) noted.push({ event, entry: noteEntry(event, node) });
  return noted.toSorted((a, b) => compareEvents(b.event, a.event));
}

export interface Noted {
  readonly event: EventPosition;
  readonly entry: Entry;
}

export function sessionEntries(session: FoldedSession): readonly Entry[] {
  return besideRuns(session).map((event) => checkpointEntry(event, undefined));
}

const besideRuns = ({ checkpoints }: FoldedSession): readonly Event<'checkpoint'>[] =>
  checkpoints.filter((event) => !saysOnlyUsage(event));

function stepEntry(session: FoldedSession, node: RunNode): Entry | undefined {
  const { madeBy, did } = node;
  if (madeBy.kind !== 'step_acked' || did === undefined) return undefined;
  const { data } = madeBy;
  return {
    sum: madeBy.sum,
    kind: 'step',
    path: did.path,
    title: did.title,
    output:
      data.command === undefined
        ? withoutUsage(data.output ?? {})
        : { notes: commandWords(session, node, data.command) },
    gaps: data.gaps ?? [],
    ...(data.confirmed === true && { confirmed: true }),
    ...(data.command !== undefined && { isCommand: true }),
  };
}

function checkpointEntry(event: Event<'checkpoint'>, node: RunNode | undefined): Entry {
  const late = event.data.late !== undefined;
  // What came late was said of the step that led here, not of the one that waits here.
  const step = late && node?.did !== undefined ? node.did : node?.pending;
  return {
    sum: event.sum,
    kind: late ? 'late' : 'checkpoint',
    path: step?.path ?? '',
    title: step?.title ?? (node === undefined ? 'the session' : 'the finished run'),
    output: withoutUsage(event.data.output),
    gaps: event.data.gaps ?? [],
  };
}

const noteEntry = ({ sum, data }: Event<'note_added'>, node: RunNode | undefined): Entry => ({
  sum,
  kind: 'note',
  path: node?.pending?.path ?? '',
  title: node === undefined ? 'the session' : (node.pending?.title ?? 'the finished run'),
  output: { notes: data.text },
  gaps: [],
});
