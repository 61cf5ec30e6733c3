import type { FoldedSession, Run, RunNode } from './folded-session.js';
import { openGapsAt } from './gaps.js';

export type RunStatus = 'in_progress' | 'blocked' | 'complete' | 'complete_with_gaps';

/** Somebody can go on with it. */
export function isOpen(session: FoldedSession, { preferredTip }: Run): boolean {
  const tip = session.nodes.get(preferredTip);
  return tip === undefined || tip.pending !== undefined;
}

/** How a run stands when looked at from one of its tips. */
export function statusAt(session: FoldedSession, node: RunNode): RunStatus {
  if (node.pending === undefined) {
    return openGapsAt(session, node).some((gap) => gap.severity === 'critical') ? 'complete_with_gaps' : 'complete';
  }
  // A step that was done after all is blocked no more.
  return node.blocks.length > 0 && node.children.length === 0 ? 'blocked' : 'in_progress';
}

/** All that was begun in it is done, on every branch, and nothing waits for a person. */
export function isFinished(session: FoldedSession): boolean {
  const tips = [...session.runs.values()].flatMap((run) => [...run.tips].map((tip) => session.nodes.get(tip)));
  return tips.length > 0 && tips.every((tip) => tip !== undefined && statusAt(session, tip) === 'complete');
}
