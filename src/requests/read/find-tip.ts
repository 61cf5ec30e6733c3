import type { Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import type { TipTold } from '../../contract/people-answers.js';
import { sealerFor } from '../../respond/sealer.js';
import { newestTip } from '../../sessions/newest-tip.js';
import { beginningMissing } from '../steps/beginning-missing.js';
import type { Environment } from '../world/environment.js';
import { findSession } from '../world/find-session.js';

/** Where to go on in the session that a person means. */
export async function findTip(
  env: Environment,
  { session }: { readonly session?: string | undefined },
): Promise<Result<TipTold, Rejection>> {
  const found = await findSession(env, session);
  if (!found.ok) return found;
  const log = env.store.open(found.value);
  env.sessions.note(log);
  const { state, findings } = await log.read();
  const sealer = sealerFor(env.keys.all(), log.id);
  const tip = newestTip(log.id, state);
  if (tip === undefined)
    return state.started
      ? ok({ sessionId: log.id, sessionToken: sealer.sessionToken() })
      : err(beginningMissing(log.id, findings));
  return ok({ sessionId: log.id, runId: tip.run, stateToken: sealer.state(tip.id) });
}
