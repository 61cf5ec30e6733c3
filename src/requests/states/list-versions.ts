import { limits } from '../../base/limits.js';
import type { Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import { jsonDifference } from '../../base/patch/json-difference.js';
import type { StateVersions, VersionsCompared } from '../../contract/states-told.js';
import type { JsonValue } from '../../base/json-value.js';
import type { FoldedSession } from '../../sessions/folded-session.js';
import type { Version } from '../../sessions/states/shared-state.js';
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
    const shown = all.slice(0, limit);
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
        ...(version.who?.agent !== undefined && { agent: version.who.agent }),
        ...(version.who !== undefined && { door: version.who.door }),
        ...stepOf(session, version),
        ...(state.conflicts.has(version.id) && { conflict: true as const }),
      })),
      ...(next !== undefined && { next }),
    });
  });
}

/** The step of a workflow that put it there. */
function stepOf({ nodes }: FoldedSession, { node }: Version): { readonly step?: string; readonly run?: string } {
  const at = node === undefined ? undefined : nodes.get(node);
  return at?.pending === undefined ? {} : { step: at.pending.path, run: at.run };
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
