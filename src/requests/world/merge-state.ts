import type { NodeId, StateId, VersionId } from '../../base/ids.js';
import type { JsonValue } from '../../base/json-value.js';
import type { JsonPatch } from '../../base/patch/json-patch.js';
import type { Rejection } from '../../base/rejection.js';
import { ok, type Result } from '../../base/result.js';
import { openDocument } from '../../base/patch/live-document.js';
import { changesToMerge, mergeHeads } from '../../decide/states/merge-heads.js';
import type { CompiledWorkflow } from '../../definitions/compiled/compiled-workflow.js';
import { placesOf } from '../../definitions/compiled/place.js';
import type { Who } from '../../events/event.js';
import type { SessionLog } from '../../log/port/session-log.js';
import type { FoldedSession, RunNode } from '../../sessions/folded-session.js';
import { stateOfSession } from '../../sessions/states/state-of-session.js';
import { headsOf } from '../../sessions/states/version-graph.js';
import { drive, type Turn, turn } from './drive.js';
import { judgeState } from '../../decide/states/judge-state.js';
import { readChanges } from './read-changes.js';
import { readVersion } from './read-version.js';

/** What clones have written side by side becomes one version, before anybody goes on from it. */
export async function mergeTurn<A>(
  log: SessionLog<FoldedSession>,
  id: StateId,
  who: Who | undefined,
  then: Turn<A>,
): Promise<Turn<A>> {
  const read = await readForMerge(log, id);
  if (read === undefined) return then;
  return turn<undefined, A>(
    ({ state: session }) => {
      const state = session.states.get(id);
      const found = state && changesToMerge(session, state);
      // Others may have merged, or written, since what is needed was read: then the next look is at that.
      const isSame =
        found?.heads[0]?.id === read.head &&
        [...found.missing, ...found.theirs].every((change) => read.ops.has(change.id));
      const document = isSame ? openDocument(read.value) : undefined;
      if (state === undefined || document?.ok !== true) return { answer: undefined };
      const opsOf = ({ id: of }: { readonly id: VersionId }): JsonPatch => read.ops.get(of) ?? [];
      const by = who === undefined ? {} : { who };
      return {
        answer: undefined,
        events: mergeHeads(session, state, { head: document.value, opsOf }, { judge: judgeState, ...by }),
      };
    },
    () => ({ next: () => Promise.resolve(then) }),
  ) as Turn<A>;
}

interface ReadForMerge {
  readonly head: VersionId;
  readonly value: JsonValue;
  readonly ops: ReadonlyMap<VersionId, JsonPatch>;
}

async function readForMerge(log: SessionLog<FoldedSession>, id: StateId): Promise<ReadForMerge | undefined> {
  const found = await log.read(({ state: session }) => {
    const state = session.states.get(id);
    const merge = state && changesToMerge(session, state);
    if (state === undefined || merge === undefined) return undefined;
    const changes = [...merge.missing, ...merge.theirs].map(({ id: change, from }) => ({ id: change, from }));
    const first = [...merge.missing, ...merge.theirs].reduce((a, b) => (b.position.seq < a.position.seq ? b : a));
    const before = first.from === undefined ? undefined : session.versions.get(first.from);
    return { head: merge.heads[0]!.id, changes, after: before && { ...before.position } };
  });
  if (found === undefined) return undefined;
  const value = await readVersion(log, id, found.head);
  if (value === undefined) return undefined;
  const ops = await readChanges(log, id, found.changes, found.after);
  return { head: found.head, value, ops };
}

/** The state that the step at a node puts something into, where clones have written to it side by side. */
export function stateToMerge(
  session: FoldedSession,
  workflow: CompiledWorkflow,
  { pending }: Pick<RunNode, 'pending'>,
): StateId | undefined {
  const step = placesOf(workflow).get(pending?.id ?? '')?.step;
  const state = step !== undefined && 'puts' in step ? stateOfSession(session) : undefined;
  if (state === undefined || state.closed !== undefined) return undefined;
  return headsOf(state, session.versions).length > 1 ? state.id : undefined;
}

/** Merges it, where WorkRail does the step itself. */
export async function mergeBeforePut(
  log: SessionLog<FoldedSession>,
  workflow: CompiledWorkflow,
  at: NodeId,
): Promise<void> {
  const id = await log.read(({ state }) => {
    const node = state.nodes.get(at);
    return node && stateToMerge(state, workflow, node);
  });
  if (id !== undefined) await mergeNow(log, id, undefined);
}

/** Merges what clones have written side by side, and nothing else. */
export async function mergeNow(
  log: SessionLog<FoldedSession>,
  id: StateId,
  who: Who | undefined,
): Promise<Result<undefined, Rejection>> {
  const merged = turn<undefined, undefined>(
    () => ({ answer: undefined }),
    () => ({ done: ok(undefined) }),
  );
  return drive(log, await mergeTurn(log, id, who, merged), 'keyed');
}
