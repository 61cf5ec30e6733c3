import type { FoldedSession, RunNode } from './folded-session.js';

/** How far WorkRail went on by itself from a node: along its own steps, of several the first in the log. */
export function settledBelow({ nodes }: FoldedSession, from: RunNode): RunNode {
  let at = from;
  for (;;) {
    const next = at.children
      .map((id) => nodes.get(id))
      .find((child) => child?.madeBy.kind === 'step_acked' && child.madeBy.data.command !== undefined);
    if (next === undefined) return at;
    at = next;
  }
}
