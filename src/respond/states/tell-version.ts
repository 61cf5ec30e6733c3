import type { VersionId } from '../../base/ids.js';
import type { VersionTold } from '../../contract/states-told.js';
import type { SharedState, Version, WithStates } from '../../sessions/states/shared-state.js';
import { versionLabel } from '../../sessions/states/version-graph.js';
import { tellWho } from './tell-who.js';

/** A version in a list: who made it, when, how and of what. */
export function tellVersion(
  { versions }: Pick<WithStates, 'versions'>,
  { conflicts }: Pick<SharedState, 'conflicts'>,
  { id, depth, at, mode, bytes, who, from, merged, position }: Version,
): VersionTold {
  const labels = (ids: readonly VersionId[]): readonly string[] =>
    ids.flatMap((one) => {
      const version = versions.get(one);
      return version === undefined ? [] : [versionLabel(version)];
    });
  return {
    version: depth,
    etag: versionLabel({ id, depth }),
    at,
    made: mode,
    bytes,
    seq: position.seq,
    ...(from !== undefined && { from: labels([from])[0] ?? from }),
    ...(merged.length > 0 && { merged: labels(merged) }),
    ...tellWho(who),
    ...(conflicts.has(id) && { conflict: true as const }),
  };
}
