import type { Rejection } from '../../base/rejection.js';
import { err, type Result } from '../../base/result.js';
import type { StateAnswer } from '../../contract/state-answers.js';
import { mergeNow } from '../world/merge-state.js';
import type { Environment } from '../world/environment.js';
import { findState, type StateNamed } from './find-state.js';
import { stateAt } from './read-state.js';
import { refusedWrite } from './refused-write.js';

/** Brings together what clones have written at the same time, as the next write would. */
export async function mergeState(env: Environment, named: StateNamed): Promise<Result<StateAnswer, Rejection>> {
  const found = await findState(env, named);
  if (!found.ok) return found;
  const { log, state: id } = found.value;
  const closed = await log.read(({ state: session }) => {
    const state = session.states.get(id);
    return state?.closed === undefined ? undefined : refusedWrite(session, state, { kind: 'closed' }, { at: '' });
  });
  if (closed !== undefined) return err(closed);
  const merged = await mergeNow(log, id, env.caller);
  return merged.ok ? stateAt(env, log, id, {}) : merged;
}
