import type { GraphNode, RunGraph, Timeline } from '../../contract/http-api.js';

/** A run as it stood at a moment. */
export interface GraphThen {
  /** The same nodes in the same places, each as it was; those that came later are left out by whoever draws it, by `until`. */
  readonly graph: RunGraph;
  readonly until: number;
  readonly tips: number;
  /** Where work was last; absent before the run began. */
  readonly at: string | undefined;
}

type Mark = Timeline['marks'][number];

interface Counts {
  blocks: number;
  checkpoints: number;
  notes: number;
  /** The newest of what was blocked here waits. */
  waits: boolean;
}

/**
 * Tells the graph again from the marks up to one of them. Nothing of what came later is in it,
 * save how it is laid out: places stay, so that the eye can follow.
 */
export function graphThen(
  // What is still to come now was not known then.
  { ahead: _ahead, aheadBeside: _beside, ...graph }: RunGraph,
  { marks, lanes }: Pick<Timeline, 'marks' | 'lanes'>,
  upTo: number,
): GraphThen {
  const lane = lanes.findIndex(({ runId }) => runId === graph.run.runId);
  const indexOf = new Map(graph.nodes.map(({ id }, index) => [id, index]));
  const counts = new Map<string, Counts>();
  const made = new Set<number>();
  const parents = new Set<number>();
  let at: string | undefined;
  for (const mark of marks.slice(0, upTo + 1)) {
    const { kind, lane: own, nodeId } = mark;
    const index = nodeId === undefined || own !== lane ? undefined : indexOf.get(nodeId);
    if (nodeId === undefined || index === undefined) continue;
    if (kind === 'run_started' || kind === 'step_acked') {
      made.add(index);
      const up = graph.nodes[index]?.up;
      if (up !== undefined) parents.add(up);
      at = nodeId;
    } else if (!parents.has(index)) at = nodeId;
    count(counts, nodeId, mark);
  }
  const way = new Set<number>();
  for (let node = at === undefined ? undefined : indexOf.get(at); node !== undefined; node = graph.nodes[node]?.up)
    way.add(node);
  const later = gapsLater(graph, made);
  const nodes = graph.nodes.map((node, index) =>
    nodeThen(node, {
      gapsLater: later.get(index) ?? 0,
      isTip: !parents.has(index),
      isAt: node.id === at,
      onWay: way.has(index),
      counts: counts.get(node.id),
    }),
  );
  const tips = [...made].filter((index) => !parents.has(index)).length;
  return { graph: { ...graph, nodes }, until: marks[upTo]?.seq ?? 0, tips, at };
}

/** What steps disclosed that were done only later, by the node that it counts at. */
function gapsLater({ nodes }: RunGraph, made: ReadonlySet<number>): ReadonlyMap<number, number> {
  const later = new Map<number, number>();
  for (const [index, { up, gapsAbove = 0 }] of nodes.entries())
    if (up !== undefined && !made.has(index)) later.set(up, (later.get(up) ?? 0) + gapsAbove);
  return later;
}

function count(counts: Map<string, Counts>, nodeId: string, { kind, settles }: Pick<Mark, 'kind' | 'settles'>): void {
  const known = counts.get(nodeId) ?? { blocks: 0, checkpoints: 0, notes: 0, waits: false };
  counts.set(nodeId, known);
  if (kind === 'step_blocked') [known.blocks, known.waits] = [known.blocks + 1, true];
  if (settles === true) known.waits = false;
  if (kind === 'checkpoint') known.checkpoints += 1;
  if (kind === 'note_added') known.notes += 1;
}

interface Then {
  readonly isTip: boolean;
  readonly isAt: boolean;
  readonly onWay: boolean;
  readonly counts: Counts | undefined;
  /** Disclosed by what was done here since. */
  readonly gapsLater: number;
}

/** What changes with time is told anew; the rest of a node stays as it was made. */
function nodeThen(
  {
    tip: _tip,
    preferredTip: _preferredTip,
    onWay: _onWay,
    checkpoints: _checkpoints,
    blocks: _blocks,
    notes: _notes,
    waited,
    gaps: gapsNow = 0,
    status: now,
    ...made
  }: GraphNode,
  { isTip, isAt, onWay, counts, gapsLater }: Then,
): GraphNode {
  const { blocks = 0, checkpoints = 0, notes = 0, waits = false } = counts ?? {};
  // A run that is complete was so from the moment on that its last node was made.
  const status = made.step === undefined ? now : isTip && waits ? 'blocked' : undefined;
  return {
    ...made,
    ...(status !== undefined && { status }),
    ...(!isTip && waited !== undefined && { waited }),
    ...(isTip && { tip: true as const }),
    ...(isAt && { preferredTip: true as const }),
    ...(onWay && { onWay: true as const }),
    ...(checkpoints > 0 && { checkpoints }),
    ...(gapsNow > gapsLater && { gaps: gapsNow - gapsLater }),
    ...(blocks > 0 && { blocks }),
    ...(notes > 0 && { notes }),
  };
}
