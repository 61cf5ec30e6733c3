import type { GapId } from '../base/ids.js';
import type { Gap } from '../events/event-data.js';
import { compareEvents, type EventPosition, type Who } from '../events/event.js';
import type { FoldedSession, RunNode } from './folded-session.js';
import { landmarksUpFrom } from './landmarks.js';

export interface PathGap extends Gap {
  readonly path: string;
  readonly resolved: boolean;
  readonly settled?: Settled;
}

/** How a gap ended: the gap that says so, where it was said, and the person who did, where it was one. */
export interface Settled {
  readonly by: GapId;
  readonly path: string;
  readonly how: string;
  readonly who?: Who;
}

/** Every gap on the way to a node, oldest first, and whether one after it resolved it; `before` leaves out what was kept there since. */
export function gapsAt(session: FoldedSession, at: RunNode, before?: EventPosition): readonly PathGap[] {
  const found: PathGap[] = [];
  const ended = new Map<GapId, Settled>();
  const take = (gaps: readonly Gap[] | undefined, path: string, who: Who | undefined): void => {
    for (const gap of (gaps ?? []).toReversed()) {
      if (gap.resolves !== undefined) ended.set(gap.resolves, settledBy(gap, path, who));
      const settled = ended.get(gap.id);
      found.push({ ...gap, path, resolved: settled !== undefined, ...(settled && { settled }) });
    }
  };
  // From the node upwards: what resolves a gap always stands below it.
  for (const node of landmarksUpFrom(session, at)) {
    for (const checkpoint of node.checkpoints.toReversed())
      if (checkpoint.data.late === undefined && (before === undefined || compareEvents(checkpoint, before) < 0))
        take(checkpoint.data.gaps, node.pending?.path ?? '', checkpoint.who);
    take(node.madeBy.data.gaps, node.did?.path ?? '', node.madeBy.who);
  }
  return found.toReversed();
}

/** A gap that resolves another one says how it ended; it is not open itself. */
export function openGapsAt(session: FoldedSession, at: RunNode): readonly PathGap[] {
  return gapsAt(session, at).filter((gap) => !gap.resolved && gap.resolves === undefined);
}

export const settledBy = ({ id, detail }: Gap, path: string, who: Who | undefined): Settled => ({
  by: id,
  path,
  how: detail,
  ...(who !== undefined && { who }),
});
