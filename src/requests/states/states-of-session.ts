import type { Rejection } from '../../base/rejection.js';
import { ok, type Result } from '../../base/result.js';
import type { StatesOfSession } from '../../contract/states-told.js';
import { tellState } from '../../respond/states/tell-state.js';
import { tellWho } from '../../respond/states/tell-who.js';
import { headsOf, versionLabel } from '../../sessions/states/version-graph.js';
import type { Environment } from '../world/environment.js';
import { findSession } from '../world/find-session.js';

/** All shared states of a session, without their documents. */
export async function statesOfSession(
  env: Environment,
  { session: wanted }: { readonly session: string },
): Promise<Result<StatesOfSession, Rejection>> {
  const found = await findSession(env, wanted);
  if (!found.ok) return found;
  const log = env.store.open(found.value);
  return log.read(({ state: session }): Result<StatesOfSession, Rejection> => {
    const states = [...session.states.values()].flatMap((state) => {
      const heads = headsOf(state, session.versions);
      const [served] = heads;
      if (served === undefined) return [];
      const { created, closed } = state;
      const { from } = created.data;
      const origin = from && session.versions.get(from.version);
      return [
        {
          ...tellState(session, state, served, { sessionId: log.id }),
          heads: heads.map(versionLabel),
          ...(from !== undefined && {
            forked_from: { state_id: from.state, etag: origin === undefined ? from.version : versionLabel(origin) },
          }),
          ...(closed !== undefined && {
            closed: { at: closed.at, reason: closed.data.reason, ...tellWho(closed.who) },
          }),
        },
      ];
    });
    return ok({ sessionId: log.id, states });
  });
}
