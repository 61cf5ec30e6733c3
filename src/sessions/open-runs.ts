import type { NodeId, RunId } from '../base/ids.js';
import { compareEvents } from '../events/event.js';
import type { FoldedSession } from './folded-session.js';
import { isOpen } from './run-status.js';

const most = 4;

/** Where the other runs of a session wait that can be gone on with, the newest work first. */
export function openRunsBeside(session: FoldedSession, run: RunId | undefined): readonly NodeId[] {
  if (session.runs.size < (run === undefined ? 1 : 2)) return [];
  return [...session.runs.values()]
    .filter((other) => other.id !== run && isOpen(session, other))
    .flatMap(({ preferredTip }) => session.nodes.get(preferredTip) ?? [])
    .toSorted((a, b) => compareEvents(b.touched, a.touched))
    .slice(0, most)
    .map(({ id }) => id);
}
