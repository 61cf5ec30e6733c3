import type { StateId, VersionId } from '../../base/ids.js';
import type { Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import type { StateAnswer } from '../../contract/state-answers.js';
import { decideSettle, type Settlement } from '../../decide/states/settle-conflict.js';
import type { FoldedSession } from '../../sessions/folded-session.js';
import type { SharedState } from '../../sessions/states/shared-state.js';
import { versionLabel } from '../../sessions/states/version-graph.js';
import { drive, type Turn, turn } from '../world/drive.js';
import type { Environment } from '../world/environment.js';
import { findState, type FoundState, type StateNamed } from './find-state.js';
import { judgeState } from '../../decide/states/judge-state.js';
import { mergeTurn } from '../world/merge-state.js';
import { readChanges } from '../world/read-changes.js';
import { stateAt } from './read-state.js';
import { refusedWrite } from './refused-write.js';

export interface ConflictToSettle extends StateNamed {
  /** The label of the version whose change was set aside. */
  readonly conflict: string;
  readonly how: Settlement['how'];
  readonly reason?: string | undefined;
}

/** Says what becomes of a change that a merge could not do. */
export async function settleConflict(
  env: Environment,
  { conflict: label, how, reason, ...named }: ConflictToSettle,
): Promise<Result<StateAnswer, Rejection>> {
  const found = await findState(env, named);
  if (!found.ok) return found;
  const { log, state: id } = found.value;
  const conflict = label.slice(label.indexOf('-') + 1) as VersionId;
  const from = await log.read(({ state: session }) => {
    const version = session.versions.get(conflict);
    const before = version?.from === undefined ? undefined : session.versions.get(version.from);
    return { from: version?.from, after: before && { ...before.position } };
  });
  const ops = await readChanges(log, id, [{ id: conflict, from: from.from }], from.after);
  const settlement: Settlement = {
    conflict,
    how,
    ...(reason !== undefined && { reason }),
    ops: ops.get(conflict) ?? [],
    id: env.randomId() as VersionId,
  };
  const settled = await drive(
    log,
    await mergeTurn(log, id, env.caller, settleTurn(env, found.value, label, settlement)),
    'keyed',
  );
  return settled.ok ? stateAt(env, log, id, {}) : settled;
}

function settleTurn(
  env: Environment,
  { state: id }: FoundState,
  label: string,
  settlement: Settlement,
): Turn<undefined> {
  return turn<Rejection | undefined, undefined>(
    ({ state: session }) => {
      const state = session.states.get(id);
      if (state === undefined || !state.conflicts.has(settlement.conflict))
        return { answer: noConflict(session, state, id, label) };
      const who = env.caller === undefined ? {} : { who: env.caller };
      const decided = decideSettle(session, state, settlement, { judge: judgeState, ...who });
      if (decided.ok) return { answer: undefined, events: decided.value.events };
      return { answer: refusedWrite(session, state, decided.error, { at: '' }) };
    },
    (_loaded, rejection) => ({ done: rejection === undefined ? ok(undefined) : err(rejection) }),
  );
}

function noConflict(session: FoldedSession, state: SharedState | undefined, id: StateId, label: string): Rejection {
  const open = [...(state?.conflicts.keys() ?? [])].flatMap((one) => {
    const version = session.versions.get(one);
    return version === undefined ? [] : [versionLabel(version)];
  });
  return {
    code: 'NOT_FOUND',
    message: `${label} is no change of ${id} that waits to be settled${open.length === 0 ? '' : `; those are ${open.join(', ')}`}`,
    action: 'read the state: its conflicts name them',
    nextCall: { tool: 'state_read', arguments: { stateId: id } },
    context: { stateId: id },
  };
}
