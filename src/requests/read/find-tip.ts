import type { Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import type { TipTold } from '../../contract/people-answers.js';
import { sealerFor } from '../../respond/sealer.js';
import { newestTip } from '../../sessions/newest-tip.js';
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
    const tip = newestTip(id, state);
    if (tip !== undefined) return ok({ sessionId: id, runId: tip.run, stateToken: sealer.state(tip.id) });
    return state.started
      ? ok({ sessionId: id, sessionToken: sealer.sessionToken() })
      : err(beginningMissing(id, findings));
  });
}
