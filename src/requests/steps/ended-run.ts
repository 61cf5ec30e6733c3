import type { SessionId } from '../../base/ids.js';
import type { Rejection } from '../../base/rejection.js';
import { sentenceText } from '../../base/sentence.js';
import { sealerFor } from '../../respond/sealer.js';
import { wayOn } from '../../respond/way-on.js';
import type { FoldedSession, RunNode } from '../../sessions/folded-session.js';
import { stoppedAt } from '../../sessions/run-status.js';
import type { Environment } from '../world/environment.js';

/** Why nothing more is recorded at a step, where its run has ended as a whole. */
export function endedRun(
  env: Environment,
  sessionId: SessionId,
  session: FoldedSession,
  node: RunNode,
): Rejection | undefined {
  const run = session.runs.get(node.run);
  const stopped = stoppedAt(session, node);
  if (run?.stopped === undefined || stopped !== run.stopped) return undefined;
  const nextCall = wayOn(session, sealerFor(env.keys.all(), sessionId), run);
  const why = sentenceText(stopped.data.message).replace(/[.…]$/u, '');
  return {
    code: 'PRECONDITION_FAILED',
    message: `this run was ${stopped.data.status} (${why}), and none of its steps can be completed any more; nothing was recorded`,
    action:
      nextCall.tool === 'start_workflow'
        ? 'tell the user; if they want it done after all, start it again'
        : 'another run goes on from it; look where that is',
    nextCall,
    context: { sessionId, runId: node.run, path: node.pending?.path ?? '' },
  };
}
