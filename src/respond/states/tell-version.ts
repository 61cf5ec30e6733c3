import type { VersionId } from '../../base/ids.js';
import type { VersionTold } from '../../contract/states-told.js';
import type { SharedState, Version } from '../../sessions/states/shared-state.js';
import type { FoldedSession } from '../../sessions/folded-session.js';
import { versionLabel } from '../../sessions/states/version-graph.js';
import { tellWho } from './tell-who.js';

/** A version in a list: who made it, when, how and of what. */
export function tellVersion(
  session: Pick<FoldedSession, 'versions' | 'nodes'>,
  { conflicts }: Pick<SharedState, 'conflicts'>,
  { id, depth, at, mode, bytes, who, from, merged, position, node }: Version,
): VersionTold {
  const labels = (ids: readonly VersionId[]): readonly string[] =>
    ids.flatMap((one) => {
      const version = session.versions.get(one);
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
    ...stepOf(session, node),
    ...(conflicts.has(id) && { conflict: true as const }),
  };
}

/** The step of a workflow that put it there. */
function stepOf(
  { nodes }: Pick<FoldedSession, 'nodes'>,
  node: Version['node'],
): { readonly step?: string; readonly run?: string } {
  const at = node === undefined ? undefined : nodes.get(node);
  return at?.pending === undefined ? {} : { step: at.pending.path, run: at.run };
}
