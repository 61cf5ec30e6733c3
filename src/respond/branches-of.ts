import { branchNumbers } from '../contract/plan-tracks.js';
import type { FoldedSession, Run } from '../sessions/folded-session.js';
import { runWide } from './node-story.js';
import { tipsInOrder } from './session-story.js';

/** The number of the branch that a node of the run is on; none in a run that has only one. */
export function branchesOf(session: FoldedSession, run: Run): (nodeId: string) => { readonly branch?: number } {
  if (run.tips.size < 2) return () => ({});
  const nodes = runWide(session, run).nodes.map(({ id, parent, children }) => ({
    nodeId: id,
    ...(parent !== undefined && { parent }),
    children,
  }));
  const numbers = branchNumbers({ nodes, tips: tipsInOrder(session, run) });
  return (nodeId) => {
    const branch = numbers.get(nodeId);
    return branch === undefined ? {} : { branch };
  };
}
