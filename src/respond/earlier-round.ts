import type { PendingStep } from '../contract/answer.js';
import type { FoldedSession, RunNode } from '../sessions/folded-session.js';
import type { Told } from './told.js';
import { tellStep } from './tell-step.js';

/** As the step of a node was told; what is told of a node does not change. Of a loop's steps one is kept, however many rounds it has. */
const toldAt = new WeakMap<RunNode, PendingStep>();
const firstOf = new WeakMap<RunNode, RunNode>();

/** The same step as it was told in the first round, which has the whole text: what differs from it is told in the others. */
export function earlierRound({ session, workflow }: Told, node: RunNode): PendingStep | undefined {
  const first = firstRound(session, node);
  if (first === undefined) return undefined;
  const told = toldAt.get(first) ?? tellStep(session, workflow, first).pending;
  toldAt.set(first, told);
  return told;
}

/** Of a node in a loop, the first on its way where the same step waited. */
function firstRound(session: FoldedSession, node: RunNode): RunNode | undefined {
  const outermost = node.pending?.frames[0]?.loop;
  if (outermost === undefined) return undefined;
  const above = ({ parent }: RunNode): RunNode | undefined =>
    parent === undefined ? undefined : session.nodes.get(parent);
  let first: RunNode | undefined;
  for (let at = above(node); at?.pending?.frames[0]?.loop === outermost; at = above(at)) {
    if (at.pending.id !== node.pending?.id) continue;
    first = firstOf.get(at) ?? at;
    // The rounds before it were gone through when its own first was looked for.
    if (first !== at) break;
  }
  if (first !== undefined) firstOf.set(node, first);
  return first;
}
