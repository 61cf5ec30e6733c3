import type { PendingStep } from '../contract/answer.js';
import type { FoldedSession, RunNode } from '../sessions/folded-session.js';
import type { Told } from './answer-to-step.js';
import { tellStep } from './tell-step.js';

/** As the step of a node was told, until a later round has been told; what is told of a node does not change. */
const toldAt = new WeakMap<RunNode, PendingStep>();

/** The same step as it was told in the round before: what has not changed since need not be told again. */
export function earlierRound(
  { session, workflow }: Told,
  node: RunNode,
  pending: PendingStep,
): PendingStep | undefined {
  if ((node.pending?.frames.length ?? 0) === 0) return undefined;
  toldAt.set(node, pending);
  const before = roundBefore(session, node);
  if (before === undefined) return undefined;
  const told = toldAt.get(before) ?? tellStep(session, workflow, before).pending;
  // One of a loop's steps is kept, however many rounds it has.
  toldAt.delete(before);
  return told;
}

/** Of a node in a loop, the last on its way where the same step waited. */
function roundBefore(session: FoldedSession, { pending, parent }: RunNode): RunNode | undefined {
  const outermost = pending?.frames[0]?.loop;
  let at = parent === undefined ? undefined : session.nodes.get(parent);
  while (at?.pending?.frames[0]?.loop === outermost && at?.pending?.id !== pending?.id)
    at = at?.parent === undefined ? undefined : session.nodes.get(at.parent);
  return at?.pending?.frames[0]?.loop === outermost ? at : undefined;
}
