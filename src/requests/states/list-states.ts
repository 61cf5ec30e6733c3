import { limits } from '../../base/limits.js';
import type { Rejection } from '../../base/rejection.js';
import { ok, type Result } from '../../base/result.js';
import type { StateListed, StatesTold } from '../../contract/states-told.js';
import type { Environment } from '../world/environment.js';
import { unreadableIn } from '../world/session-list-page.js';

export interface StatesAsked {
  /** Name or id of a session. */
  readonly session?: string | undefined;
  readonly schema?: string | undefined;
  readonly status?: StateListed['status'] | undefined;
  readonly limit?: number | undefined;
}

/** The shared states of all sessions, the one written last first. They stand in the register: no log is opened. */
export async function listStates(
  env: Environment,
  { session, schema, status, limit = limits.apiPage }: StatesAsked,
): Promise<Result<StatesTold, Rejection>> {
  const known = await env.register.look(false);
  const found = known
    .flatMap(({ states = [] }) => states)
    .filter(
      (state) =>
        (session === undefined || session === state.root_session_name || session === state.root_session_id) &&
        (schema === undefined || schema === state.schema_name) &&
        (status === undefined || status === state.status),
    )
    .toSorted((a, b) =>
      a.updated_at === b.updated_at ? (a.state_id < b.state_id ? -1 : 1) : a.updated_at < b.updated_at ? 1 : -1,
    );
  return ok({ states: found.slice(0, limit), found: found.length, unreadable: unreadableIn(known) });
}
