import { limits } from '../../base/limits.js';
import type { Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import type { ChangesOfState } from '../../contract/state-messages.js';
import { servedVersion, versionLabel } from '../../sessions/states/version-graph.js';
import type { Environment } from '../world/environment.js';
import { changesSince } from './changes-since.js';
import { findState, type FoundState, type StateNamed } from './find-state.js';
import { namedVersion, type VersionNamed } from './named-version.js';
import type { StateFollowers } from './state-followers.js';
import { waitOver } from './wait-over.js';

export interface StateChangesAsked extends StateNamed {
  /** The newest where it is left out. */
  readonly since?: VersionNamed | undefined;
  readonly waitMs?: number | undefined;
  readonly signal: AbortSignal;
}

/** What was written to a state since a version; where nothing was, waits for it a while. */
export async function changesOfState(
  env: Environment,
  followers: StateFollowers,
  { since, waitMs = 0, signal, ...named }: StateChangesAsked,
): Promise<Result<ChangesOfState, Rejection>> {
  const found = await findState(env, named);
  if (!found.ok) return found;
  const { log, state } = found.value;
  const from = await etagOf(found.value, since);
  if (!from.ok) return from;
  const look = async (): Promise<Result<ChangesOfState, Rejection>> => {
    const came = await changesSince(log, state, { etag: from.value, closed: false, conflicts: '' });
    if (came.kind !== 'told') return err(noLonger(state));
    return ok({ state_id: state, ...came.at, changes: came.updates, upToDate: came.isAll });
  };
  // A state that is closed brings nothing more.
  const isDone = (seen: Result<ChangesOfState, Rejection>): boolean =>
    !seen.ok || seen.value.changes.length > 0 || seen.value.status === 'closed';
  const first = await look();
  if (isDone(first) || waitMs === 0) return first;
  const wait = (over: AbortSignal): Promise<typeof first | undefined> =>
    followers.wait(found.value, over, look, isDone);
  return (await waitOver(signal, Math.min(waitMs, limits.stateWaitMs), wait)) ?? first;
}

function etagOf({ log, state: id }: FoundState, since: VersionNamed | undefined): Promise<Result<string, Rejection>> {
  return log.read(({ state: session }): Result<string, Rejection> => {
    const state = session.states.get(id);
    const served = state && servedVersion(state, session.versions);
    if (state === undefined || served === undefined) return err(noLonger(id));
    const version = since === undefined ? ok(served) : namedVersion(session, state, since);
    return version.ok ? ok(versionLabel(version.value)) : version;
  });
}

const noLonger = (state: string): Rejection => ({
  code: 'NOT_FOUND',
  message: `what was written to ${state} since that version cannot be read: lines were withdrawn, or files of its session are gone`,
  action: 'read the state as it is now, and go on from there',
  nextCall: { tool: 'state_read', arguments: { stateId: state } },
  context: { stateId: state },
});
