import type { VersionId } from '../../base/ids.js';
import { applyPatch } from '../../base/patch/apply-patch.js';
import type { JsonPatch } from '../../base/patch/json-patch.js';
import { err, ok, type Result } from '../../base/result.js';
import type { EventDraft } from '../../events/event.js';
import type { StateSchema } from '../../events/state-events.js';
import type { FoldedSession } from '../../sessions/folded-session.js';
import type { SharedState } from '../../sessions/states/shared-state.js';
import { documentOf } from '../../sessions/states/state-document.js';
import { servedVersion } from '../../sessions/states/version-graph.js';
import { type JudgedBy, newVersion, type StateRefused } from './state-write.js';

export interface Migration {
  readonly schema: StateSchema;
  readonly ops: JsonPatch;
  readonly id: VersionId;
}

/** One version that has another schema than the one before. Where it has that already and nothing changes, nothing is made. */
export function decideMigrate(
  session: FoldedSession,
  state: SharedState,
  { schema, ops, id }: Migration,
  { judge, who }: JudgedBy,
): Result<readonly EventDraft[], StateRefused> {
  if (state.closed !== undefined) return err({ kind: 'closed' });
  const head = servedVersion(state, session.versions);
  const document = head && documentOf(session, state, head);
  if (head === undefined) return err({ kind: 'closed' });
  if (document === undefined) return err({ kind: 'unread', version: head });
  const applied = applyPatch(document, ops);
  if (!applied.ok) return err({ kind: 'patch', problem: applied.error });
  try {
    if (!applied.value.changed && head.schema.id === schema.id) return ok([]);
    const violations = judge(schema, document.value);
    if (violations.length > 0) return err({ kind: 'invalid', violations });
    const made = { version: id, from: head, mode: 'migrate', ops, depth: head.depth + 1, schema } as const;
    return ok(newVersion(state, document, { ...made, ...(who !== undefined && { who }) }));
  } finally {
    applied.value.undo();
  }
}
