import { oncePerObject } from '../base/once-per-object.js';
import { msBetween } from '../base/time-spent.js';
import type { NodeId } from '../base/ids.js';
import type { StepName } from '../events/event-data.js';
import type { FoldedSession, Run, RunNode } from './folded-session.js';
import { waitedAt } from './person-waits.js';

export interface TimeWorked {
  readonly took: number;
  readonly waited: number;
}

/** From the start of each run to its last work; where two ran at once, once. Undefined without a run. */
export function timeWorked({ runs, nodes, asked }: FoldedSession): TimeWorked | undefined {
  if (runs.size === 0) return undefined;
  const spans = [...runs.values()]
    .map(({ started, lastAt }) => ({ from: started.at, until: lastAt < started.at ? started.at : lastAt }))
    .toSorted((a, b) => (a.from < b.from ? -1 : a.from > b.from ? 1 : 0));
  let [took, counted] = [0, ''];
  for (const { from, until } of spans) {
    if (until <= counted) continue;
    took += msBetween(from > counted ? from : counted, until) ?? 0;
    counted = until;
  }
  let waited = 0;
  for (const id of asked) {
    const node = nodes.get(id);
    if (node !== undefined) waited += waitedAt(node);
  }
  return { took, waited: Math.min(took, waited) };
}

export interface StepTook extends TimeWorked {
  readonly run: Run;
  readonly nodeId: NodeId;
  readonly step: StepName;
  /** It is on another branch than the preferred one of its run. */
  readonly isBeside: boolean;
}

/** A step that took less is not worth naming. */
const shortest = 1000;

/**
 * The steps on which most time went until they were first done, on all branches of these runs, what they waited for a person apart.
 * The first is the longest, wherever one is named; of two that took as long it is the one that was begun first.
 */
export function slowestSteps(
  session: FoldedSession,
  runs: Iterable<Run> = session.runs.values(),
  most = 1,
): readonly StepTook[] {
  const asked = new Map(Array.from(runs, (run) => [run.id, run]));
  const slowest: { readonly node: RunNode; readonly run: Run; readonly time: TimeWorked }[] = [];
  for (const node of session.nodes.values()) {
    const run = asked.get(node.run);
    const time = run && stepTook(node);
    if (time === undefined || workIn(time) < shortest) continue;
    const place = slowest.findIndex((one) => workIn(one.time) < workIn(time));
    if (place < 0 && slowest.length >= most) continue;
    slowest.splice(place < 0 ? slowest.length : place, 0, { node, run: run!, time });
    if (slowest.length > most) slowest.pop();
  }
  return slowest.flatMap(({ node, run, time }) => {
    if (node.pending === undefined) return [];
    const { id, path, title } = node.pending;
    return [{ run, nodeId: node.id, step: { id, path, title }, isBeside: !isOnWay(session, run, node), ...time }];
  });
}

/** How long somebody was at it. */
export const workIn = ({ took, waited }: TimeWorked): number => took - waited;

/** When it is done again, nobody knows since when somebody was at it. */
function stepTook(node: RunNode): TimeWorked | undefined {
  const took = node.acks.length === 0 || node.pending === undefined ? undefined : untilDone(node);
  if (took === undefined) return undefined;
  return { took, waited: node.blocks.length === 0 ? 0 : Math.min(took, waitedAt(node)) };
}

/** Reading thousands of moments takes longer than to remember what they gave. */
const untilDone = oncePerObject(({ madeBy, acks: [first] }: RunNode) => first && msBetween(madeBy.at, first.at));

function isOnWay({ nodes }: FoldedSession, { preferredTip }: Run, { id, depth }: RunNode): boolean {
  let at = nodes.get(preferredTip);
  while (at !== undefined && at.depth > depth) at = at.parent === undefined ? undefined : nodes.get(at.parent);
  return at?.id === id;
}
