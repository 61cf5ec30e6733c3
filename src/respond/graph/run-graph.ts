import type { NodeId } from '../../base/ids.js';
import { limits } from '../../base/limits.js';
import { samePreferences } from '../../base/preferences.js';
import type { GraphNode, RunGraph } from '../../contract/http-api.js';
import type { RunHead } from '../../contract/session-story.js';
import type { CompiledWorkflow } from '../../definitions/compiled/compiled-workflow.js';
import { placesOf } from '../../definitions/compiled/place.js';
import { scopeAt } from '../../definitions/expression/scope-at.js';
import type { Gap } from '../../events/event-data.js';
import { compareEvents } from '../../events/event.js';
import type { FoldedSession, Run, RunNode } from '../../sessions/folded-session.js';
import { openGapsAt } from '../../sessions/gaps.js';
import { waitedAt } from '../../sessions/person-waits.js';
import { statusAt, stoppedAt } from '../../sessions/run-status.js';
import { usedAt, withoutUsage } from '../../sessions/usage.js';
import { GroupsAround } from './groups-around.js';
import { longestIn, runBegun, runWide, type Settlements, stepNamed, told as toldUsage } from '../node-story.js';
import { openTitle } from './open-title.js';
import { tipsInOrder } from '../session-story.js';
import { factsAt, stepsAbout } from '../steps-about.js';
import { tellWayAhead } from './tell-way-ahead.js';

/** A run without its nodes. */
export function runHead(session: FoldedSession, run: Run, workflow: CompiledWorkflow | undefined): RunHead {
  const tip = session.nodes.get(run.preferredTip);
  const about = tip?.whole === true && workflow ? stepsAbout(session, workflow, tip) : undefined;
  return {
    ...runBegun(session, run),
    ...longestIn(session, run),
    pending: tip?.pending?.title ?? null,
    ...(tip?.pending && tip.whole && { stepNumber: tip.depth + 1 }),
    ...(about !== undefined && { stepsAbout: about }),
    root: run.root,
    preferredTip: run.preferredTip,
    nodes: run.nodeCount,
    branches: run.tips.size,
    openGaps: tip === undefined ? 0 : openGapsAt(session, tip).length,
    inputs: run.started.data.inputs,
  };
}

export interface GraphFrom {
  readonly sessionId: string;
  readonly session: FoldedSession;
  readonly run: Run;
  /** The pin; absent where it cannot be read. */
  readonly workflow: CompiledWorkflow | undefined;
  /** Reads a moment as milliseconds. */
  readonly timeOf: (at: string) => number;
}

/** The shape of a run and no word of its outputs: thousands of nodes, each in a few bytes. */
export function runGraph({ sessionId, session, run, workflow, timeOf }: GraphFrom): RunGraph {
  const { nodes: all, preferred: onWay, resolved } = runWide(session, run);
  const nodes = inOrder(all);
  const places = new Map<NodeId, number>();
  const steps = new Map<string, { readonly index: number; readonly told: RunGraph['steps'][number] }>();
  const started = timeOf(run.started.at);
  const gaps = gapsByStep(all, resolved);
  const groups = new GroupsAround();
  const told = nodes.map((node, index): GraphNode => {
    places.set(node.id, index);
    const { pending, parent, madeBy, checkpoints } = node;
    const up = parent === undefined ? undefined : places.get(parent);
    const status = statusAt(session, node);
    const artifacts =
      madeBy.kind === 'step_acked' ? (withoutUsage(madeBy.data.output ?? {}).artifacts?.length ?? 0) : 0;
    const above = parent === undefined ? undefined : session.nodes.get(parent);
    return {
      id: node.id,
      ...(up !== undefined && { up }),
      ...(pending !== undefined && {
        step: stepIndex(steps, {
          ...stepNamed(pending),
          ...groupOf(session, workflow, node, groups),
        }),
      }),
      seq: madeBy.seq,
      at: timeOf(madeBy.at) - started,
      ...(status !== 'in_progress' && { status }),
      ...(node.children.length === 0 && { tip: true as const }),
      ...(node.id === run.preferredTip && { preferredTip: true as const }),
      ...(onWay.has(node.id) && { onWay: true as const }),
      ...counts({
        checkpoints: checkpoints.length,
        ...gaps.get(node.id),
        blocks: node.blocks.length,
        notes: node.notes.length,
        waited: node.blocks.length === 0 || node.children.length === 0 ? 0 : waitedAt(node),
        artifacts,
        skipped: skippedOn(madeBy),
      }),
      ...toldUsage(usedAt(session, node)),
      ...(above !== undefined && !samePreferences(above.preferences, node.preferences) && { prefs: true as const }),
      ...(!node.whole && { partial: true as const }),
    };
  });
  const head = runHead(session, run, workflow);
  const tip = session.nodes.get(run.preferredTip);
  const ahead =
    workflow && tip && head.stepsAbout !== undefined && stoppedAt(session, tip) === undefined
      ? tellWayAhead(session, workflow, tip, { groups, about: head.stepsAbout, most: limits.stepsAhead })
      : undefined;
  const tips = tipsInOrder(session, run);
  const aheadBeside = workflow === undefined ? [] : tellBeside(session, workflow, { tips: tips.slice(1), groups });
  return {
    sessionId,
    run: head,
    steps: [...steps.values()].map((step) => step.told),
    groups: groups.told,
    ...(ahead && { ahead }),
    ...(aheadBeside.length > 0 && { aheadBeside }),
    nodes: told,
    tips,
  };
}

/** The next steps at the other tips that wait. */
function tellBeside(
  session: FoldedSession,
  workflow: CompiledWorkflow,
  { tips, groups }: { readonly tips: readonly NodeId[]; readonly groups: GroupsAround },
): NonNullable<RunGraph['aheadBeside']> {
  const waiting = tips
    .flatMap((id) => session.nodes.get(id) ?? [])
    .filter((tip) => tip.pending && tip.whole && !stoppedAt(session, tip));
  return waiting.slice(0, limits.tipsAhead).flatMap((node) => {
    const about = stepsAbout(session, workflow, node) ?? 0;
    const way = tellWayAhead(session, workflow, node, { groups, about, most: limits.stepsAheadBeside });
    return way === undefined ? [] : [{ tip: node.id, ...way }];
  });
}
/** How many steps were passed over on the way to a node. */
const skippedOn = ({ data }: RunNode['madeBy']): number => ('skipped' in data ? (data.skipped?.length ?? 0) : 0);

/** The group that the step of a node stands in. */
function groupOf(
  session: FoldedSession,
  workflow: CompiledWorkflow | undefined,
  node: RunNode,
  groups: GroupsAround,
): Pick<RunGraph['steps'][number], 'in'> {
  const { pending } = node;
  const around = workflow && pending && placesOf(workflow).get(pending.id)?.around;
  if (!workflow || !pending || !around || around.length === 0) return {};
  const { frames } = pending;
  const inside = groups.innermost({
    around,
    frames,
    lists: () => factsAt(session, node).lists,
    titleOf: ({ title }) => openTitle(title, () => scopeAt(workflow, factsAt(session, node), frames)),
  });
  return inside === undefined ? {} : { in: inside };
}

interface GapCounts {
  gaps: number;
  gapsAbove: number;
}

/** A step that is done stands at the node before the one that it leads to: what it disclosed counts there. */
function gapsByStep(nodes: readonly RunNode[], resolved: Settlements): ReadonlyMap<NodeId, GapCounts> {
  const by = new Map<NodeId, GapCounts>(nodes.map(({ id }) => [id, { gaps: 0, gapsAbove: 0 }]));
  const open = (gaps: readonly Gap[] = []): number =>
    gaps.filter(({ id, resolves }) => resolves === undefined && !resolved.has(id)).length;
  for (const { id, parent, madeBy, checkpoints } of nodes) {
    const own = by.get(id)!;
    const above = parent === undefined ? undefined : by.get(parent);
    const left = open(madeBy.data.gaps);
    own.gaps += open(checkpoints.flatMap(({ data }) => data.gaps ?? []));
    if (above === undefined) own.gaps += left;
    else {
      above.gaps += left;
      own.gapsAbove = left;
    }
  }
  return by;
}

function counts<C extends { readonly [name: string]: number }>(all: C): Partial<C> {
  return Object.fromEntries(Object.entries(all).filter(([, count]) => count > 0)) as Partial<C>;
}

function stepIndex(
  steps: Map<string, { readonly index: number; readonly told: RunGraph['steps'][number] }>,
  step: RunGraph['steps'][number],
): number {
  const name = `${step.path}\n${step.title}\n${step.in ?? ''}`;
  const known = steps.get(name);
  if (known !== undefined) return known.index;
  const index = steps.size;
  steps.set(name, { index, told: step });
  return index;
}

/** Parents before children, else in the order in which they were made; a parent that is not on disk holds nobody up. */
function inOrder(nodes: readonly RunNode[]): readonly RunNode[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const placed = new Set<NodeId>();
  const ordered: RunNode[] = [];
  for (const first of nodes.toSorted((a, b) => compareEvents(a.madeBy, b.madeBy))) {
    const above: RunNode[] = [];
    for (
      let node: RunNode | undefined = first;
      node !== undefined && !placed.has(node.id);
      node = node.parent === undefined ? undefined : byId.get(node.parent)
    ) {
      above.push(node);
      placed.add(node.id);
    }
    ordered.push(...above.toReversed());
  }
  return ordered;
}
