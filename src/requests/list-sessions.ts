import { limits } from '../base/limits.js';
import type { Rejection } from '../base/rejection.js';
import { err, ok, type Result } from '../base/result.js';
import type { SessionList, SessionListed } from '../contract/session-list.js';
import { listedSession } from '../respond/listed-session.js';
import { candidatesOf, rankSessions, recencyTier } from '../sessions/rank-sessions.js';
import { readCursor } from './cursors.js';
import type { Environment } from './environment.js';

export interface SessionsAsked {
  /** Searched for as `resume_session` does. */
  readonly query?: string | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
  /** Only those in the root that was named outright. */
  readonly narrow?: boolean;
}

interface Met {
  readonly listed: SessionListed;
  readonly tier: number;
}

/** What is here, in every root. One folder that cannot be read hides no other. */
export async function listSessions(env: Environment, { query = '', limit = limits.listPage, cursor, narrow = false }: SessionsAsked): Promise<Result<SessionList, Rejection>> {
  const from = readCursor(cursor);
  if (from === undefined) return err({ code: 'VALIDATION_ERROR', message: 'cursor is not one that an answer gave', action: 'ask again without it' });
  const met: Met[] = [];
  const unreadable: SessionList['unreadable'][number][] = [];
  const refs = (await env.store.list()).filter(({ root }) => !narrow || root.kind === 'given');
  for (const ref of refs) {
    const { folder } = ref.root;
    const log = env.store.open(ref);
    try {
      const { state, findings, eventCount } = await log.read();
      // A folder without one readable line is no session yet, or the ruin of one.
      if (eventCount === 0 && findings.length === 0) continue;
      const [best] = query.trim() === '' ? [] : rankSessions(candidatesOf(log.id, state), { query });
      if (best?.tier === recencyTier) continue;
      met.push({ tier: best?.tier ?? 0, listed: listedSession({ sessionId: log.id, place: ref.root.kind, folder, session: state, eventCount, findings, why: best?.why }) });
    } catch (cause) {
      unreadable.push({ sessionId: ref.id, folder, message: cause instanceof Error ? cause.message : String(cause) });
    }
  }
  met.sort((a, b) => a.tier - b.tier || newestFirst(a.listed, b.listed));
  const sessions = met.slice(from, from + limit).map(({ listed }) => listed);
  const next = from + sessions.length;
  return ok({ sessions, found: met.length, here: refs.length, ...(next < met.length && { nextCursor: String(next) }), unreadable });
}

function newestFirst(a: SessionListed, b: SessionListed): number {
  if (a.lastAt !== b.lastAt) return a.lastAt < b.lastAt ? 1 : -1;
  return a.sessionId === b.sessionId ? 0 : a.sessionId < b.sessionId ? -1 : 1;
}
