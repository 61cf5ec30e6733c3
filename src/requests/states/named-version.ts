import type { VersionId } from '../../base/ids.js';
import type { Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import type { FoldedSession } from '../../sessions/folded-session.js';
import type { SharedState, Version } from '../../sessions/states/shared-state.js';
import { servedVersion, versionLabel } from '../../sessions/states/version-graph.js';

/** A version by its number, or by its label, which says which of several with one number is meant. */
export type VersionNamed = number | string;

export function namedVersion(
  { versions }: FoldedSession,
  state: SharedState,
  named: VersionNamed,
): Result<Version, Rejection> {
  const served = servedVersion(state, versions);
  if (typeof named === 'string') {
    const version = versions.get(named.slice(named.indexOf('-') + 1) as VersionId);
    return version?.state === state.id && versionLabel(version) === named
      ? ok(version)
      : err(noVersion(state, served, named));
  }
  // The one of that number on the way to the newest; else, of several, the one that came last.
  for (
    let at = served;
    at !== undefined && at.depth >= named;
    at = at.from === undefined ? undefined : versions.get(at.from)
  )
    if (at.depth === named) return ok(at);
  const other = [...versions.values()].findLast(({ state: of, depth }) => of === state.id && depth === named);
  return other === undefined ? err(noVersion(state, served, named)) : ok(other);
}

const noVersion = (state: SharedState, served: Version | undefined, named: VersionNamed): Rejection => ({
  code: 'NOT_FOUND',
  message: `the shared state ${state.id} has no version ${named}${served === undefined ? '' : `; it is at version ${served.depth}`}`,
  action: 'read it as it is now',
  nextCall: { tool: 'state_read', arguments: { stateId: state.id } },
  context: { stateId: state.id },
});
