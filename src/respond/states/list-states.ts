import type { StateListed } from '../../contract/states-told.js';
import type { FoldedSession } from '../../sessions/folded-session.js';
import { servedVersion } from '../../sessions/states/version-graph.js';
import { tellState } from './tell-state.js';

/** All states of a session, without their documents. */
export function listStates(sessionId: string, session: FoldedSession): readonly StateListed[] {
  return [...session.states.values()].flatMap((state) => {
    const served = servedVersion(state, session.versions);
    if (served === undefined) return [];
    return [listed(tellState(session, state, served, { sessionId }))];
  });
}

const listed = ({ kind: _kind, warnings: _warnings, ...told }: ReturnType<typeof tellState>): StateListed => told;
