import { limits } from '../../base/limits.js';
import type { Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import type { SessionList, SessionListed } from '../../contract/session-list.js';
import { listedSession } from '../../respond/listed-session.js';
import { readCursor } from '../world/cursors.js';
import type { Environment } from '../world/environment.js';

export interface SessionsAsked {
  /** Searched for as `resume_session` does. */
  readonly query?: string | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

/** What is here, in every root. One folder that cannot be read hides no other. */
export async function listSessions(
  env: Environment,
  { query = '', limit = limits.listPage, cursor }: SessionsAsked,
): Promise<Result<SessionList, Rejection>> {
  const after = readCursor(cursor);
  if (after === undefined)
    return err({
      code: 'VALIDATION_ERROR',
      message: 'cursor is not one that an answer gave',
      action: 'ask again without it',
    });
  const { shown, found, left, here, unreadable } = await env.register.page({ query, limit, after });
  const sessions: SessionListed[] = [];
  const faults: SessionList['unreadable'][number][] = [];
  for (const { registered, why } of shown) {
    const { ref } = registered;
    try {
      // What is told comes from the log itself.
      const listed = await env.store.glance(ref).read(({ state, findings, eventCount }) =>
        listedSession({
          sessionId: ref.id,
          place: ref.place.kind,
          folder: ref.place.name,
          session: state,
          eventCount,
          findings,
          why: why?.(),
        }),
      );
      sessions.push(listed);
    } catch (cause) {
      faults.push({
        sessionId: ref.id,
        folder: ref.place.name,
        message: cause instanceof Error ? cause.message : String(cause),
      });
    }
  }
  return ok({
    sessions,
    found,
    here,
    ...(left > 0 && { nextCursor: String(after + shown.length) }),
    unreadable: [...unreadable, ...faults],
  });
}
