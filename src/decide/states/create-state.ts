import { digestOf } from '../../base/digest.js';
import type { StateId, VersionId } from '../../base/ids.js';
import type { JsonValue } from '../../base/json-value.js';
import { openDocument, tooLarge } from '../../base/patch/live-document.js';
import type { PatchProblem } from '../../base/patch/patch-problem.js';
import { err, ok, type Result } from '../../base/result.js';
import type { EventDraft } from '../../events/event.js';
import type { StateSchema } from '../../events/state-events.js';
import type { FoldedSession } from '../../sessions/folded-session.js';
import type { SharedState } from '../../sessions/states/shared-state.js';
import type { JudgedBy, SchemaViolation } from './state-write.js';

export interface StateToCreate {
  readonly schema: StateSchema;
  readonly value: JsonValue;
  readonly from?: { readonly state: StateId; readonly version: VersionId };
  /** What it is to be called, where there is none yet that the same call has made. */
  readonly id: StateId;
  readonly version: VersionId;
}

export type CreateRefused =
  | { readonly kind: 'open'; readonly state: SharedState }
  | { readonly kind: 'problem'; readonly problem: PatchProblem }
  | { readonly kind: 'invalid'; readonly violations: readonly SchemaViolation[] };

/** A session has one state that is open; the same create again finds it. A fork is one more. */
export function decideStateCreate(
  { states }: FoldedSession,
  { schema, value, from, id, version }: StateToCreate,
  { judge, most, who }: JudgedBy,
): Result<{ readonly state: StateId; readonly events: readonly EventDraft[] }, CreateRefused> {
  const request = digestOf({ schema: schema.id, value, ...(from !== undefined && { from: { ...from } }) }).slice(0, 16);
  const others = [...states.values()].filter(({ closed }) => closed === undefined);
  const same = others.find(({ created }) => created.data.request === request);
  if (same !== undefined) return ok({ state: same.id, events: [] });
  const open = others.find(({ created }) => created.data.from === undefined);
  if (open !== undefined && from === undefined) return err({ kind: 'open', state: open });
  const document = openDocument(value);
  if (!document.ok) return err({ kind: 'problem', problem: document.error });
  const problem = most === undefined ? undefined : tooLarge(document.value, most);
  if (problem !== undefined) return err({ kind: 'problem', problem });
  const violations = judge(schema, value);
  if (violations.length > 0) return err({ kind: 'invalid', violations });
  const by = who === undefined ? {} : { who };
  const created = {
    state: id,
    version,
    schema,
    request,
    ...(from !== undefined && { from }),
    bytes: document.value.bytes,
  };
  return ok({
    state: id,
    events: [
      { kind: 'state_created', ...by, data: created },
      { kind: 'state_kept', ...by, data: { state: id, version, value } },
    ],
  });
}
