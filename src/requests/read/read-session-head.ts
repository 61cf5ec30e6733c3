import type { Rejection } from '../../base/rejection.js';
import { ok, type Result } from '../../base/result.js';
import type { SessionHead } from '../../contract/session-story.js';
import { troubleOf } from '../../respond/listed-session.js';
import { runHead } from '../../respond/run-graph.js';
import { besideRuns } from '../../respond/session-story.js';
import { runsInOrder } from '../../sessions/runs-in-order.js';
import type { Environment } from '../world/environment.js';
import { findingsTold } from '../world/findings-told.js';
import { readSession } from '../world/session-state.js';

/** A session without what its runs hold. */
export async function readSessionHead(
  env: Environment,
  { session: wanted }: { readonly session: string },
): Promise<Result<SessionHead, Rejection>> {
  return readSession(env, wanted, ({ state: session, eventCount, findings }, { id, place }) => {
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
      runs: runsInOrder(session).map((run) => runHead(session, run)),
      ...(trouble !== undefined && { trouble }),
    });
  });
}
