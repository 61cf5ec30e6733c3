import type { VersionId } from '../../base/ids.js';
import type { JsonValue } from '../../base/json-value.js';
import { limits } from '../../base/limits.js';
import { byteLength } from '../../base/byte-budget.js';
import { applyPatch } from '../../base/patch/apply-patch.js';
import { jsonDifference } from '../../base/patch/json-difference.js';
import type { JsonPatch } from '../../base/patch/json-patch.js';
import { type LiveDocument, openDocument, tooLarge } from '../../base/patch/live-document.js';
import type { PatchProblem } from '../../base/patch/patch-problem.js';
import { err, ok, type Result } from '../../base/result.js';
import type { EventData } from '../../events/event-data.js';
import type { EventDraft, Who } from '../../events/event.js';
import type { StateSchema } from '../../events/state-events.js';
import type { FoldedSession } from '../../sessions/folded-session.js';
import type { SharedState, Version } from '../../sessions/states/shared-state.js';
import { documentOf } from '../../sessions/states/state-document.js';
import { apart, headsOf } from '../../sessions/states/version-graph.js';
import { touchingChange } from './touching-change.js';

/** What is wrong with a value, by its schema. */
export interface SchemaViolation {
  readonly path: string;
  readonly message: string;
}
export type JudgeState = (schema: StateSchema, value: JsonValue) => readonly SchemaViolation[];

/** A new value for a state, or operations that lead to it. */
export type StateAsked =
  | { readonly mode: 'update'; readonly value: JsonValue }
  | { readonly mode: 'patch'; readonly ops: JsonPatch };

/** What the writer knew of the state. */
export interface WriterKnew {
  /** The version that the write is made from; without one the newest is meant. */
  readonly base?: Version;
  /** Its value, where the fold does not have it any more. */
  readonly baseValue?: JsonValue;
  /** Nothing else may have been written since. */
  readonly exactly: boolean;
  /** The id of the version that the write makes: the same write again finds it. */
  readonly id: VersionId;
}

export interface StateWritten {
  readonly version: VersionId;
  readonly events: readonly EventDraft[];
  /** It was written before, or changes nothing. */
  readonly was?: 'written' | 'so';
  /** Versions between what the writer knew and what was there. */
  readonly over: readonly Version[];
}

export type StateRefused =
  | { readonly kind: 'closed' }
  | { readonly kind: 'conflict'; readonly head: Version; readonly base: Version; readonly with?: Version }
  | { readonly kind: 'patch'; readonly problem: PatchProblem }
  | { readonly kind: 'invalid'; readonly violations: readonly SchemaViolation[] }
  /** The value of this version has to be read from the log first. */
  | { readonly kind: 'unread'; readonly version: Version };

export interface JudgedBy {
  readonly judge: JudgeState;
  /** The most that a document may have, where that is less than anywhere. */
  readonly most?: number;
  readonly who?: Who;
}

/** One write to the newest version of a state. Pure but for the value of the head, which is changed and put back. */
export function decideStateWrite(
  session: FoldedSession,
  state: SharedState,
  asked: StateAsked,
  { base, baseValue, exactly, id }: WriterKnew,
  by: JudgedBy,
): Result<StateWritten, StateRefused> {
  if (session.versions.has(id)) return ok({ version: id, events: [], was: 'written', over: [] });
  if (state.closed !== undefined) return err({ kind: 'closed' });
  const heads = headsOf(state, session.versions);
  const [head] = heads;
  if (head === undefined) return err({ kind: 'closed' });
  const over = base === undefined || base.id === head.id ? [] : writtenSince(session, base, head);
  if (base !== undefined && exactly && over.length > 0) return err({ kind: 'conflict', head, base });
  const document = documentOf(session, state, head);
  if (document === undefined) return err({ kind: 'unread', version: head });
  const behind = base !== undefined && over.length > 0 ? base : undefined;
  const known = behind === undefined ? document.value : (baseValue ?? documentOf(session, state, behind)?.value);
  if (known === undefined) return err({ kind: 'unread', version: behind ?? head });
  const ops = asked.mode === 'patch' ? asked.ops : jsonDifference(known, asked.value);
  // What clones have written side by side stays apart until somebody merges it.
  const covers = [...state.leaves].filter((leaf) => heads.every((one) => one.id !== leaf));
  return decideOn(state, document, { head, behind, over, ops, asked, id, covers }, by);
}

interface OnHead {
  readonly head: Version;
  /** What the writer knew, where that is not the head. */
  readonly behind: Version | undefined;
  readonly over: readonly Version[];
  readonly ops: JsonPatch;
  readonly asked: StateAsked;
  readonly id: VersionId;
  readonly covers: readonly VersionId[];
}

function decideOn(
  state: SharedState,
  document: LiveDocument,
  { head, behind, over, ops, asked, id, covers }: OnHead,
  { judge, most, who }: JudgedBy,
): Result<StateWritten, StateRefused> {
  const other = behind && touchingChange(state, document.value, ops, over);
  const applied = applyPatch(document, ops);
  if (!applied.ok)
    return err(
      behind === undefined ? { kind: 'patch', problem: applied.error } : { kind: 'conflict', head, base: behind },
    );
  const { changed, undo } = applied.value;
  try {
    if (!changed) return ok({ version: head.id, events: [], was: 'so', over });
    if (other !== undefined) return err({ kind: 'conflict', head, base: behind ?? head, with: other });
    const problem = most === undefined ? undefined : tooLarge(document, most);
    // What is too large already may become smaller.
    if (problem !== undefined && document.bytes > head.bytes) return err({ kind: 'patch', problem });
    const violations = judge(head.schema, document.value);
    if (violations.length > 0) return err({ kind: 'invalid', violations });
    const events = newVersion(state, document, {
      version: id,
      from: head,
      mode: asked.mode,
      ops,
      depth: head.depth + 1,
      ...(behind !== undefined && { asked: behind.id }),
      covers,
      ...(who !== undefined && { who }),
    });
    return ok({ version: id, events, over });
  } finally {
    undo();
  }
}

/** The changes in one version that are not in another, in their order. */
function writtenSince({ versions }: FoldedSession, base: Version, head: Version): readonly Version[] {
  const ways = apart(versions, [base, head]);
  return ways?.between.flatMap(({ version, parts }) => (parts.has(1) && !parts.has(0) ? [version] : [])) ?? [head];
}

interface NewVersion {
  readonly version: VersionId;
  readonly from: Version;
  readonly mode: EventData<'state_changed'>['mode'];
  readonly ops: JsonPatch;
  readonly depth: number;
  readonly asked?: VersionId;
  readonly merged?: readonly VersionId[];
  readonly conflicts?: readonly VersionId[];
  /** Leaves that say nothing that is not in it. */
  readonly covers?: readonly VersionId[];
  readonly schema?: StateSchema;
  readonly who?: Who;
}

/** The lines of a version whose value stands in `document`: whole now and then, so that no version is far from a whole one. */
export function newVersion(
  state: SharedState,
  { value, bytes }: LiveDocument,
  { version, from, mode, ops, depth, asked, merged = [], conflicts = [], covers = [], schema, who }: NewVersion,
): readonly EventDraft[] {
  const recorded = shorter(ops, value, bytes);
  const others = [...merged, ...covers];
  const data: EventData<'state_changed'> = {
    state: state.id,
    version,
    from: from.id,
    depth,
    mode,
    ops: [...recorded],
    bytes,
    ...(asked !== undefined && { asked }),
    ...(others.length > 0 && { merged: others }),
    ...(conflicts.length > 0 && { conflicts: [...conflicts] }),
    ...(schema !== undefined && { schema }),
  };
  const since = from.since + byteLength(JSON.stringify(recorded));
  const by = who === undefined ? {} : { who };
  const changed: EventDraft = { kind: 'state_changed', ...by, data };
  // What a merge is from may stand on versions whose whole value nobody keeps in memory any more.
  if (mode !== 'merge' && since <= Math.max(limits.keptStateAfter, limits.keptStateTimes * bytes)) return [changed];
  return [changed, { kind: 'state_kept', ...by, data: { state: state.id, version, value: copyOf(value) } }];
}

/**
 * The value itself, where what makes it is long and longer: whoever merges takes a whole value for a change of everything.
 * Checks stay as they were sent.
 */
function shorter(ops: JsonPatch, value: JsonValue, bytes: number): JsonPatch {
  if (byteLength(JSON.stringify(ops)) <= Math.max(bytes + 40, limits.stateOperations)) return ops;
  return [{ op: 'replace', path: '', value: copyOf(value) }];
}

/** The document goes on changing in place. */
function copyOf(value: JsonValue): JsonValue {
  const opened = openDocument(value);
  return opened.ok ? opened.value.value : value;
}
