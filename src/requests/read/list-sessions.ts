import { limits } from '../../base/limits.js';
import type { Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import type { SessionList, SessionListed } from '../../contract/session-list.js';
import { listedSession } from '../../respond/listed-session.js';
import { rankFacts, recencyTier } from '../../sessions/rank-sessions.js';
import { wordsOf } from '../../sessions/search-words.js';
import { readCursor } from '../world/cursors.js';
import type { Environment } from '../world/environment.js';
import type { Registered } from '../world/registered-session.js';

export interface SessionsAsked {
  /** Searched for as `resume_session` does. */
  readonly query?: string | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

interface Met {
  readonly registered: Registered;
  readonly listed: SessionListed;
  readonly tier: number;
  readonly why: string | undefined;
}

/** What is here, in every root. One folder that cannot be read hides no other. */
export async function listSessions(
  env: Environment,
  { query = '', limit = limits.listPage, cursor }: SessionsAsked,
): Promise<Result<SessionList, Rejection>> {
  const from = readCursor(cursor);
  if (from === undefined)
    return err({
      code: 'VALIDATION_ERROR',
      message: 'cursor is not one that an answer gave',
      action: 'ask again without it',
    });
  const here = await env.register.look(wordsOf(query).size > 0);
  const unreadable: SessionList['unreadable'][number][] = here.flatMap(({ ref, fault }) =>
    fault === undefined ? [] : [{ sessionId: ref.id, folder: ref.root.folder, message: fault }],
  );
  const met = here.flatMap((registered): readonly Met[] => {
    if (registered.listed === undefined) return [];
    const [best] = query.trim() === '' ? [] : rankFacts(env.register.placesOf(registered), { query }, 1).best;
    return best?.tier === recencyTier
      ? []
      : [{ registered, listed: registered.listed, tier: best?.tier ?? 0, why: best?.why }];
  });
  met.sort((a, b) => a.tier - b.tier || newestFirst(a.listed, b.listed));
  const page = met.slice(from, from + limit);
  const sessions: SessionListed[] = [];
  for (const one of page) {
    const { ref } = one.registered;
    try {
      // What is told comes from the log itself.
      const { state, findings, eventCount } = await env.store.glance(ref).read();
      sessions.push(
        listedSession({
          sessionId: ref.id,
          place: ref.root.kind,
          folder: ref.root.folder,
          session: state,
          eventCount,
          findings,
          why: one.why,
        }),
      );
    } catch (cause) {
      unreadable.push({
        sessionId: ref.id,
        folder: ref.root.folder,
        message: cause instanceof Error ? cause.message : String(cause),
      });
    }
  }
  const next = from + page.length;
  return ok({
    sessions,
    found: met.length,
    here: here.length,
    ...(next < met.length && { nextCursor: String(next) }),
    unreadable,
  });
}

function newestFirst(a: SessionListed, b: SessionListed): number {
  if (a.lastAt !== b.lastAt) return a.lastAt < b.lastAt ? 1 : -1;
  return a.sessionId === b.sessionId ? 0 : a.sessionId < b.sessionId ? -1 : 1;
}
