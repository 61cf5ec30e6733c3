import type { Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import { limits } from '../../base/limits.js';
import type { Reply } from '../../contract/reply.js';
import type { RequestOf } from '../../contract/request-schemas.js';
import type { RunAnswer } from '../../contract/run-answers.js';
import { runReply } from '../../respond/runs/run-replies.js';
import { pause } from '../commands/run-commands.js';
import { openState } from '../steps/open-token.js';
import type { Environment } from '../world/environment.js';
import { nodeAsRead, nodeInContext } from '../world/node-in-context.js';
import { findRun, type FoundRun } from './find-run.js';
import { runTold } from './run-told.js';

/** Where a run stands; with a wait, once something has changed. */
export async function getRun(env: Environment, request: RequestOf<'get_run'>): Promise<Result<Reply, Rejection>> {
  const found = await runAsked(env, request);
  if (!found.ok) return found;
  const before = await runTold(env, found.value);
  if (!before.ok) return before;
  const told = await changed(env, found.value, before.value, request.waitMs ?? 0);
  return told.ok ? ok(runReply(told.value)) : told;
}

async function runAsked(
  env: Environment,
  { runId, stateToken }: Pick<RequestOf<'get_run'>, 'runId' | 'stateToken'>,
): Promise<Result<FoundRun, Rejection>> {
  if (runId !== undefined) return findRun(env, runId);
  const opened = await openState(env, stateToken ?? '', (loaded, node, log) => ({
    read: nodeAsRead(loaded, node, log),
  }));
  if (!opened.ok) return opened;
  const { read } = opened.value.taken;
  if (!read.ok) return err(read.error);
  const standing = await nodeInContext(env, opened.value.log, read.value);
  return standing.ok ? ok(standing.value) : standing;
}

/** A run that only an agent or the user can go on with, or that is over, changes by nothing that is waited for here. */
const isQuiet = ({ state, waitingFor }: RunAnswer): boolean =>
  waitingFor === 'agent' || waitingFor === 'user' || waitingFor === 'driver' || !['pending', 'running'].includes(state);

const marks = ({ state, waitingFor, step, done }: RunAnswer): string =>
  JSON.stringify([state, waitingFor, step, done.map(({ path, state: one }) => [path, one])]);

async function changed(
  env: Environment,
  found: FoundRun,
  before: RunAnswer,
  waitMs: number,
): Promise<Result<RunAnswer, Rejection>> {
  const over = AbortSignal.timeout(Math.max(1, waitMs));
  for (let told = before; ;) {
    if (waitMs === 0 || over.aborted || isQuiet(told) || marks(told) !== marks(before)) return ok(told);
    await pause(limits.stopLookMs, over);
    const next = await runTold(env, found);
    if (!next.ok) return next;
    told = next.value;
  }
}
