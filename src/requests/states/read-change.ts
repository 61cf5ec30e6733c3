import type { VersionId } from '../../base/ids.js';
import type { JsonValue } from '../../base/json-value.js';
import type { Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import type { ChangeTold } from '../../contract/states-told.js';
import { compareEvents, type EventPosition } from '../../events/event.js';
import { tellWho } from '../../respond/states/tell-who.js';
import type { FoldedSession, RunNode } from '../../sessions/folded-session.js';
import { versionLabel } from '../../sessions/states/version-graph.js';
import type { Environment } from '../world/environment.js';
import { findState, type StateNamed } from './find-state.js';
import { namedVersion, type VersionNamed } from './named-version.js';
import { readRecorded } from '../world/read-changes.js';
import { notHere } from './state-rejections.js';

/** How a version came to be: what was recorded of it, and where the work stood then. */
export async function readChange(
  env: Environment,
  { version: wanted, ...named }: StateNamed & { readonly version: VersionNamed },
): Promise<Result<ChangeTold, Rejection>> {
  const found = await findState(env, named);
  if (!found.ok) return found;
  const { log, state: id } = found.value;
  const read = await log.read(({ state: session }) => {
    const state = session.states.get(id);
    if (state === undefined) return err(notHere(id));
    const version = namedVersion(session, state, wanted);
    if (!version.ok) return version;
    const { id: of, position, conflicts, from, mode, node } = version.value;
    const settled = state.settled.find(({ data }) => data.conflict === of);
    const put = node === undefined ? undefined : session.nodes.get(node);
    const step = put === undefined ? stepAt(session, position) : stepTold(put);
    const before = from === undefined ? undefined : session.versions.get(from);
    return ok({
      of: mode === 'create' ? undefined : of,
      after: before && { ...before.position },
      told: {
        state_id: id,
        etag: versionLabel(version.value),
        set_aside: conflicts.map((one) => labelOf(session, one)),
        ...(step !== undefined && { step }),
        ...(settled !== undefined && {
          settled: {
            at: settled.at,
            how: settled.data.how,
            ...(settled.data.reason !== undefined && { reason: settled.data.reason }),
            ...tellWho(settled.who),
          },
        }),
      },
    });
  });
  if (!read.ok) return read;
  const { of, after, told } = read.value;
  const recorded: JsonValue = of === undefined ? [] : [...((await readRecorded(log, [of], after)).get(of) ?? [])];
  return ok({ ...told, operations: recorded });
}

function labelOf({ versions }: FoldedSession, id: VersionId): string {
  const version = versions.get(id);
  return version === undefined ? id : versionLabel(version);
}

/** The step that was reached last before a place in the order of all. */
function stepAt({ nodes }: FoldedSession, position: EventPosition): ChangeTold['step'] {
  let newest: RunNode | undefined;
  for (const node of nodes.values()) {
    if (compareEvents(node.madeBy, position) > 0) continue;
    if (newest === undefined || compareEvents(node.madeBy, newest.madeBy) > 0) newest = node;
  }
  return newest && stepTold(newest);
}

const stepTold = ({ run, id, pending }: RunNode): ChangeTold['step'] => ({
  runId: run,
  nodeId: id,
  title: pending?.title ?? 'End of the run',
});
