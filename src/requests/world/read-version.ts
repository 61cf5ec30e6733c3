import type { StateId, VersionId } from '../../base/ids.js';
import type { JsonObject, JsonValue } from '../../base/json-value.js';
import { openDocument } from '../../base/patch/live-document.js';
import type { EventPosition } from '../../events/event.js';
import type { SessionLog } from '../../log/port/session-log.js';
import type { FoldedSession } from '../../sessions/folded-session.js';
import type { Version } from '../../sessions/states/shared-state.js';
import { replayed } from '../../sessions/states/state-document.js';

/** The value of any version, from the log: the whole value that was kept last before it, and what was changed since. */
export async function readVersion(
  log: SessionLog<FoldedSession>,
  state: StateId,
  version: VersionId,
): Promise<JsonValue | undefined> {
  const way = await log.read((loaded) => wayTo(loaded.state, version));
  if (way === undefined) return undefined;
  const ops = new Map<VersionId, readonly JsonObject[]>();
  let value: JsonValue | undefined;
  for await (const { event } of log.events({ after: way.after })) {
    if (event.kind === 'state_kept' && event.data.version === way.kept && event.data.state === state)
      value = event.data.value;
    if (event.kind === 'state_changed' && way.changes.includes(event.data.version))
      ops.set(event.data.version, event.data.ops);
    if (value !== undefined && ops.size === way.changes.length) break;
  }
  const document = value === undefined ? undefined : openDocument(value);
  if (document?.ok !== true) return undefined;
  return replayed(
    document.value,
    way.changes.map((change) => ({ ops: ops.get(change) ?? [] })),
  ).value;
}

interface Way {
  /** The version whose value was kept. */
  readonly kept: VersionId;
  readonly after: EventPosition;
  /** Those behind it, in their order. */
  readonly changes: readonly VersionId[];
}

function wayTo({ versions }: FoldedSession, to: VersionId): Way | undefined {
  const changes: VersionId[] = [];
  let at: Version | undefined = versions.get(to);
  while (at !== undefined && at.since > 0) {
    changes.unshift(at.id);
    at = at.from === undefined ? undefined : versions.get(at.from);
  }
  return at && { kept: at.id, after: { ...at.position }, changes };
}
