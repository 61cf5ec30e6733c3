import type { VersionId } from '../../base/ids.js';
import { applyPatch } from '../../base/patch/apply-patch.js';
import type { JsonPatch } from '../../base/patch/json-patch.js';
import { err, ok, type Result } from '../../base/result.js';
import type { EventData } from '../../events/event-data.js';
import type { EventDraft } from '../../events/event.js';
import type { FoldedSession } from '../../sessions/folded-session.js';
import type { SharedState } from '../../sessions/states/shared-state.js';
import { documentOf } from '../../sessions/states/state-document.js';
import { servedVersion } from '../../sessions/states/version-graph.js';
import { type JudgedBy, newVersion, type StateRefused } from './state-write.js';

export interface Settlement {
  readonly conflict: VersionId;
  readonly how: EventData<'state_settled'>['how'];
  readonly reason?: string;
  /** What the change did, where it is to be done now; and the id of the version that this makes. */
  readonly ops: JsonPatch;
  readonly id: VersionId;
}

/** A change that a merge set aside is done to the newest version now, or stays out. */
export function decideSettle(
  session: FoldedSession,
  state: SharedState,
  { conflict, how, reason, ops, id }: Settlement,
  { judge, who }: JudgedBy,
): Result<{ readonly version: VersionId | undefined; readonly events: readonly EventDraft[] }, StateRefused> {
  const by = who === undefined ? {} : { who };
  const settled: EventDraft = {
    kind: 'state_settled',
    ...by,
    data: { state: state.id, conflict, how, ...(reason !== undefined && { reason }) },
  };
  if (how === 'leave') return ok({ version: undefined, events: [settled] });
  if (state.closed !== undefined) return err({ kind: 'closed' });
  const head = servedVersion(state, session.versions);
  const document = head && documentOf(session, state, head);
  if (head === undefined || document === undefined)
    return err({ kind: 'unread', version: head ?? session.versions.get(conflict)! });
  const applied = applyPatch(document, ops, { replay: true });
  if (!applied.ok) return err({ kind: 'patch', problem: applied.error });
  try {
    if (!applied.value.changed) return ok({ version: undefined, events: [settled] });
    const violations = judge(head.schema, document.value);
    if (violations.length > 0) return err({ kind: 'invalid', violations });
    const made = newVersion(state, document, {
      version: id,
      from: head,
      mode: 'patch',
      ops,
      depth: head.depth + 1,
      ...by,
    });
    return ok({ version: id, events: [...made, settled] });
  } finally {
    applied.value.undo();
  }
}
