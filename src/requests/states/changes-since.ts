import type { StateId, VersionId } from '../../base/ids.js';
import type { JsonObject, JsonValue } from '../../base/json-value.js';
import { limits } from '../../base/limits.js';
import { jsonDifference } from '../../base/patch/json-difference.js';
import { plainCopy } from '../../base/plain-copy.js';
import type { ChangesOfState, StateMessage, StateUpdated } from '../../contract/state-messages.js';
import type { SessionLog } from '../../log/port/session-log.js';
import { tellState } from '../../respond/states/tell-state.js';
import type { FoldedSession } from '../../sessions/folded-session.js';
import { documentOf } from '../../sessions/states/state-document.js';
import { servedVersion } from '../../sessions/states/version-graph.js';
import { readVersion } from '../world/read-version.js';
import { cursorAt, type StateCursor } from './state-cursor.js';
import { type VersionStep, waySince, whoDid } from './way-since.js';

/** What came of a state since somebody was told of it. */
export type ChangesSince =
  | {
      readonly kind: 'told';
      readonly updates: readonly StateUpdated[];
      /** What is told of it beside its versions; only once all of them are told. */
      readonly beside: readonly StateMessage[];
      readonly cursor: StateCursor;
      readonly isAll: boolean;
      /** The version that is told last, and how the state stands. */
      readonly at: Pick<ChangesOfState, 'version' | 'etag' | 'status' | 'conflicts'>;
    }
  /** What was told cannot be found, or what lies between cannot be read: the whole state is to be told. */
  | { readonly kind: 'unknown' }
  /** The state is not there. */
  | { readonly kind: 'gone' };

export async function changesSince(
  log: SessionLog<FoldedSession>,
  id: StateId,
  since: StateCursor,
): Promise<ChangesSince> {
  const look = await log.read(({ state: session }) => {
    const state = session.states.get(id);
    const served = state && servedVersion(state, session.versions);
    if (state === undefined || served === undefined) return undefined;
    const { conflicts, status, version, etag } = tellState(session, state, served, { sessionId: log.id });
    const closed: StateMessage | undefined = state.closed && {
      event_type: 'workflow_state_closed',
      state_id: id,
      version,
      etag,
      reason: state.closed.data.reason,
      ...whoDid(session, state.closed.who, id),
      timestamp: state.closed.at,
    };
    return { way: waySince(session, state, since.etag, served), conflicts, status, version, etag, closed };
  });
  if (look === undefined) return { kind: 'gone' };
  const { way, conflicts, status, version, etag, closed } = look;
  // Whoever was told that it is closed, or is told by a version that is not there, has seen another past.
  if (way.kind === 'unknown' || (since.closed && status === 'open')) return { kind: 'unknown' };
  const updates = way.kind === 'aside' ? await stepAside(log, id, way) : await operationsOf(log, way.steps);
  if (updates === undefined) return { kind: 'unknown' };
  const fault = updates.length === 0 ? undefined : await log.confirm();
  // Whoever hears of a version may act on it: it must not be lost with the power.
  if (fault !== undefined) throw new Error(fault.message);
  const isAll = way.kind === 'aside' || (way.isAll && updates.length === way.steps.length);
  const last = updates.at(-1);
  const at = { status, conflicts, version: last?.version ?? version, etag: last?.etag ?? etag };
  if (!isAll) return { kind: 'told', updates, beside: [], cursor: { ...since, etag: at.etag }, isAll, at };
  const cursor = cursorAt({ etag, status, conflicts });
  const beside: StateMessage[] = [];
  if (cursor.conflicts !== since.conflicts)
    beside.push({ event_type: 'workflow_state_conflicts', state_id: id, version, etag, conflicts });
  if (closed !== undefined && !since.closed) beside.push(closed);
  return { kind: 'told', updates, beside, cursor, isAll, at };
}

/** Each with its operations, from memory or from the log: as many as are told at once. Undefined where the log has lost some. */
async function operationsOf(
  log: SessionLog<FoldedSession>,
  steps: readonly VersionStep[],
): Promise<readonly StateUpdated[] | undefined> {
  const known = new Map<VersionId, readonly JsonObject[]>();
  let bytes = 0;
  const first = steps.find(({ ops }) => ops === undefined);
  if (first !== undefined) {
    const wanted = new Set(steps.flatMap(({ id, ops }) => (ops === undefined ? [id] : [])));
    for await (const { event } of log.events({ after: first.after })) {
      if (event.kind !== 'state_changed' || !wanted.delete(event.data.version)) continue;
      known.set(event.data.version, event.data.ops);
      bytes += JSON.stringify(event.data.ops).length;
      if (wanted.size === 0 || bytes > limits.missedBytes) break;
    }
  }
  const updates: StateUpdated[] = [];
  for (const { id, told, ops = known.get(id) } of steps) {
    if (ops === undefined) break;
    updates.push({ ...told, operations: withoutTests(ops) });
  }
  return updates.length === 0 && steps.length > 0 ? undefined : updates;
}

/** What a write tested was so when it was written; whoever does it again has nothing to test. */
const withoutTests = (ops: readonly JsonObject[]): JsonValue => ops.filter(({ op }) => op !== 'test');

async function stepAside(
  log: SessionLog<FoldedSession>,
  state: StateId,
  { from, step }: { readonly from: VersionId; readonly step: VersionStep },
): Promise<readonly StateUpdated[] | undefined> {
  const [before, after] = [await valueOf(log, state, from), await valueOf(log, state, step.id)];
  if (before === undefined || after === undefined) return undefined;
  return [{ ...step.told, operations: [...jsonDifference(before.value, after.value)] as JsonValue }];
}

async function valueOf(
  log: SessionLog<FoldedSession>,
  id: StateId,
  version: VersionId,
): Promise<{ readonly value: JsonValue } | undefined> {
  const known = await log.read(({ state: session }) => {
    const [state, of] = [session.states.get(id), session.versions.get(version)];
    const document = state && of && documentOf(session, state, of);
    return document && (plainCopy({ value: document.value }) as { readonly value: JsonValue });
  });
  if (known !== undefined) return known;
  const value = await readVersion(log, id, version);
  return value === undefined ? undefined : { value };
}
