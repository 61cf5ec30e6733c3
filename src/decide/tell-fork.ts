import { limits } from '../base/limits.js';
import type { Fork } from '../events/event-data.js';
import { branchesBelow } from '../sessions/branches.js';
import { rememberedUpFrom } from '../sessions/entry.js';
import type { FoldedSession, RunNode } from '../sessions/folded-session.js';
import { recapOf } from '../sessions/recap.js';

const branchesTold = 4;

/** What the answer to a fork will speak of: the branches that were there, and what was remembered on the one where the work stood. */
export function tellFork(session: FoldedSession, node: RunNode): Fork | undefined {
  const branches = branchesBelow(session, node);
  const first = branches[0];
  if (first === undefined) return undefined;
  const recap = recapOf(rememberedUpFrom(session, first.tip, node.id), limits.recap);
  return {
    branches: branches.slice(0, branchesTold).map(({ child, tip, steps, newest }) => {
      const words = newest();
      return { child: child.id, tip: tip.id, steps, ...(words !== undefined && { newest: words.sum }) };
    }),
    branchesOmitted: Math.max(0, branches.length - branchesTold),
    preferredTip: first.tip.id,
    recap: [...recap.sums],
    recapOmitted: recap.omitted,
  };
}
