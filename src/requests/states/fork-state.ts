import type { Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import type { StateId, VersionId } from '../../base/ids.js';
import { decideStateCreate } from '../../decide/states/create-state.js';
import type { StateAnswer } from '../../contract/state-answers.js';
import { drive, turn } from '../world/drive.js';
import type { Environment } from '../world/environment.js';
import { findState, type StateNamed } from './find-state.js';
import { judgeState } from '../../decide/states/judge-state.js';
import type { VersionNamed } from './named-version.js';
import { newStateId } from './new-state-id.js';
import { stateAt } from './read-state.js';

/** Another state of the same session that begins with a version of one, closed or not. The same fork again finds it. */
export async function forkState(
  env: Environment,
  { version, ...named }: StateNamed & { readonly version?: VersionNamed | undefined },
): Promise<Result<StateAnswer, Rejection>> {
  const found = await findState(env, named);
  if (!found.ok) return found;
  const { log, state: id } = found.value;
  const from = await stateAt(env, log, id, { version });
  if (!from.ok) return from;
  const { etag, current_data: value } = from.value;
  const of = etag.slice(etag.indexOf('-') + 1) as VersionId;
  const fork = turn<StateId | Rejection, StateId>(
    ({ state: session }) => {
      const schema = session.versions.get(of)?.schema;
      if (schema === undefined) return { answer: gone(id) };
      const drawn = { id: newStateId(env, log.id, session.states), version: env.randomId() as VersionId };
      const who = env.caller === undefined ? {} : { who: env.caller };
      const given = { schema, value, from: { state: id, version: of }, ...drawn };
      const decided = decideStateCreate(session, given, { judge: judgeState, ...who });
      return decided.ok ? { answer: decided.value.state, events: decided.value.events } : { answer: gone(id) };
    },
    (_loaded, made) => ({ done: typeof made === 'string' ? ok(made) : err(made) }),
  );
  const forked = await drive(log, fork, 'keyed');
  return forked.ok ? stateAt(env, log, forked.value, {}) : forked;
}

const gone = (id: StateId): Rejection => ({
  code: 'NOT_FOUND',
  message: `that version of ${id} cannot be forked: it no longer exists, or does not fit its schema`,
  action: 'fork another version',
  nextCall: { tool: 'state_read', arguments: { stateId: id } },
  context: { stateId: id },
});
