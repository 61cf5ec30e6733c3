import type { StateId } from '../../base/ids.js';
import type { Rejection } from '../../base/rejection.js';
import { ok, type Result } from '../../base/result.js';
import type { StateWrittenAnswer } from '../../contract/state-answers.js';
import type { SessionLog } from '../../log/port/session-log.js';
import type { FoldedSession } from '../../sessions/folded-session.js';
import type { Environment } from '../world/environment.js';
import { markState } from './mark-state.js';

/** Nobody writes to it any more; it can be read as long as its session is there. */
export const closeState = (
  env: Environment,
  log: SessionLog<FoldedSession>,
  id: StateId,
  reason: string,
): Promise<Result<StateWrittenAnswer, Rejection>> =>
  markState(env, log, id, ({ closed }) =>
    ok(closed === undefined ? { kind: 'state_closed', data: { state: id, reason } } : undefined),
  );
