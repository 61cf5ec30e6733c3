import type { Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import type { SchemaAnswer } from '../../contract/state-answers.js';
import { servedVersion } from '../../sessions/states/version-graph.js';
import type { Environment } from '../world/environment.js';
import { findState, type StateNamed } from './find-state.js';
import { namedVersion, type VersionNamed } from './named-version.js';
import { notHere } from './state-rejections.js';

/** The schema of a version: what the log says, whatever became of the file that it was registered as. */
export async function stateSchema(
  env: Environment,
  { version: wanted, ...named }: StateNamed & { readonly version?: VersionNamed | undefined },
): Promise<Result<SchemaAnswer, Rejection>> {
  const found = await findState(env, named);
  if (!found.ok) return found;
  const { log, state: id } = found.value;
  return log.read(({ state: session }): Result<SchemaAnswer, Rejection> => {
    const state = session.states.get(id);
    const version =
      state &&
      (wanted === undefined ? ok(servedVersion(state, session.versions)) : namedVersion(session, state, wanted));
    if (version?.ok === false) return version;
    if (version?.value === undefined) return err(notHere(id));
    const { id: schemaId, name, version: number, json } = version.value.schema;
    return ok({ schema_id: schemaId, name, version: number, json_schema: json });
  });
}
