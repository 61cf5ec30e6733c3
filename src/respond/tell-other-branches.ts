import { defined } from '../base/defined.js';
import { firstWords } from '../base/byte-budget.js';
import { limits } from '../base/limits.js';
import type { OtherBranchTold } from '../contract/answer.js';
import { compareEvents } from '../events/event.js';
import { newestWords } from '../sessions/branches.js';
import type { FoldedSession, Run, RunNode } from '../sessions/folded-session.js';
import { statusAt } from '../sessions/run-status.js';
import type { Sealer } from './sealer.js';

const shown = 4;
const titleBytes = 60;

/** From a tip the other tips of its run, whether they can be gone on with or have ended; the preferred one is told by itself. */
export function tellOtherBranches(
  session: FoldedSession,
  sealer: Sealer,
  node: RunNode,
  run: Run,
): { readonly otherBranches?: readonly OtherBranchTold[]; readonly otherBranchesOmitted?: number } {
  if (node.children.length > 0) return {};
  const others = [...run.tips]
    .filter((id) => id !== node.id && id !== run.preferredTip)
    .flatMap((id) => session.nodes.get(id) ?? [])
    .toSorted((a, b) => compareEvents(b.touched, a.touched));
  if (others.length === 0) return {};
  const told = others.slice(0, shown).map((tip): OtherBranchTold => {
    const words = newestWords(session, tip)?.output.notes;
    return defined<OtherBranchTold>({
      status: statusAt(session, tip),
      pending: tip.pending === undefined ? null : firstWords(tip.pending.title, titleBytes),
      newest: words && firstWords(words, limits.echo),
      look: { tool: 'continue_workflow', arguments: { stateToken: sealer.state(tip.id) } },
    });
  });
  return { otherBranches: told, ...(others.length > shown && { otherBranchesOmitted: others.length - shown }) };
}
