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
  readonly nodeId: NodeId;
  readonly step: StepName;
}

/** A step that took less is not worth naming. */
const shortest = 1000;

/** The step that took longest until it was first done, what it waited for a person apart; undefined where there are no two to compare. */
export function longestStep({ nodes }: FoldedSession, { id }: Run): StepTook | undefined {
  let longest: StepTook | undefined;
  let done = 0;
  for (const node of nodes.values()) {
    const took = node.run === id ? stepTook(node) : undefined;
    if (took === undefined) continue;
    done += 1;
    if (longest === undefined || took.took - took.waited > longest.took - longest.waited) longest = took;
  }
  return done < 2 || longest === undefined || longest.took - longest.waited < shortest ? undefined : longest;
}

/** When it is done again, nobody knows since when somebody was at it. */
function stepTook(node: RunNode): StepTook | undefined {
  const [first] = node.acks;
  const took = first && msBetween(node.madeBy.at, first.at);
  if (took === undefined || node.pending === undefined) return undefined;
  const { id, path, title } = node.pending;
  const waited = node.blocks.length === 0 ? 0 : Math.min(took, waitedAt(node));
  return { nodeId: node.id, step: { id, path, title }, took, waited };
}
