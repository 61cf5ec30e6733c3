import type { Rejection } from '../../base/rejection.js';
import { ok, type Result } from '../../base/result.js';
import type { SessionHead } from '../../contract/session-story.js';
import { troubleOf } from '../../respond/listed-session.js';
import { runHead } from '../../respond/run-graph.js';
import { besideRuns, runsInOrder } from '../../respond/session-story.js';
import type { Environment } from '../world/environment.js';
import { sessionState } from '../world/session-state.js';

/** A session without what its runs hold. */
export async function readSessionHead(
  env: Environment,
  { session: wanted }: { readonly session: string },
): Promise<Result<SessionHead, Rejection>> {
  const found = await sessionState(env, wanted);
  if (!found.ok) return found;
  const { log, loaded } = found.value;
  const { state: session, eventCount, findings } = loaded;
  const trouble = troubleOf(findings);
  return ok({
    ...besideRuns({ sessionId: log.id, place: log.root.kind, session, eventCount, findings }),
    folder: log.root.folder,
    runs: runsInOrder(session).map((run) => runHead(session, run)),
    ...(trouble !== undefined && { trouble }),
  });
}
