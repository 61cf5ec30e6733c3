import type { Rejection } from '../../base/rejection.js';
import { ok, type Result } from '../../base/result.js';
import { parseSearch } from '../../contract/session-search.js';
import type { SessionHits } from '../../contract/session-list.js';
import { tellHits } from '../../respond/tell-hits.js';
import type { Environment } from '../world/environment.js';
import { readSession } from '../world/session-state.js';

/** Where in one session the words of a search stand: a list has many sessions, and reads none of them for it. */
export const readHits = (
  env: Environment,
  { session, query }: { readonly session: string; readonly query: string },
): Promise<Result<SessionHits, Rejection>> =>
  readSession(env, session, ({ state }, { id }) =>
    ok({ sessionId: id, hits: tellHits(id, state, parseSearch(query).words) }),
  );
