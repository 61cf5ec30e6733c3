import type { Rejection } from '../../base/rejection.js';
import { ok, type Result } from '../../base/result.js';
import type { Environment } from '../world/environment.js';
import { changesSince } from './changes-since.js';
import { findState, type StateNamed } from './find-state.js';
import { readCursor } from './state-cursor.js';
import type { StateFollowers, StateTold } from './state-followers.js';

export interface StateFollowAsked extends StateNamed {
  /** A cursor, or the etag of a version; without one a snapshot comes first. */
  readonly since?: string | undefined;
  readonly signal: AbortSignal;
}

export interface StateFollowing {
  /** What came since cannot be told: a snapshot comes first. */
  readonly reset: boolean;
  readonly stateId: string;
  readonly messages: AsyncIterable<StateTold>;
}

/** A shared state as it changes, until the signal. */
export async function followState(
  env: Environment,
  followers: StateFollowers,
  { since, signal, ...named }: StateFollowAsked,
): Promise<Result<StateFollowing, Rejection>> {
  const found = await findState(env, named);
  if (!found.ok) return found;
  const { log, state } = found.value;
  const asked = since === undefined ? undefined : readCursor(since);
  const came = asked && (await changesSince(log, state, asked));
  const from = came?.kind === 'told' ? asked : undefined;
  const reset = since !== undefined && from === undefined;
  return ok({ reset, stateId: state, messages: followers.follow(found.value, from, signal) });
}
