import type { StateId } from '../../base/ids.js';
import type { Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import type { StateWrittenAnswer } from '../../contract/state-answers.js';
import type { EventDraft } from '../../events/event.js';
import type { SessionLog } from '../../log/port/session-log.js';
import { tellState } from '../../respond/states/tell-state.js';
import type { FoldedSession } from '../../sessions/folded-session.js';
import type { SharedState, Version } from '../../sessions/states/shared-state.js';
import { servedVersion } from '../../sessions/states/version-graph.js';
import { drive, turn } from '../world/drive.js';
import type { Environment } from '../world/environment.js';

/** Records something about a state that makes no version of it; nothing where that is recorded already. */
export function markState(
  env: Environment,
  log: SessionLog<FoldedSession>,
  id: StateId,
  mark: (
    state: SharedState,
    served: Version,
    session: FoldedSession,
  ) => Result<Omit<EventDraft, 'who'> | undefined, Rejection>,
): Promise<Result<StateWrittenAnswer, Rejection>> {
  const marked = turn<Rejection | undefined, StateWrittenAnswer>(
    ({ state: session }) => {
      const state = session.states.get(id);
      const served = state && servedVersion(state, session.versions);
      if (state === undefined || served === undefined) return { answer: notHere(id) };
      const event = mark(state, served, session);
      if (!event.ok) return { answer: event.error };
      if (event.value === undefined) return { answer: undefined };
      const by = env.caller === undefined ? {} : { who: env.caller };
      return { answer: undefined, events: [{ ...event.value, ...by } as EventDraft] };
    },
    ({ state: session }, refused) => {
      if (refused !== undefined) return { done: err(refused) };
      const state = session.states.get(id);
      const served = state && servedVersion(state, session.versions);
      return {
        done:
          state === undefined || served === undefined
            ? err(notHere(id))
            : ok(tellState(session, state, served, { sessionId: log.id })),
      };
    },
  );
  return drive(log, marked, 'keyed');
}

const notHere = (id: StateId): Rejection => ({
  code: 'NOT_FOUND',
  message: `there is no shared state ${id} here`,
  action: 'name its session instead',
  context: { stateId: id },
});
