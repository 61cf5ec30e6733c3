import type { GapId, NodeId } from '../base/ids.js';
import { canonicalJson } from '../base/canonical-json.js';
import type {
  CheckpointStory,
  EdgeStory,
  GapStory,
  NodeStory,
  NoteStory,
  OutputStory,
} from '../contract/session-story.js';
import type { Event } from '../events/event.js';
import type { Gap, Output } from '../events/event-data.js';
import type { FoldedSession, Run, RunNode } from '../sessions/folded-session.js';
import type { PathGap } from '../sessions/gaps.js';
import { statusAt } from '../sessions/run-status.js';

/** From the root to a node, both included. */
export function pathTo(session: FoldedSession, tip: RunNode | undefined): ReadonlySet<NodeId> {
  const path = new Set<NodeId>();
  for (
    let node = tip;
    node !== undefined;
    node = node.parent === undefined ? undefined : session.nodes.get(node.parent)
  )
    path.add(node.id);
  return path;
}

/** The gaps that a later one settles, on whichever branch. */
export function resolvedIn(nodes: readonly RunNode[]): ReadonlySet<GapId> {
  const found = new Set<GapId>();
  for (const { madeBy, checkpoints } of nodes) {
    for (const gap of [...(madeBy.data.gaps ?? []), ...checkpoints.flatMap(({ data }) => data.gaps ?? [])])
      if (gap.resolves !== undefined) found.add(gap.resolves);
  }
  return found;
}

export interface RunWide {
  readonly preferred: ReadonlySet<NodeId>;
  readonly resolved: ReadonlySet<GapId>;
}

/** One node as its events tell it. */
export function nodeStory(
  session: FoldedSession,
  run: Run,
  node: RunNode,
  { preferred, resolved }: RunWide,
): NodeStory {
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
    // Another step may be done while the story is still being written.
    children: [...node.children],
    cameBy: edgeStory(node, resolved),
    checkpoints: node.checkpoints.map((event) => checkpointStory(event, pending?.path ?? '', resolved)),
    notes: node.notes.map(noteStory),
    blocks: node.blocks.map(({ sum, at, data }) => ({
      event: sum,
      at,
      blockers: data.blockers.map(({ code, message, fix }) => ({ code, message, fix })),
    })),
    preferences: node.preferences,
    preferencesChanged: parent !== undefined && canonicalJson(parent.preferences) !== canonicalJson(node.preferences),
  };
}

export function edgeStory({ madeBy, did }: RunNode, resolved: ReadonlySet<GapId>): EdgeStory {
  const { data } = madeBy;
  const acked = madeBy.kind === 'step_acked' ? madeBy.data : undefined;
  const path = did?.path ?? '';
  return {
    event: madeBy.sum,
    at: madeBy.at,
    kind: acked === undefined ? 'started' : 'acked',
    ...(did !== undefined && { step: { path: did.path, title: did.title } }),
    output: outputStory(acked?.output),
    context: data.context ?? {},
    confirmed: acked?.confirmed === true,
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
  artifacts: output?.artifacts ?? [],
});

export const noteStory = ({ sum, at, data }: Event<'note_added'>): NoteStory => ({ event: sum, at, text: data.text });

export function checkpointStory(
  { sum, at, data }: Event<'checkpoint'>,
  path: string,
  resolved: ReadonlySet<GapId>,
): CheckpointStory {
  return {
    event: sum,
    at,
    output: outputStory(data.output),
    gaps: gapStories(data.gaps, path, resolved),
    late: data.late !== undefined,
  };
}

const gapStories = (
  gaps: readonly Gap[] | undefined,
  path: string,
  resolved: ReadonlySet<GapId>,
): readonly GapStory[] => (gaps ?? []).map((gap) => gapStory({ ...gap, path, resolved: resolved.has(gap.id) }));

export function gapStory({
  id,
  category,
  reason,
  detail,
  severity,
  assumption,
  resolves,
  path,
  resolved,
}: PathGap): GapStory {
  return {
    id,
    category,
    reason,
    detail,
    severity,
    ...(assumption !== undefined && { assumption }),
    ...(resolves !== undefined && { resolves }),
    resolved,
    path,
  };
}
