import type { Rejection } from '../../base/rejection.js';
import { ok, type Result } from '../../base/result.js';
import type { RunGraph } from '../../contract/http-api.js';
import { runGraph } from '../../respond/graph/run-graph.js';
import type { Environment } from '../world/environment.js';
import { findSession } from '../world/find-session.js';
import { runIn } from '../world/session-state.js';

/** The shape of one run. */
export async function readRunGraph(
  env: Environment,
  { session: wanted, run: wantedRun }: { readonly session: string; readonly run: string },
): Promise<Result<RunGraph, Rejection>> {
  const found = await findSession(env, wanted);
  if (!found.ok) return found;
  const log = env.store.open(found.value);
  const hash = await log.read(({ state }) => {
    const run = runIn(log.id, state, wantedRun);
    return run.ok ? ok(run.value.workflowHash) : run;
  });
  if (!hash.ok) return hash;
  const pinned = await env.pinned.of(log, hash.value);
  return log.read(({ state: session }): Result<RunGraph, Rejection> => {
    const run = runIn(log.id, session, wantedRun);
    if (!run.ok) return run;
    const workflow = pinned.ok ? pinned.value : undefined;
    return ok(runGraph({ sessionId: log.id, session, run: run.value, workflow, timeOf: (at) => Date.parse(at) }));
  });
}
