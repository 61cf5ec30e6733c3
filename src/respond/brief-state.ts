import type { StateBrief } from '../contract/session-list.js';
import type { FoldedSession } from '../sessions/folded-session.js';
import { stateOfSession } from '../sessions/states/state-of-session.js';
import { servedVersion } from '../sessions/states/version-graph.js';

/** The shared state that a session is known for, in a list of sessions. */
export function briefState(session: FoldedSession): StateBrief | undefined {
  const state = stateOfSession(session);
  const served = state && servedVersion(state, session.versions);
  if (state === undefined || served === undefined) return undefined;
  return {
    state_id: state.id,
    schema_name: served.schema.name,
    schema_version: served.schema.version,
    version: served.depth,
    status: state.closed === undefined ? 'open' : 'closed',
    conflicts: state.conflicts.size,
  };
}
