import { limits } from '../../base/limits.js';
import type { Rejection } from '../../base/rejection.js';
import { ok, type Result } from '../../base/result.js';
import type { Reply } from '../../contract/reply.js';
import type { RequestOf } from '../../contract/request-schemas.js';
import type { FoldedSession, Run } from '../../sessions/folded-session.js';
import { isOpen } from '../../sessions/run-status.js';
import { drive, turn } from '../world/drive.js';
import type { Environment } from '../world/environment.js';
import { findRun, type FoundRun } from './find-run.js';
import { runReplied } from './run-told.js';
import { untilLetGo } from './until-let-go.js';

/** Ends a run: whoever goes on with it finds that in its log. */
export async function cancelRun(env: Environment, request: RequestOf<'cancel_run'>): Promise<Result<Reply, Rejection>> {
  const found = await findRun(env, request.runId);
  if (!found.ok) return found;
  const canceled = await stopRun(env, found.value, request.reason ?? 'somebody canceled it');
  if (!canceled.ok) return canceled;
  // Whoever does its steps looks from time to time; the answer tells what came of what waited to be sent.
  await untilLetGo(env, found.value, limits.cancelMs);
  return runReplied(env, found.value);
}

/** One that has ended stays as it ended; where `isAlways`, no branch of it is gone on with either. */
export function stopRun(
  env: Environment,
  { log, run }: FoundRun,
  message: string,
  { isAlways = false }: { readonly isAlways?: boolean } = {},
): Promise<Result<void, Rejection>> {
  const stopping = turn<undefined, void>(
    ({ state }) => {
      const known = state.runs.get(run);
      if (known === undefined || known.stopped !== undefined || !(isAlways || hasOpenEnds(state, known)))
        return { answer: undefined };
      const data = { status: 'canceled' as const, code: 'CANCELED', message };
      return {
        answer: undefined,
        events: [{ kind: 'run_stopped', run, ...(env.caller !== undefined && { who: env.caller }), data }],
      };
    },
    () => ({ done: ok(undefined) }),
  );
  return drive(log, stopping, 'keyed');
}

const hasOpenEnds = (session: FoldedSession, run: Run): boolean =>
  isOpen(session, run) || [...run.tips].some((id) => isOpen(session, { ...run, preferredTip: id }));
