import type { StateId, VersionId } from '../../base/ids.js';
import type { JsonValue } from '../../base/json-value.js';
import { jsonDifference } from '../../base/patch/json-difference.js';
import type { JsonPatch } from '../../base/patch/json-patch.js';
import type { EventPosition } from '../../events/event.js';
import type { SessionLog } from '../../log/port/session-log.js';
import type { FoldedSession } from '../../sessions/folded-session.js';
import { asPatch } from '../../sessions/states/state-document.js';
import { readVersion } from './read-version.js';

export interface ChangeToRead {
  readonly id: VersionId;
  readonly from: VersionId | undefined;
}

/** What changes did, from the log behind a position: a document that was written whole, as what it changed. */
export async function readChanges(
  log: SessionLog<FoldedSession>,
  state: StateId,
  changes: readonly ChangeToRead[],
  after: EventPosition | undefined,
): Promise<ReadonlyMap<VersionId, JsonPatch>> {
  const ops = await readRecorded(
    log,
    changes.map(({ id }) => id),
    after,
  );
  for (const { id, from } of changes) {
    const whole = wholeOf(ops.get(id));
    const before = whole === undefined || from === undefined ? undefined : await readVersion(log, state, from);
    if (whole !== undefined && before !== undefined) ops.set(id, jsonDifference(before, whole.value));
  }
  return ops;
}

/** The same as it was recorded. */
export async function readRecorded(
  log: SessionLog<FoldedSession>,
  changes: readonly VersionId[],
  after: EventPosition | undefined,
): Promise<Map<VersionId, JsonPatch>> {
  const wanted = new Set(changes);
  const ops = new Map<VersionId, JsonPatch>();
  for await (const { event } of log.events({ after })) {
    if (event.kind !== 'state_changed' || !wanted.has(event.data.version)) continue;
    ops.set(event.data.version, asPatch(event.data.ops));
    if (ops.size === wanted.size) break;
  }
  return ops;
}

function wholeOf(ops: JsonPatch | undefined): { readonly value: JsonValue } | undefined {
  const [only] = ops ?? [];
  return ops?.length === 1 && only?.path === '' && 'value' in only && only.op !== 'test'
    ? { value: only.value }
    : undefined;
}
