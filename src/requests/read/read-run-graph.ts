import type { Rejection } from '../../base/rejection.js';
import { ok, type Result } from '../../base/result.js';
import type { RunGraph } from '../../contract/http-api.js';
import { runGraph } from '../../respond/run-graph.js';
import type { Environment } from '../world/environment.js';
import { runIn, sessionState } from '../world/session-state.js';

/** The shape of one run. */
export async function readRunGraph(
  env: Environment,
  { session: wanted, run: wantedRun }: { readonly session: string; readonly run: string },
): Promise<Result<RunGraph, Rejection>> {
  const found = await sessionState(env, wanted);
  if (!found.ok) return found;
  const { log, loaded } = found.value;
  const run = runIn(log.id, loaded.state, wantedRun);
  return run.ok ? ok(runGraph(log.id, loaded.state, run.value, (at) => Date.parse(at))) : run;
}
