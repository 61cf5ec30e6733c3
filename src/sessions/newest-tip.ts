import type { SessionId } from '../base/ids.js';
import { compareEvents } from '../events/event.js';
import type { FoldedSession, RunNode } from './folded-session.js';
import { candidatesOf } from './rank-sessions.js';

/** Where each run stands: those that can be gone on with first, and of either kind the newest work. */
function standingTips(id: SessionId, session: FoldedSession): readonly RunNode[] {
  const tips = candidatesOf(id, session).flatMap(({ tip }) => (tip === undefined ? [] : [tip]));
  const isDone = ({ pending }: RunNode): number => Number(pending === undefined);
  return tips.toSorted((a, b) => isDone(a) - isDone(b) || compareEvents(b.touched, a.touched));
}

/** Where to go on: a run that was begun and ended within another does not hide the one that waits. */
export const newestTip = (id: SessionId, session: FoldedSession): RunNode | undefined => standingTips(id, session)[0];

/** All places where somebody can go on, the newest work first. */
export const openTips = (id: SessionId, session: FoldedSession): readonly RunNode[] =>
  standingTips(id, session).filter(({ pending }) => pending !== undefined);
