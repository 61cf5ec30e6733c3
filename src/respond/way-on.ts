import type { NextCall } from '../base/rejection.js';
import type { FoldedSession, Run } from '../sessions/folded-session.js';
import type { Told } from './told.js';

/** What somebody does who wants more of a run that has ended as a whole: nothing goes on in it, on any branch. */
export function wayOn(session: FoldedSession, sealer: Told['sealer'], { id, started }: Run): NextCall {
  const next = [...session.runs.values()].findLast((run) => run.started.data.repairs === id);
  if (next !== undefined)
    return { tool: 'continue_workflow', arguments: { stateToken: sealer.state(next.preferredTip) } };
  const { workflowId, inputs } = started.data;
  return { tool: 'start_workflow', arguments: { workflowId, context: inputs, session: sealer.session, fresh: true } };
}
