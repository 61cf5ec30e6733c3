import type { Rejection } from '../../base/rejection.js';
import { ok, type Result } from '../../base/result.js';
import type { RunGraph } from '../../contract/http-api.js';
import { runGraph } from '../../respond/run-graph.js';
import type { Environment } from '../world/environment.js';
import { readSession, runIn } from '../world/session-state.js';

/** The shape of one run. */
export async function readRunGraph(
  env: Environment,
  { session: wanted, run: wantedRun }: { readonly session: string; readonly run: string },
): Promise<Result<RunGraph, Rejection>> {
  return readSession(env, wanted, ({ state }, { id }) => {
    const run = runIn(id, state, wantedRun);
    return run.ok ? ok(runGraph(id, state, run.value, (at) => Date.parse(at))) : run;
  });
}
