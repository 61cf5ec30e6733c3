import type { GapId } from '../base/ids.js';
import type { Gap } from '../events/event-data.js';
import type { FoldedSession, RunNode } from './folded-session.js';
import { landmarksUpFrom } from './landmarks.js';

export interface PathGap extends Gap {
  readonly path: string;
  readonly resolved: boolean;
}

/** Every gap on the way to a node, oldest first, and whether one after it resolved it. */
export function gapsAt(session: FoldedSession, at: RunNode): readonly PathGap[] {
  const found: PathGap[] = [];
  const resolved = new Set<GapId>();
  const take = (gaps: readonly Gap[] | undefined, path: string): void => {
    for (const gap of (gaps ?? []).toReversed()) {
      if (gap.resolves !== undefined) resolved.add(gap.resolves);
      found.push({ ...gap, path, resolved: resolved.has(gap.id) });
    }
  };
  // From the node upwards: what resolves a gap always stands below it.
  for (const node of landmarksUpFrom(session, at)) {
    for (const checkpoint of node.checkpoints.toReversed())
      if (checkpoint.data.late === undefined) take(checkpoint.data.gaps, node.pending?.path ?? '');
    take(node.madeBy.data.gaps, node.did?.path ?? '');
  }
  return found.toReversed();
}

/** A gap that resolves another one says how it ended; it is not open itself. */
export function openGapsAt(session: FoldedSession, at: RunNode): readonly PathGap[] {
  return gapsAt(session, at).filter((gap) => !gap.resolved && gap.resolves === undefined);
}
