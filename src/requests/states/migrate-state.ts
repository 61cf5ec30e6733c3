import type { StateId, VersionId } from '../../base/ids.js';
import type { JsonValue } from '../../base/json-value.js';
import { readPatch } from '../../base/patch/json-patch.js';
import type { Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import type { StateAnswer } from '../../contract/state-answers.js';
import { decideMigrate } from '../../decide/states/migrate-state.js';
import { drive, turn } from '../world/drive.js';
import type { Environment } from '../world/environment.js';
import { findState, type StateNamed } from './find-state.js';
import { judgeState } from '../../decide/states/judge-state.js';
import { mergeTurn } from '../world/merge-state.js';
import { stateAt } from './read-state.js';
import { registeredSchema } from './registered-schema.js';
import { refusedWrite } from './refused-write.js';
import { patchRejection } from './state-rejections.js';

export interface ToMigrate extends StateNamed {
  readonly schemaName: string;
  readonly schemaVersion?: number | undefined;
  /** What makes the document fit. */
  readonly operations?: JsonValue | undefined;
}

/** The state goes on under another schema, with its document changed so that it fits. Its versions are counted on. */
export async function migrateState(
  env: Environment,
  { schemaName, schemaVersion, operations = [], ...named }: ToMigrate,
): Promise<Result<StateAnswer, Rejection>> {
  const registered = registeredSchema(env, schemaName, schemaVersion);
  if (!registered.ok) return registered;
  const ops = readPatch(operations);
  if (!ops.ok) return err(patchRejection(ops.error, '/operations'));
  const found = await findState(env, named);
  if (!found.ok) return found;
  const { log, state: id } = found.value;
  const { id: schema, name, version, json } = registered.value;
  const migrate = turn<Rejection | undefined, undefined>(
    ({ state: session }) => {
      const state = session.states.get(id);
      if (state === undefined) return { answer: gone(id) };
      const who = env.caller === undefined ? {} : { who: env.caller };
      const asked = { schema: { id: schema, name, version, json }, ops: ops.value, id: env.randomId() as VersionId };
      const decided = decideMigrate(session, state, asked, { judge: judgeState, ...who });
      if (decided.ok) return { answer: undefined, events: decided.value };
      return { answer: refusedWrite(session, state, decided.error, { at: '/operations', schema: asked.schema }) };
    },
    (_loaded, rejection) => ({ done: rejection === undefined ? ok(undefined) : err(rejection) }),
  );
  const migrated = await drive(log, await mergeTurn(log, id, env.caller, migrate), 'keyed');
  return migrated.ok ? stateAt(env, log, id, {}) : migrated;
}

const gone = (id: StateId): Rejection => ({
  code: 'NOT_FOUND',
  message: `there is no shared state ${id} here`,
  action: 'name its session instead',
  context: { stateId: id },
});
