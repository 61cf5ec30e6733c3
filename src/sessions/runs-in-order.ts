import { compareEvents } from '../events/event.js';
import type { FoldedSession, Run } from './folded-session.js';

/** In the order they were started. */
export const runsInOrder = (session: FoldedSession): readonly Run[] =>
  [...session.runs.values()].toSorted((a, b) => compareEvents(a.started, b.started));
