import type { SessionId } from '../base/ids.js';
import { compareEvents } from '../events/event.js';
import type { FoldedSession, RunNode } from './folded-session.js';
import { candidatesOf } from './rank-sessions.js';

/** Of the preferred tips of all runs, the one that saw the newest work. */
export function newestTip(id: SessionId, session: FoldedSession): RunNode | undefined {
  const tips = candidatesOf(id, session).flatMap(({ tip }) => (tip === undefined ? [] : [tip]));
  return tips.toSorted((a, b) => compareEvents(b.touched, a.touched))[0];
}
