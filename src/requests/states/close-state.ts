import type { StateId } from '../../base/ids.js';
import type { Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import type { StateWrittenAnswer } from '../../contract/state-answers.js';
import type { SessionLog } from '../../log/port/session-log.js';
import type { FoldedSession } from '../../sessions/folded-session.js';
import type { SharedState, Version } from '../../sessions/states/shared-state.js';
import { versionLabel } from '../../sessions/states/version-graph.js';
import type { Environment } from '../world/environment.js';
import { markState } from './mark-state.js';

/** Nobody writes to it any more; it can be read as long as its session is there. */
export const closeState = (
  env: Environment,
  log: SessionLog<FoldedSession>,
  id: StateId,
  { reason, expected }: { readonly reason: string; readonly expected?: string | undefined },
): Promise<Result<StateWrittenAnswer, Rejection>> =>
  markState(env, log, id, (state, served) => {
    if (state.closed !== undefined) return ok(undefined);
    if (expected !== undefined && expected !== versionLabel(served)) return err(writtenSince(state, expected, served));
    return ok({ kind: 'state_closed', data: { state: id, reason } });
  });

const writtenSince = ({ id }: SharedState, expected: string, served: Version): Rejection => ({
  code: 'STATE_CONFLICT',
  message: `Expected version ${expected}, but current is ${versionLabel(served)}; nothing was closed`,
  action: 'read it again, and close it from there',
  nextCall: { tool: 'state_read', arguments: { stateId: id } },
  context: { stateId: id, expected, current: served.depth, etag: versionLabel(served) },
});
