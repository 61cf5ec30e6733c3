import type { Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import type { Reply } from '../../contract/reply.js';
import type { RunAnswer } from '../../contract/run-answers.js';
import { runReply } from '../../respond/runs/run-replies.js';
import { tellRunState } from '../../respond/runs/tell-run-state.js';
import { sealerFor } from '../../respond/sealer.js';
import type { Environment } from '../world/environment.js';
import { heldElsewhere, isDriven } from '../world/held-elsewhere.js';
import type { FoundRun } from './find-run.js';

/** A run as it stands now. Nothing is sent for it. */
export async function runTold(
  env: Environment,
  { log, run: id, workflow }: FoundRun,
): Promise<Result<RunAnswer, Rejection>> {
  const sealer = sealerFor(env.keys.all(), log.id);
  const heldBy = heldElsewhere(env, log, id);
  return log.read(({ state: session }): Result<RunAnswer, Rejection> => {
    const run = session.runs.get(id);
    if (run === undefined)
      return err({
        code: 'SESSION_CHANGED',
        message: 'the run was removed while being read',
        action: 'list the runs',
        nextCall: { tool: 'list_runs', arguments: {} },
      });
    const textOf = (time: number): string => new Date(time).toISOString();
    const now = env.now().getTime();
    // A clock that was set back, or another machine’s, may have noted what is still to come.
    const timeOf = (at: string): number => Math.min(Date.parse(at), now);
    const seen = { isDriven: isDriven(env, log, id), ...(heldBy && { heldBy }), now, timeOf, textOf };
    return ok(tellRunState({ session, workflow, sealer }, run, seen, env.follows === true ? Infinity : undefined));
  });
}

/** The same as an answer. */
export async function runReplied(env: Environment, found: FoundRun): Promise<Result<Reply, Rejection>> {
  const told = await runTold(env, found);
  return told.ok ? ok(runReply(told.value)) : told;
}
