import { limits } from '../../base/limits.js';
import type { Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import { type HeldBy, heldByWords } from '../../contract/held-by.js';
import type { Environment } from '../world/environment.js';
import { heldElsewhere } from '../world/held-elsewhere.js';
import { stopRun } from './cancel-run.js';
import type { FoundRun } from './find-run.js';
import { untilLetGo } from './until-let-go.js';

/**
 * Ends a run for good that another one goes on from, also where it failed: what the other sends is not known to it. What
 * is under way in it is waited for, or the other would ask about a request whose answer is still to come.
 */
export async function takeFrom(env: Environment, found: FoundRun, takeOver: boolean): Promise<Result<void, Rejection>> {
  const stopped = await stopRun(env, found, 'another run goes on from it', { isAlways: true });
  if (!stopped.ok) return stopped;
  const { log, run } = found;
  const heldBy = heldElsewhere(env, log, run);
  if (heldBy !== undefined && takeOver) {
    await env.store.running.letGoFor(log.place, run);
    return ok(undefined);
  }
  if (heldBy !== undefined)
    return err({
      ...maybeElsewhere(heldBy, false),
      code: 'PRECONDITION_FAILED',
      again: [{ at: '/takeOver', to: true }],
      context: { sessionId: log.id, runId: run },
    });
  if (await untilLetGo(env, found, limits.repairsMs)) return ok(undefined);
  return err({
    code: 'PRECONDITION_FAILED',
    message: `a request of ${run} is still under way; that run was ended, nothing further is sent for it, and no other was started`,
    action: 'wait until its answer is there or its time is over, then make the same call again',
    nextCall: { tool: 'get_run', arguments: { runId: run, waitMs: limits.runWaitMs } },
    context: { sessionId: log.id, runId: run },
  });
}

/** Why it is not gone on with unasked: somebody elsewhere may be at it. */
export function maybeElsewhere(
  heldBy: HeldBy | undefined,
  isElsewhere: boolean,
): Pick<Rejection, 'message' | 'action'> {
  const anew = isElsewhere ? '; the user then agrees anew to what it sends' : '';
  if (heldBy === undefined)
    return {
      message:
        'this run was begun on another machine, or in another copy of this folder, which may still go on with it',
      action: `once nothing goes on with it there, make the same call with takeOver: true${anew}`,
    };
  return {
    message: `this run has been ${heldByWords(heldBy)}, and nobody here can see whether that process still runs; nothing was sent`,
    action: `once it is certain that it has ended (a container that was removed, a machine that was renamed), make the same call with takeOver: true${anew}`,
  };
}
