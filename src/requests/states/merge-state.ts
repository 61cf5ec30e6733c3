import type { StateId, VersionId } from '../../base/ids.js';
import type { JsonValue } from '../../base/json-value.js';
import type { JsonPatch } from '../../base/patch/json-patch.js';
import { openDocument } from '../../base/patch/live-document.js';
import { changesToMerge, mergeHeads } from '../../decide/states/merge-heads.js';
import type { Who } from '../../events/event.js';
import type { SessionLog } from '../../log/port/session-log.js';
import type { FoldedSession } from '../../sessions/folded-session.js';
import { type Turn, turn } from '../world/drive.js';
import { judgeState } from './judge-state.js';
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
