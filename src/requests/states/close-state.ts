import type { StateId } from '../../base/ids.js';
import type { Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import type { StateWrittenAnswer } from '../../contract/state-answers.js';
import type { SessionLog } from '../../log/port/session-log.js';
import { tellState } from '../../respond/states/tell-state.js';
import type { FoldedSession } from '../../sessions/folded-session.js';
import { servedVersion } from '../../sessions/states/version-graph.js';
import { drive, turn } from '../world/drive.js';
import type { Environment } from '../world/environment.js';

/** Nobody writes to it any more; it can be read as long as its session is there. */
export function closeState(
  env: Environment,
  log: SessionLog<FoldedSession>,
  id: StateId,
  reason: string,
): Promise<Result<StateWrittenAnswer, Rejection>> {
  const close = turn<'closed' | undefined, StateWrittenAnswer>(
    ({ state: session }) => {
      const state = session.states.get(id);
      if (state === undefined) return { answer: undefined };
      if (state.closed !== undefined) return { answer: 'closed' };
      const by = env.caller === undefined ? {} : { who: env.caller };
      return { answer: 'closed', events: [{ kind: 'state_closed', ...by, data: { state: id, reason } }] };
    },
    ({ state: session }) => {
      const state = session.states.get(id);
      const served = state && servedVersion(state, session.versions);
      return {
        done:
          state === undefined || served === undefined
            ? err({
                code: 'NOT_FOUND' as const,
                message: `there is no shared state ${id} here`,
                action: 'name its session instead',
                context: { stateId: id },
              })
            : ok(tellState(session, state, served, { sessionId: log.id })),
      };
    },
  );
  return drive(log, close, 'keyed');
}
