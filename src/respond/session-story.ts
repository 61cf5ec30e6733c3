import type { GapId, NodeId } from '../base/ids.js';
import type { DataPlace, DocumentStory, EdgeStory, FindingTold, GapStory, NodeStory, NoteStory, OutputStory, RunStory, SessionStory, CheckpointStory } from '../contract/session-story.js';
import type { CompiledWorkflow } from '../definitions/compiled-workflow.js';
import { canonicalJson } from '../base/canonical-json.js';
import { compareEvents, type Event } from '../events/event.js';
import type { Gap, Output } from '../events/event-data.js';
import { type Document, foldDocuments } from '../sessions/documents.js';
import type { FoldedSession, Run, RunNode } from '../sessions/folded-session.js';
import { gapsAt, type PathGap } from '../sessions/gaps.js';
import { statusAt } from '../sessions/run-status.js';
import { outputsOf } from './outputs-of.js';

export interface StoryFrom {
  readonly sessionId: string;
  readonly place: DataPlace;
  readonly session: FoldedSession;
  readonly eventCount: number;
  readonly findings: readonly FindingTold[];
  /** By hash; a run whose pin is not here has no documents. */
  readonly workflows: ReadonlyMap<string, CompiledWorkflow>;
}

/** Everything a session's events say, for people to read. */
export function sessionStory({ sessionId, place, session, eventCount, findings, workflows }: StoryFrom): SessionStory {
  const { key, title, tags, keep, startedAt, lastAt } = session;
  const runs = [...session.runs.values()].toSorted((a, b) => compareEvents(a.started, b.started));
  return {
    sessionId,
    ...(key !== undefined && { key }),
    ...(title !== undefined && { title }),
    tags,
    keep,
    place,
    startedAt,
    lastAt,
    eventCount,
    observations: session.observations.map(({ branch, commit, repository, remote }) => ({
      ...(branch !== undefined && { branch }),
      ...(commit !== undefined && { commit }),
      ...(repository !== undefined && { repository }),
      ...(remote !== undefined && { remote }),
    })),
    notes: session.notes.map(tellNote),
    checkpoints: session.checkpoints.map((event) => tellCheckpoint(event, '', new Set())),
    runs: runs.map((run) => tellRun(session, run, workflows.get(run.workflowHash))),
    findings,
  };
}

function tellRun(session: FoldedSession, run: Run, workflow: CompiledWorkflow | undefined): RunStory {
  const nodes = [...session.nodes.values()].filter((node) => node.run === run.id);
  const tip = session.nodes.get(run.preferredTip);
  const preferred = pathTo(session, tip);
  const resolved = resolvedIn(nodes);
  const { workflowId, title, version, inputs } = run.started.data;
  const tips = [...run.tips].toSorted((a, b) => (a === run.preferredTip ? -1 : b === run.preferredTip ? 1 : newestFirst(session, a, b)));
  return {
    runId: run.id,
    workflow: { id: workflowId, title, version, hash: run.workflowHash },
    startedAt: run.started.at,
    lastAt: run.lastAt,
    status: tip === undefined ? 'in_progress' : statusAt(session, tip),
    inputs,
    context: tip?.context ?? {},
    preferences: tip?.preferences ?? run.started.data.preferences,
    root: run.root,
    preferredTip: run.preferredTip,
    tips,
    nodes: nodes.map((node) => tellNode(session, run, node, { preferred, resolved })),
    documents: tip === undefined || workflow === undefined ? [] : foldDocuments(session, tip, outputsOf(workflow.steps)).map(tellDocument),
    gaps: tip === undefined ? [] : gapsAt(session, tip).map(tellPathGap),
  };
}

function newestFirst(session: FoldedSession, a: NodeId, b: NodeId): number {
  const [one, other] = [session.nodes.get(a), session.nodes.get(b)];
  return one === undefined || other === undefined ? 0 : compareEvents(other.touched, one.touched);
}

function pathTo(session: FoldedSession, tip: RunNode | undefined): ReadonlySet<NodeId> {
  const path = new Set<NodeId>();
  for (let node = tip; node !== undefined; node = node.parent === undefined ? undefined : session.nodes.get(node.parent)) path.add(node.id);
  return path;
}

function resolvedIn(nodes: readonly RunNode[]): ReadonlySet<GapId> {
  const found = new Set<GapId>();
  for (const { madeBy, checkpoints } of nodes) {
    for (const gap of [...(madeBy.data.gaps ?? []), ...checkpoints.flatMap(({ data }) => data.gaps ?? [])]) if (gap.resolves !== undefined) found.add(gap.resolves);
  }
  return found;
}

interface RunWide {
  readonly preferred: ReadonlySet<NodeId>;
  readonly resolved: ReadonlySet<GapId>;
}

function tellNode(session: FoldedSession, run: Run, node: RunNode, { preferred, resolved }: RunWide): NodeStory {
  const { pending } = node;
  const parent = node.parent === undefined ? undefined : session.nodes.get(node.parent);
  return {
    nodeId: node.id,
    ...(node.parent !== undefined && { parent: node.parent }),
    depth: node.depth,
    ...(pending !== undefined && { pending: { stepId: pending.id, path: pending.path, title: pending.title } }),
    status: statusAt(session, node),
    isTip: node.children.length === 0,
    isPreferredTip: node.id === run.preferredTip,
    onPreferredPath: preferred.has(node.id),
    whole: node.whole,
    children: node.children,
    cameBy: tellEdge(node, resolved),
    checkpoints: node.checkpoints.map((event) => tellCheckpoint(event, pending?.path ?? '', resolved)),
    notes: node.notes.map(tellNote),
    blocks: node.blocks.map(({ sum, at, data }) => ({ event: sum, at, blockers: data.blockers.map(({ code, message, fix }) => ({ code, message, fix })) })),
    preferences: node.preferences,
    preferencesChanged: parent !== undefined && canonicalJson(parent.preferences) !== canonicalJson(node.preferences),
  };
}

function tellEdge({ madeBy }: RunNode, resolved: ReadonlySet<GapId>): EdgeStory {
  const { data } = madeBy;
  const acked = madeBy.kind === 'step_acked' ? madeBy.data : undefined;
  const path = acked?.step.path ?? '';
  return {
    event: madeBy.sum,
    at: madeBy.at,
    kind: acked === undefined ? 'started' : 'acked',
    ...(acked !== undefined && { step: { path: acked.step.path, title: acked.step.title } }),
    output: tellOutput(acked?.output),
    context: data.context ?? {},
    confirmed: acked?.confirmed === true,
    gaps: tellGaps(data.gaps, path, resolved),
    warnings: (data.warnings ?? []).map(({ code, message, path: at }) => ({ code, message, ...(at !== undefined && { path: at }) })),
    skipped: (data.skipped ?? []).map(({ path: at, title, reason }) => ({ path: at, title, reason })),
  };
}

const tellOutput = (output: Output | undefined): OutputStory => ({ ...(output?.notes !== undefined && { notes: output.notes }), artifacts: output?.artifacts ?? [] });

const tellNote = ({ sum, at, data }: Event<'note_added'>): NoteStory => ({ event: sum, at, text: data.text });

function tellCheckpoint({ sum, at, data }: Event<'checkpoint'>, path: string, resolved: ReadonlySet<GapId>): CheckpointStory {
  return { event: sum, at, output: tellOutput(data.output), gaps: tellGaps(data.gaps, path, resolved), late: data.late !== undefined };
}

const tellGaps = (gaps: readonly Gap[] | undefined, path: string, resolved: ReadonlySet<GapId>): readonly GapStory[] => (gaps ?? []).map((gap) => tellPathGap({ ...gap, path, resolved: resolved.has(gap.id) }));

function tellPathGap({ id, category, reason, detail, severity, assumption, resolves, path, resolved }: PathGap): GapStory {
  return { id, category, reason, detail, severity, ...(assumption !== undefined && { assumption }), ...(resolves !== undefined && { resolves }), resolved, path };
}

function tellDocument(document: Document): DocumentStory {
  const { name, fold, leftOut } = document;
  const about = { name, fold, from: document.from.map(({ path }) => path), leftOut };
  switch (document.fold) {
    case 'header':
      return { ...about, header: document.header };
    case 'table':
      return { ...about, rows: document.rows };
    case 'log':
    case 'list':
      return { ...about, entries: document.entries };
  }
}
