import { limits } from '../../base/limits.js';
import type { Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import type { SessionList, SessionListed } from '../../contract/session-list.js';
import { parseSearch } from '../../contract/session-search.js';
import type { Event } from '../../events/event.js';
import type { SessionRef } from '../../log/port/session-ref.js';
import { listedSession } from '../../respond/listed-session.js';
import { tellHits } from '../../respond/tell-hits.js';
import { longestWaiting } from '../../sessions/run-status.js';
import { readCursor } from '../world/cursors.js';
import type { Environment } from '../world/environment.js';
import { goesToTrash } from '../world/goes-to-trash.js';
import { askSearch } from '../world/session-filter.js';
import { nothingRead } from '../world/session-list-page.js';
import { noSuchPage } from '../world/rejections.js';

export interface SessionsAsked {
  /** Filters, and words that are searched for as `resume_session` does. */
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
  if (after === undefined) return err(noSuchPage);
  const asked = askSearch(parseSearch(query), env.now());
  const { shown, found, left, here, unreadable, told, why } = await env.register.page({ asked, limit, after });
  const sessions: SessionListed[] = [];
  const goes = goesToTrash(env);
  const faults: SessionList['unreadable'][number][] = [];
  for (const entry of shown) {
    const { ref } = entry.registered;
    const matches = why(entry);
    try {
      // What is told comes from the log itself.
      sessions.push(
        await env.store.glance(ref).read((loaded) => {
          const listed = listedSession(ref, loaded, matches);
          const goesAt = goes(ref, listed);
          return {
            ...listed,
            ...askedBy(env, ref, longestWaiting(loaded.state)),
            ...(goesAt !== undefined && { goesAt }),
            ...(matches !== undefined && { hits: tellHits(ref.id, loaded.state, asked.search.words) }),
          };
        }),
      );
    } catch (cause) {
      faults.push({
        sessionId: ref.id,
        folder: ref.place.name,
        message: cause instanceof Error ? cause.message : String(cause),
      });
    }
  }
  const all = [...unreadable, ...faults];
  if (sessions.length === 0 && after === 0 && all.length > 0) return err(nothingRead(all));
  return ok({
    sessions,
    found,
    here,
    ...(left > 0 && { nextCursor: String(after + shown.length) }),
    ...(told.length > 0 && { told }),
    unreadable: all,
  });
}

function askedBy(
  { store }: Environment,
  { place }: SessionRef,
  draft: Event<'step_blocked'> | undefined,
): Pick<SessionListed, 'askedBy'> {
  const agent = draft && store.running.agentOf(place, draft.sum);
  return agent === undefined ? {} : { askedBy: agent };
}
