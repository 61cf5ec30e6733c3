import type { Rejection } from '../../base/rejection.js';
import type { WorkflowHash } from '../../base/ids.js';
import { ok, type Result } from '../../base/result.js';
import type { SessionHead } from '../../contract/session-story.js';
import type { CompiledWorkflow } from '../../definitions/compiled/compiled-workflow.js';
import { troubleOf } from '../../respond/listed-session.js';
import { runHead } from '../../respond/graph/run-graph.js';
import { besideRuns } from '../../respond/session-story.js';
import type { FoldedSession } from '../../sessions/folded-session.js';
import { runsInOrder } from '../../sessions/runs-in-order.js';
import type { Environment } from '../world/environment.js';
import { findSession } from '../world/find-session.js';
import { findingsTold } from '../world/findings-told.js';

/** A session without what its runs hold. */
export async function readSessionHead(
  env: Environment,
  { session: wanted }: { readonly session: string },
): Promise<Result<SessionHead, Rejection>> {
  const found = await findSession(env, wanted);
  if (!found.ok) return found;
  const log = env.store.open(found.value);
  const open = await log.read(({ state }) => openRunHashes(state));
  const pins = new Map<string, CompiledWorkflow>();
  for (const hash of open) {
    const pinned = await env.pinned.of(log, hash);
    if (pinned.ok) pins.set(hash, pinned.value);
  }
  return log.read(({ state: session, eventCount, findings }): Result<SessionHead, Rejection> => {
    const { id, place } = log;
    const trouble = troubleOf(findings);
    return ok({
      ...besideRuns({
        sessionId: id,
        place: place.kind,
        session,
        eventCount,
        findings: findingsTold(env, findings, id),
      }),
      folder: place.name,
      runs: runsInOrder(session).map((run) => runHead(session, run, pins.get(run.workflowHash))),
      ...(trouble !== undefined && { trouble }),
    });
  });
}

/** Of the runs that a step waits in: only those need their pins. */
const openRunHashes = ({ runs, nodes }: FoldedSession): readonly WorkflowHash[] => [
  ...new Set(
    [...runs.values()].flatMap(({ preferredTip, workflowHash }) =>
      nodes.get(preferredTip)?.pending === undefined ? [] : [workflowHash],
    ),
  ),
];
