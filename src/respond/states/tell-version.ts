import type { VersionTold } from '../../contract/states-told.js';
import type { SharedState, Version } from '../../sessions/states/shared-state.js';
import { versionLabel } from '../../sessions/states/version-graph.js';

/** A version in a list: who made it, when and how. */
export const tellVersion = (
  { conflicts }: Pick<SharedState, 'conflicts'>,
  { id, depth, at, mode, bytes, who }: Version,
): VersionTold => ({
  version: depth,
  etag: versionLabel({ id, depth }),
  at,
  made: mode,
  bytes,
  ...(who?.agent !== undefined && { agent: who.agent }),
  ...(who !== undefined && { door: who.door }),
  ...(conflicts.has(id) && { conflict: true as const }),
});
