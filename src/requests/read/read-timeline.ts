import type { Rejection } from '../../base/rejection.js';
import { ok, type Result } from '../../base/result.js';
import type { Timeline } from '../../contract/http-api.js';
import { tellEvent } from '../../respond/tell-event.js';
import { preferenceChangeWords } from '../../respond/preference-change-words.js';
import { preferenceChangesAt } from '../../sessions/preference-changes.js';
import { clockOrder } from '../../sessions/clock-order.js';
import { runsInOrder } from '../../sessions/runs-in-order.js';
import type { Environment } from '../world/environment.js';
import { settlingAnswers } from '../../sessions/person-answers.js';
import { readSession } from '../world/session-state.js';

/** Everything that happened in a session, each in one line, in lanes. */
export async function readTimeline(
  env: Environment,
  { session: wanted }: { readonly session: string },
): Promise<Result<Timeline, Rejection>> {
  const found = await readSession(env, wanted, ({ state }, log) =>
    ok({
      id: log.id,
      startedAt: state.startedAt,
      lastAt: state.lastAt,
      lanes: runsInOrder(state).map(({ id, started }) => ({
        runId: id,
        title: started.data.title,
        workflowId: started.data.workflowId,
      })),
      settling: settlingAnswers(state),
      changed: new Map(
        [...state.nodes.values()]
          .flatMap((node) => preferenceChangesAt(state, node))
          .map((change) => [change.event, preferenceChangeWords(change)]),
      ),
      events: log.events(),
    }),
  );
  if (!found.ok) return found;
  const { id: sessionId, startedAt, lastAt, lanes, settling, changed, events } = found.value;
  const laneOf = new Map<string, number>(lanes.map(({ runId }, index) => [runId, index]));
  const began = Date.parse(startedAt);
  const marks: Timeline['marks'][number][] = [];
  const isMerged = clockOrder();
  for await (const { event, file, line } of events) {
    const { seq, at, kind, says, event: sum, runId, nodeId } = tellEvent(event, { file, line });
    const lane = runId === undefined ? undefined : laneOf.get(runId);
    marks.push({
      seq,
      event: sum,
      at: Number.isNaN(began) ? 0 : Date.parse(at) - began,
      kind,
      ...(lane !== undefined && { lane }),
      ...(nodeId !== undefined && { nodeId }),
      ...(isMerged(event) && { merged: true as const }),
      ...(settling.has(sum) && { settles: true as const }),
      says: withChange(kind, says, changed.get(event.sum)),
    });
  }
  return ok({ sessionId, startedAt, lastAt, lanes, marks });
}

/** What a change of mode was before, only the whole session knows. */
const withChange = (kind: string, says: string, change: string | undefined): string =>
  change === undefined ? says : kind === 'preferences_changed' ? change : `${says}. ${change}`;
