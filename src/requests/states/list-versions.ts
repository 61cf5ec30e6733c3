import { limits } from '../../base/limits.js';
import type { Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import { jsonDifference } from '../../base/patch/json-difference.js';
import type { StateVersions, VersionsCompared } from '../../contract/states-told.js';
import type { VersionId } from '../../base/ids.js';
import type { JsonValue } from '../../base/json-value.js';
import { tellWho } from '../../respond/states/tell-who.js';
import { servedVersion, versionLabel } from '../../sessions/states/version-graph.js';
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
    const all = [...session.versions.values()]
      .filter((version) => version.state === id && (before === undefined || version.depth < before))
      .toSorted((a, b) => b.depth - a.depth || b.position.seq - a.position.seq);
    // Those of one number stay together: the next page begins with a smaller one.
    const least = all[limit - 1]?.depth ?? 0;
    const shown = all.filter(({ depth }) => depth >= least);
    const labels = (ids: readonly VersionId[]): readonly string[] =>
      ids.flatMap((one) => {
        const version = session.versions.get(one);
        return version === undefined ? [] : [versionLabel(version)];
      });
    const next = all.length > shown.length ? shown.at(-1)?.depth : undefined;
    return ok({
      state_id: id,
      version: served.depth,
      versions: shown.map((version) => ({
        version: version.depth,
        etag: versionLabel(version),
        at: version.at,
        made: version.mode,
        bytes: version.bytes,
        seq: version.position.seq,
        ...(version.from !== undefined && { from: labels([version.from])[0] ?? version.from }),
        ...(version.merged.length > 0 && { merged: labels(version.merged) }),
        ...tellWho(version.who),
        ...(state.conflicts.has(version.id) && { conflict: true as const }),
      })),
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
