import type { Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import type { Reply } from '../../contract/reply.js';
import type { RequestOf } from '../../contract/request-schemas.js';
import { compareEvents } from '../../events/event.js';
import { stateWrittenReply } from '../../respond/states/state-replies.js';
import type { Environment } from '../world/environment.js';
import { findState } from './find-state.js';
import { markState } from './mark-state.js';
import { refusedWrite } from './refused-write.js';

/** Whoever worked has nothing to report to the state, and says why. */
export async function waiveState(
  env: Environment,
  request: RequestOf<'state_waive'>,
): Promise<Result<Reply, Rejection>> {
  const found = await findState(env, request);
  if (!found.ok) return found;
  const { log, state: id } = found.value;
  const { reason } = request;
  const marked = await markState(env, log, id, (state, served, session) => {
    if (state.closed !== undefined) return err(refusedWrite(session, state, { kind: 'closed' }, { at: '' }));
    // The same word about the same version is said once.
    const last = state.waived.findLast(({ who }) => who?.agent === env.caller?.agent && who?.turn === env.caller?.turn);
    const isSaid = last?.data.reason === reason && compareEvents(last, served.position) > 0;
    return ok(isSaid ? undefined : { kind: 'state_waived', data: { state: id, reason } });
  });
  return marked.ok ? ok(stateWrittenReply(marked.value, 'waived')) : marked;
}
