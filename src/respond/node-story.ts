import type { GapId, NodeId } from '../base/ids.js';
import { canonicalJson } from '../base/canonical-json.js';
import { modeWords } from '../base/mode-words.js';
import { modeOf } from '../base/preferences.js';
import { readUsage, tellUsage, type UsageSum, type UsageTold } from '../base/usage.js';
import type {
  CheckpointStory,
  EdgeStory,
  GapStory,
  NodeStory,
  NoteStory,
  OutputStory,
  RunHead,
} from '../contract/session-story.js';
import type { Event } from '../events/event.js';
import type { Gap, Output, Position } from '../events/event-data.js';
import type { FoldedSession, Run, RunNode } from '../sessions/folded-session.js';
import { type PathGap, type Settled, settledBy } from '../sessions/gaps.js';
import { answersPassedOver } from '../sessions/person-answers.js';
import { openBranches, statusAt } from '../sessions/run-status.js';
import { givenTo } from './session-name.js';
import { preferenceChangesAt } from '../sessions/preference-changes.js';
import { waitedAt, waitedIn } from '../sessions/person-waits.js';
import { slowestSteps, type StepTook } from '../sessions/time-worked.js';
import type { LongestStep } from '../contract/usage-told.js';
import { usedAt, usedBy } from '../sessions/usage.js';
import { tellGap } from './answer-to-step.js';
import { commandStory, type CommandTelling, stopStory } from './command-story.js';
import { tellPersonAnswer } from './person-answer-words.js';
import { tellPreferenceChange } from './preference-change-words.js';
import { changedSinceDraft } from './tell-draft.js';

/** From the root to a node, both included. */
export function wayTo(session: FoldedSession, node: RunNode | undefined): readonly RunNode[] {
  const way: RunNode[] = [];
  for (let at = node; at !== undefined; at = at.parent === undefined ? undefined : session.nodes.get(at.parent))
    way.push(at);
  return way.toReversed();
}

/** The gaps that a later one settles, on whichever branch. */
export const resolvedIn = (nodes: readonly RunNode[]): Settlements =>
  new Map(
    nodes.flatMap(({ madeBy, did, pending, checkpoints }) => [
      ...settledIn(madeBy, did?.path),
      ...checkpoints.flatMap((event) => settledIn(event, pending?.path)),
    ]),
  );

export const settledIn = (
  { data, who }: RunNode['madeBy'] | Event<'checkpoint'>,
  path = '',
): readonly (readonly [GapId, Settled])[] =>
  (data.gaps ?? []).flatMap((gap) =>
    gap.resolves === undefined ? [] : [[gap.resolves, settledBy(gap, path, who)] as const],
  );

/** How gaps ended, by their ids. */
export type Settlements = ReadonlyMap<GapId, Settled>;

export interface RunWide {
  readonly nodes: readonly RunNode[];
  readonly tip: RunNode | undefined;
  readonly preferred: ReadonlySet<NodeId>;
  readonly resolved: Settlements;
}

/** What the story of each node is told with. */
export function runWide(session: FoldedSession, run: Run): RunWide {
  const nodes = [...session.nodes.values()].filter((node) => node.run === run.id);
  const tip = session.nodes.get(run.preferredTip);
  return { nodes, tip, preferred: new Set(wayTo(session, tip).map(({ id }) => id)), resolved: resolvedIn(nodes) };
}

/** A run as every story of it begins. */
export function runBegun(
  session: FoldedSession,
  run: Run,
): Pick<
  RunHead,
  | 'waited'
  | 'usage'
  | 'runId'
  | 'workflow'
  | 'preferences'
  | 'about'
  | 'startedAt'
  | 'lastAt'
  | 'status'
  | 'openBranches'
> {
  const { at, data } = run.started;
  const [tip, about] = [session.nodes.get(run.preferredTip), givenTo(run)];
  const waited = waitedIn(session, run);
  return {
    runId: run.id,
    workflow: { id: data.workflowId, title: data.title, version: data.version, hash: run.workflowHash },
    ...(about !== undefined && { about }),
    startedAt: at,
    lastAt: run.lastAt,
    ...(waited > 0 && { waited }),
    ...told(run.usage),
    status: tip === undefined ? 'in_progress' : statusAt(session, tip),
    openBranches: openBranches(session, run),
    preferences: tip?.preferences ?? data.preferences,
  };
}

/** Which of its steps took longest. */
export function longestIn(session: FoldedSession, run: Run): Pick<RunHead, 'longest'> {
  const [longest] = slowestSteps(session, [run]);
  return longest === undefined ? {} : { longest: longestTold(longest) };
}

export const longestTold = ({ nodeId, step, took, waited, isBeside }: StepTook): LongestStep => ({
  nodeId,
  path: step.path,
  title: step.title,
  took,
  waited,
  ...(isBeside && { otherBranch: true as const }),
});

/** What was used, where somebody told. */
export const told = (usage: UsageSum | undefined): { readonly usage?: UsageTold } =>
  usage === undefined ? {} : { usage: tellUsage(usage) };

/** One node as its events tell it. */
export function nodeStory(session: FoldedSession, run: Run, node: RunNode, wide: RunWide & CommandTelling): NodeStory {
  const { preferred, resolved } = wide;
  const mode = modeOf(node.preferences);
  const { pending } = node;
  const waited = node.blocks.length === 0 ? 0 : waitedAt(node);
  const [command, stopped] = [commandStory(session, node, wide), stopStory(session, node)];
  const parent = node.parent === undefined ? undefined : session.nodes.get(node.parent);
  return {
    nodeId: node.id,
    ...(node.parent !== undefined && { parent: node.parent }),
    depth: node.depth,
    ...(pending !== undefined && { pending: stepNamed(pending) }),
    status: statusAt(session, node),
    isTip: node.children.length === 0,
    isPreferredTip: node.id === run.preferredTip,
    onPreferredPath: preferred.has(node.id),
    whole: node.whole,
    // Another step may be done while the story is still being written.
    children: [...node.children],
    cameBy: edgeStory(node, parent, resolved),
    checkpoints: node.checkpoints.map((event) => checkpointStory(event, pending?.path ?? '', resolved)),
    notes: node.notes.map(noteStory),
    ...(command !== undefined && { command }),
    ...(stopped !== undefined && { stopped }),
    blocks: node.blocks.map((block) => blockStory(node, block)),
    ...(waited > 0 && { waited }),
    ...told(usedAt(session, node)),
    preferences: node.preferences,
    ...(mode !== undefined && { mode: modeWords[mode] }),
    preferencesChanged: parent !== undefined && canonicalJson(parent.preferences) !== canonicalJson(node.preferences),
    preferenceChanges: preferenceChangesAt(session, node).map(tellPreferenceChange),
  };
}

/** A step by its names, and whether WorkRail does it itself. */
export const stepNamed = ({ id, path, title, does }: Position): NonNullable<NodeStory['pending']> => ({
  stepId: id,
  path,
  title,
  ...(does !== undefined && { does }),
});

function blockStory(node: RunNode, block: Event<'step_blocked'>): NodeStory['blocks'][number] {
  const { sum, at, data } = block;
  const passedOver = answersPassedOver(node, block);
  return {
    event: sum,
    at,
    output: outputStory(data.output),
    context: data.context ?? {},
    gaps: gapStories(data.gaps, data.step.path, new Map()),
    blockers: data.blockers.map(({ code, message, fix }) => ({ code, message, fix })),
    ...(data.command !== undefined && { command: true as const }),
    ...(data.refused !== undefined && { refused: data.refused }),
    answers: (node.answers ?? [])
      .filter((answer) => answer.data.block === sum)
      .map((answer) => tellPersonAnswer(answer, passedOver.includes(answer))),
  };
}

export function edgeStory({ madeBy, did }: RunNode, parent: RunNode | undefined, resolved: Settlements): EdgeStory {
  const { data } = madeBy;
  const acked = madeBy.kind === 'step_acked' ? madeBy.data : undefined;
  const path = did?.path ?? '';
  const changed = madeBy.kind === 'step_acked' && parent ? changedSinceDraft(parent, madeBy) : [];
  return {
    event: madeBy.sum,
    at: madeBy.at,
    kind: acked === undefined ? 'started' : 'acked',
    ...(did !== undefined && { step: { path: did.path, title: did.title } }),
    output: outputStory(acked?.output),
    ...told(usedBy(madeBy)),
    context: data.context ?? {},
    ...(acked?.added !== undefined && { added: acked.added }),
    confirmed: acked?.confirmed === true,
    ...(acked?.command !== undefined && { command: acked.command.source }),
    ...(changed.length > 0 && { changedSinceDraft: changed }),
    gaps: gapStories(data.gaps, path, resolved),
    warnings: (data.warnings ?? []).map(({ code, message, path: at }) => ({
      code,
      message,
      ...(at !== undefined && { path: at }),
    })),
    skipped: (data.skipped ?? []).map(({ path: at, title, reason }) => ({ path: at, title, reason })),
  };
}

const outputStory = (output: Output | undefined): OutputStory => ({
  ...(output?.notes !== undefined && { notes: output.notes }),
  // One that counts for nothing is shown, so that somebody sees why.
  artifacts: (output?.artifacts ?? []).filter((artifact) => readUsage(artifact) === undefined),
});

export const noteStory = ({ sum, at, data }: Event<'note_added'>): NoteStory => ({ event: sum, at, text: data.text });

export function checkpointStory(checkpoint: Event<'checkpoint'>, path: string, resolved: Settlements): CheckpointStory {
  const { sum, at, data } = checkpoint;
  return {
    event: sum,
    at,
    output: outputStory(data.output),
    ...told(usedBy(checkpoint)),
    gaps: gapStories(data.gaps, path, resolved),
    late: data.late !== undefined,
  };
}

const gapStories = (gaps: readonly Gap[] | undefined, path: string, resolved: Settlements): readonly GapStory[] =>
  (gaps ?? []).map((gap) => {
    const settled = resolved.get(gap.id);
    return gapStory({ ...gap, path, resolved: settled !== undefined, ...(settled && { settled }) });
  });

/** A gap as answers tell it, but with all of its words, and how it ended. */
export function gapStory({ path, resolved, settled, ...gap }: PathGap): GapStory {
  const { detail, assumption } = gap;
  return {
    ...tellGap(gap),
    detail,
    ...(assumption !== undefined && { assumption }),
    resolved,
    ...(settled && { settled: { ...settled, who: settled.who === undefined ? 'agent' : 'user' } }),
    path,
  };
}
