import type { Rejection } from '../../base/rejection.js';
import type { StateRefused } from '../../decide/states/state-write.js';
import type { StateSchema } from '../../events/state-events.js';
import type { FoldedSession } from '../../sessions/folded-session.js';
import type { SharedState } from '../../sessions/states/shared-state.js';
import { servedVersion, versionLabel } from '../../sessions/states/version-graph.js';
import { invalidState, patchRejection } from './state-rejections.js';

/** Why a change to a state was not made, whatever asked for it. */
export function refusedWrite(
  session: FoldedSession,
  state: SharedState,
  why: StateRefused,
  { at, schema }: { readonly at: string; readonly schema?: StateSchema },
): Rejection {
  const version = servedVersion(state, session.versions);
  const context = {
    stateId: state.id,
    ...(version !== undefined && { version: version.depth, etag: versionLabel(version) }),
  };
  switch (why.kind) {
    case 'patch':
      return patchRejection(why.problem, at);
    case 'invalid':
      return invalidState(
        why.violations,
        schema ?? version?.schema ?? state.created.data.schema,
        at === '/data' ? at : '',
      );
    case 'closed':
      return {
        code: 'STATE_CLOSED',
        message: `the shared state ${state.id} was closed${version === undefined ? '' : ` at version ${version.depth}`}; nothing was written`,
        action: 'read it, or fork it to go on from there',
        nextCall: { tool: 'state_read', arguments: { stateId: state.id } },
        context,
      };
    case 'conflict':
    case 'unread':
      return {
        code: 'STATE_CONFLICT',
        message: `the shared state ${state.id} has changed meanwhile; nothing was written`,
        action: 'make the same call again',
        again: [],
        context,
      };
  }
}
