import type { SessionId } from '../../base/ids.js';
import type { Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import { command, type Term } from '../../base/sentence.js';
import type { TipTold } from '../../contract/people-answers.js';
import { type Sealer, sealerFor } from '../../respond/sealer.js';
import type { FoldedSession, RunNode } from '../../sessions/folded-session.js';
import { newestTip, openTips } from '../../sessions/newest-tip.js';
import { beginningMissing } from '../world/log-rejections.js';
import type { Environment } from '../world/environment.js';
import { readSession } from '../world/session-state.js';

/** Where to go on in the session that a person means. */
export async function findTip(
  env: Environment,
  { session }: { readonly session?: string | undefined },
): Promise<Result<TipTold, Rejection>> {
  return readSession(env, session, ({ state, findings }, { id }): Result<TipTold, Rejection> => {
    const sealer = sealerFor(env.keys.all(), id);
    const open = openTips(id, state);
    if (open.length > 1) return err(severalRuns(id, state, open, sealer));
    const tip = newestTip(id, state);
    if (tip !== undefined) return ok({ sessionId: id, runId: tip.run, stateToken: sealer.state(tip.id) });
    return state.started
      ? ok({ sessionId: id, sessionToken: sealer.sessionToken() })
      : err(beginningMissing(id, findings));
  });
}

const runsNamed = 8;

/** Which of them is meant only the person knows. */
function severalRuns(id: SessionId, state: FoldedSession, open: readonly RunNode[], sealer: Sealer): Rejection {
  const each = open
    .slice(0, runsNamed)
    .map((tip): readonly (string | Term)[] => [
      `“${state.runs.get(tip.run)?.started.data.title ?? tip.run}” at “${tip.pending?.title ?? ''}”: `,
      command('continue', sealer.state(tip.id)),
    ]);
  return {
    code: 'PRECONDITION_FAILED',
    message: `${open.length} runs are waiting in session ${id}; choose one`,
    action: ['name one by its stateToken: ', ...each.flatMap((one, at) => (at === 0 ? one : ['; ', ...one]))],
    context: { sessionId: id },
  };
}
