import { limits } from '../../base/limits.js';
import type { Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import { jsonDifference } from '../../base/patch/json-difference.js';
import type { StateVersions, VersionsCompared } from '../../contract/states-told.js';
import type { JsonValue } from '../../base/json-value.js';
import { servedVersion, versionsOf } from '../../sessions/states/version-graph.js';
import { tellVersion } from '../../respond/states/tell-version.js';
import type { Environment } from '../world/environment.js';
import { findState, type StateNamed } from './find-state.js';
import type { VersionNamed } from './named-version.js';
import { stateAt } from './read-state.js';

/** Versions of a state, the newest first: who made each, when and how. */
export async function listVersions(
  env: Environment,
  {
    before,
    limit = limits.listPage,
    ...named
  }: StateNamed & { readonly before?: number | undefined; readonly limit?: number | undefined },
): Promise<Result<StateVersions, Rejection>> {
  const found = await findState(env, named);
  if (!found.ok) return found;
  const { log, state: id } = found.value;
  return log.read(({ state: session }): Result<StateVersions, Rejection> => {
    const state = session.states.get(id);
    const served = state && servedVersion(state, session.versions);
    if (state === undefined || served === undefined)
      return err({
        code: 'NOT_FOUND',
        message: `there is no shared state ${id} here`,
        action: 'name its session instead',
      });
    const all = versionsOf(session.versions, id).filter(({ depth }) => before === undefined || depth < before);
    // Clones may have made several of one number: the next page begins below it.
    const last = all[limit - 1]?.depth;
    const shown = all.filter(({ depth }, at) => at < limit || depth === last);
    const next = all.length > shown.length ? shown.at(-1)?.depth : undefined;
    return ok({
      state_id: id,
      version: served.depth,
      versions: shown.map((version) => tellVersion(session, state, version)),
      ...(next !== undefined && { next }),
    });
  });
}

/** What differs between two versions, as operations that make the second of the first. */
export async function compareVersions(
  env: Environment,
  { a, b, ...named }: StateNamed & { readonly a: VersionNamed; readonly b?: VersionNamed | undefined },
): Promise<Result<VersionsCompared, Rejection>> {
  const found = await findState(env, named);
  if (!found.ok) return found;
  const { log, state } = found.value;
  const [one, other] = [await stateAt(env, log, state, { version: a }), await stateAt(env, log, state, { version: b })];
  if (!one.ok) return one;
  if (!other.ok) return other;
  const operations: JsonValue = [...jsonDifference(one.value.current_data, other.value.current_data)];
  return ok({ state_id: state, from: one.value.etag, to: other.value.etag, operations });
}
