import { firstWords } from '../base/byte-budget.js';
import type { NodeId } from '../base/ids.js';
import type { ExecutionAnswer, OpenRunTold } from '../contract/answer.js';
import type { FoldedSession } from '../sessions/folded-session.js';
import type { Sealer } from './sealer.js';

const titleBytes = 60;

/** Other runs of the session by the nodes at which they wait, each with the call that looks at it. */
export function tellOpenRuns(
  session: FoldedSession,
  sealer: Sealer,
  tips: readonly NodeId[] = [],
): Pick<ExecutionAnswer, 'openRuns'> {
  const told = tips.flatMap((id): readonly OpenRunTold[] => {
    const node = session.nodes.get(id);
    const run = node && session.runs.get(node.run);
    if (run === undefined || node?.pending === undefined) return [];
    return [
      {
        workflow: firstWords(run.started.data.title, titleBytes),
        pending: firstWords(node.pending.title, titleBytes),
        look: { tool: 'continue_workflow', arguments: { stateToken: sealer.state(id) } },
      },
    ];
  });
  return told.length === 0 ? {} : { openRuns: told };
}
