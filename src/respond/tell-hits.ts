import type { SessionId } from '../base/ids.js';
import type { SessionHit } from '../contract/session-list.js';
import { quotesWith } from '../sessions/found-words.js';
import type { FoldedSession } from '../sessions/folded-session.js';
import { candidatesOf, rankSessions } from '../sessions/rank-sessions.js';

/** Where in a session the words stand that were searched for: in the run that has the most of them. */
export function tellHits(sessionId: SessionId, session: FoldedSession, words: string): readonly SessionHit[] {
  const [best] = rankSessions(candidatesOf(sessionId, session), { query: words });
  if (best === undefined) return [];
  return quotesWith(best, words).map(({ where, words: there, quote, stepNode }) => ({
    where,
    words: there,
    quote,
    ...(best.run !== undefined && stepNode !== undefined && { runId: best.run.id, nodeId: stepNode }),
  }));
}
