import type { JsonValue } from '../../base/json-value.js';
import { jsonDifference } from '../../base/patch/json-difference.js';
import { type JsonPointer, valueAt } from '../../base/patch/json-pointer.js';
import type { Rejection } from '../../base/rejection.js';
import { ok, type Result } from '../../base/result.js';
import type { StateAnswer } from '../../contract/state-answers.js';
import type { Environment } from '../world/environment.js';
import { findState, type StateNamed } from './find-state.js';
import type { VersionNamed } from './named-version.js';
import { stateAt } from './read-state.js';
import type { StateFollowers } from './state-followers.js';
import { waitOver } from './wait-over.js';

export interface StateWaitAsked extends StateNamed {
  /** Waits for a version newer than this one; without it and without `until`, for one newer than the newest now. */
  readonly since?: VersionNamed | undefined;
  /** Waits until this stands there. */
  readonly until?: { readonly at: JsonPointer; readonly value: JsonValue } | undefined;
  readonly timeoutMs?: number | undefined;
  readonly signal: AbortSignal;
}

export interface StateWaited {
  readonly state: StateAnswer;
  /** Absent where what was waited for has come. */
  readonly why?: 'timeout' | 'closed';
}

/** Waits for a change of a state, and tells how it is then. */
export async function waitForState(
  env: Environment,
  followers: StateFollowers,
  { since, until, timeoutMs, signal, ...named }: StateWaitAsked,
): Promise<Result<StateWaited, Rejection>> {
  const found = await findState(env, named);
  if (!found.ok) return found;
  const { log, state } = found.value;
  const now = await stateAt(env, log, state, typeof since === 'string' ? { version: since } : {});
  if (!now.ok) return now;
  const from = since ?? (until === undefined ? now.value.etag : undefined);
  const isNewer = ({ version, etag }: StateAnswer): boolean =>
    typeof from === 'number' ? version > from : from === undefined || etag !== from;
  const holds = ({ current_data: data }: StateAnswer): boolean => {
    const there = until && valueAt(data, until.at);
    return until === undefined || (there !== undefined && jsonDifference(there, until.value).length === 0);
  };
  const look = async (): Promise<Result<StateWaited, Rejection>> => {
    const read = await stateAt(env, log, state, {});
    if (!read.ok) return read;
    if (isNewer(read.value) && holds(read.value)) return ok({ state: read.value });
    return ok({ state: read.value, why: read.value.status === 'closed' ? ('closed' as const) : ('timeout' as const) });
  };
  const isDone = (seen: Result<StateWaited, Rejection>): boolean => !seen.ok || seen.value.why !== 'timeout';
  const first = await look();
  if (isDone(first)) return first;
  const wait = (over: AbortSignal): Promise<typeof first | undefined> =>
    followers.wait(found.value, over, look, isDone);
  return (await waitOver(signal, timeoutMs, wait)) ?? first;
}
