import type { Rejection } from '../../base/rejection.js';
import { ok, type Result } from '../../base/result.js';
import type { Timeline } from '../../contract/http-api.js';
import { tellEvent } from '../../respond/tell-event.js';
import { runsInOrder } from '../../respond/session-story.js';
import type { Environment } from '../world/environment.js';
import { sessionState } from '../world/session-state.js';

/** Everything that happened in a session, each in one line, in lanes. */
export async function readTimeline(
  env: Environment,
  { session: wanted }: { readonly session: string },
): Promise<Result<Timeline, Rejection>> {
  const found = await sessionState(env, wanted);
  if (!found.ok) return found;
  const { log, loaded } = found.value;
  const { startedAt, lastAt } = loaded.state;
  const runs = runsInOrder(loaded.state);
  const lanes = new Map<string, number>(runs.map(({ id }, index) => [id, index]));
  const began = Date.parse(startedAt);
  const marks: Timeline['marks'][number][] = [];
  for (const { event, file, line } of log.events()) {
    const { seq, at, kind, says, event: sum, runId, nodeId } = tellEvent(event, { file, line });
    const lane = runId === undefined ? undefined : lanes.get(runId);
    marks.push({
      seq,
      event: sum,
      at: Number.isNaN(began) ? 0 : Date.parse(at) - began,
      kind,
      ...(lane !== undefined && { lane }),
      ...(nodeId !== undefined && { nodeId }),
      says,
    });
  }
  return ok({
    sessionId: log.id,
    startedAt,
    lastAt,
    lanes: runs.map(({ id, started }) => ({
      runId: id,
      title: started.data.title,
      workflowId: started.data.workflowId,
    })),
    marks,
  });
}
