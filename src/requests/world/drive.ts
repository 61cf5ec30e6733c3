import type { SessionId } from '../../base/ids.js';
import type { Lasting } from '../../base/in-place.js';
import { limits } from '../../base/limits.js';
import type { Rejection } from '../../base/rejection.js';
import { err, type Result } from '../../base/result.js';
import type { Decide, Loaded, LogPosition, SessionLog } from '../../log/port/session-log.js';
import type { LogRejection } from '../../log/port/log-rejection.js';
import type { FoldedSession } from '../../sessions/folded-session.js';
import { type Attempted, logRejection } from './log-rejections.js';

/** What a turn ends with: the request's answer, or work for the server to do before the next turn. */
export type Outcome<A> =
  | { readonly done: Result<A, Rejection> }
  | { readonly next: () => Promise<Turn<A>>; readonly done?: undefined };

/** One decision on a session, its append, and what follows from the state after it. */
export type Turn<A> = (log: SessionLog<FoldedSession>) => Promise<Result<Outcome<A>, LogRejection>>;

export function turn<D, A>(
  decide: Decide<FoldedSession, D>,
  answer: (loaded: Loaded<FoldedSession>, decided: D) => Outcome<A>,
  known?: LogPosition,
): Turn<Lasting<A>> {
  return (log) => log.append(decide, answer, known) as Promise<Result<Outcome<Lasting<A>>, LogRejection>>;
}

/** Takes turns until there is an answer. Whoever is cut short between two turns has recorded the first. */
export async function drive<A>(
  log: SessionLog<FoldedSession>,
  first: Turn<A>,
  attempted: Attempted,
): Promise<Result<A, Rejection>> {
  let taken = first;
  for (let turns = 1; ; turns += 1) {
    const appended = await taken(log);
    if (!appended.ok) return err(logRejection(appended.error, log.id, attempted));
    const { value } = appended;
    if (value.done !== undefined) return value.done;
    // Before the work, not after it: what is done is also recorded.
    if (turns === limits.turnsOfRequest) return err(tooManyTurns(log.id));
    taken = await value.next();
  }
}

const tooManyTurns = (sessionId: SessionId): Rejection => ({
  code: 'LIMIT_EXCEEDED',
  message: `this call did ${limits.turnsOfRequest} things, which is the limit for one call; all of them are recorded`,
  action: 'make the same call again: it continues from there',
  again: [],
  context: { sessionId },
});
