import { limits } from '../../base/limits.js';
import type { Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import type { Environment } from '../world/environment.js';
import { stopRun } from './cancel-run.js';
import type { FoundRun } from './find-run.js';
import { untilLetGo } from './until-let-go.js';

/**
 * Ends a run for good that another one goes on from, also where it failed: what the other sends is not known to it. What
 * is under way in it is waited for, or the other would ask about a request whose answer is still to come.
 */
export async function takeFrom(env: Environment, found: FoundRun): Promise<Result<void, Rejection>> {
  const stopped = await stopRun(env, found, 'another run goes on from it', { isAlways: true });
  if (!stopped.ok) return stopped;
  if (await untilLetGo(env, found, limits.repairsMs)) return ok(undefined);
  const { log, run } = found;
  return err({
    code: 'PRECONDITION_FAILED',
    message: `a request of ${run} is still under way; that run was ended, nothing further is sent for it, and no other was started`,
    action: 'wait until its answer is there or its time is over, then make the same call again',
    nextCall: { tool: 'get_run', arguments: { runId: run, waitMs: limits.runWaitMs } },
    context: { sessionId: log.id, runId: run },
  });
}
