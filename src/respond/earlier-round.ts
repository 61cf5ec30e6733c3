import type { PendingStep } from '../contract/answer.js';
import type { FoldedSession, RunNode } from '../sessions/folded-session.js';
import type { Told } from './answer-to-step.js';
import { tellStep } from './tell-step.js';

/** Of a node in a loop, the first on its way where the same step waited; what was told there does not change. */
const firstOf = new WeakMap<RunNode, RunNode>();
const toldAt = new WeakMap<RunNode, PendingStep>();

/** The same step in the first round of a loop around it: it was told whole there, and need not be told again. */
export function earlierRound({ session, workflow }: Told, node: RunNode): PendingStep | undefined {
  const first = firstRound(session, node);
  if (first === undefined) return undefined;
  firstOf.set(node, first);
  const told = toldAt.get(first) ?? tellStep(session, workflow, first).pending;
  toldAt.set(first, told);
  return told;
}

function firstRound(session: FoldedSession, node: RunNode): RunNode | undefined {
  const { pending } = node;
  const outermost = pending?.frames[0];
  if (pending === undefined || outermost === undefined) return undefined;
  let first: RunNode | undefined;
  for (let at = above(session, node); at?.pending?.frames[0]?.loop === outermost.loop; at = above(session, at)) {
    if (at.pending.id !== pending.id) continue;
    const known = firstOf.get(at);
    if (known !== undefined) return known;
    first = at;
  }
  return first;
}

const above = (session: FoldedSession, { parent }: RunNode): RunNode | undefined =>
  parent === undefined ? undefined : session.nodes.get(parent);
