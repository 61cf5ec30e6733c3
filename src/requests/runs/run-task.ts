import { limits } from '../../base/limits.js';
import { idPatterns, type NodeId, type RunId } from '../../base/ids.js';
import type { Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import type { TaskTold } from '../../contract/durable-tasks.js';
import type { ReplyTask } from '../../contract/reply.js';
import type { Event } from '../../events/event.js';
import { formOfQuestions, type QuestionForm } from '../../respond/form-of-questions.js';
import { runReply } from '../../respond/runs/run-replies.js';
import type { FoldedSession } from '../../sessions/folded-session.js';
import { waitingDraft } from '../../sessions/person-answers.js';
import { statusAt, stoppedAt, stoppedBefore } from '../../sessions/run-status.js';
import { settledBelow } from '../../sessions/settled-below.js';
import { pause } from '../commands/run-commands.js';
import { findRun, type FoundRun } from './find-run.js';
import { runTold } from './run-told.js';
import { isDriven } from '../world/held-elsewhere.js';
import type { Environment } from '../world/environment.js';

/** What WorkRail does by itself of a run, from its start or from where a later call went on with it. */
export interface RunTask {
  readonly taskId: string;
  readonly found: FoundRun;
  readonly from: NodeId;
}

/** The handle of a run is the run itself; what goes on with it has its own, and so may end for itself. */
export const isRunTask = (taskId: string): boolean => partsOf(taskId) !== undefined;

function partsOf(taskId: string): { readonly run: RunId; readonly from?: NodeId } | undefined {
  const [run = '', from, mark, ...rest] = taskId.split('.');
  if (!idPatterns.run.test(run) || rest.length > 0) return undefined;
  if (from === undefined) return { run: run as RunId };
  return idPatterns.node.test(from) && mark !== undefined && /^[0-9a-z]{1,32}$/u.test(mark)
    ? { run: run as RunId, from: from as NodeId }
    : undefined;
}

export async function openRunTask(env: Environment, taskId: string): Promise<Result<RunTask, Rejection>> {
  const parts = partsOf(taskId);
  const found = await findRun(env, parts?.run ?? taskId);
  if (!found.ok) return found;
  const from =
    parts?.from ?? (await found.value.log.read(({ state }) => state.runs.get(found.value.run)?.root)) ?? ('' as NodeId);
  return ok({ taskId, found: found.value, from });
}

/** The handle for a call that has just begun a run, or goes on with it. */
export async function taskOfRun(
  env: Environment,
  found: FoundRun,
  from: NodeId,
): Promise<Result<ReplyTask, Rejection>> {
  const root = await found.log.read(({ state }) => state.runs.get(found.run)?.root);
  // One that has ended stays as it ended, whoever goes on with the run.
  const isFirst = from === root && !hasEnded(env, { taskId: found.run, found });
  const taskId = isFirst ? found.run : `${found.run}.${from}.${env.randomId()}`;
  const begun = await tellRunTask(env, { taskId, found, from }, true);
  if (!begun.ok) return begun;
  const { status } = begun.value;
  const waits = status === 'working' || status === 'input_required';
  return ok({ waits, ...(status === 'input_required' && { asks: true }), id: () => taskId });
}

/** A run as a task, from what is recorded: every process tells the same, before and after a crash. */
export async function tellRunTask(
  env: Environment,
  task: RunTask,
  forms: boolean,
): Promise<Result<TaskTold, Rejection>> {
  const { found, taskId } = task;
  const stands = await standingOfTask(env, task, forms);
  if (stands === undefined) return err(gone(task));
  const run = await runTold(env, found);
  if (!run.ok) return run;
  const { message, startedAt, lastAt } = run.value;
  const facts = {
    taskId,
    statusMessage: message,
    createdAt: startedAt,
    lastUpdatedAt: lastAt,
    pollIntervalMs: limits.taskPollMs,
  };
  switch (stands.is) {
    case 'done':
      return ok({ ...facts, status: 'completed', reply: runReply(run.value) });
    case 'canceled':
      return ok({ ...facts, status: 'cancelled' });
    case 'going':
      return ok({ ...facts, status: 'working' });
    case 'asked': {
      const { name, message: question, requestedSchema } = stands.form;
      return ok({ ...facts, status: 'input_required', questions: { [name]: { message: question, requestedSchema } } });
    }
  }
}

export type TaskStanding =
  | { readonly is: 'done' | 'canceled' | 'going' }
  | { readonly is: 'asked'; readonly form: QuestionForm; readonly draft: Event<'step_blocked'>; readonly node: NodeId };

/**
 * Where it stands. It is done where an agent is next, where nobody goes on with it, and where the user is asked and is
 * shown no form: whoever follows it has to do something, and hears of that with its answer alone.
 */
export async function standingOfTask(
  env: Environment,
  task: RunTask,
  forms: boolean,
): Promise<TaskStanding | undefined> {
  if (hasEnded(env, task)) return { is: 'done' };
  const { log, run } = task.found;
  const look = (): Promise<TaskStanding | 'unasked' | undefined> =>
    log.read(({ state }) => standsAt(state, task.found, task.from));
  let stands = await look();
  // Between two of those who go on with it, nobody does for a moment.
  for (let looks = 0; stands !== undefined && stands !== 'unasked' && stands.is === 'going'; looks += 1) {
    if (isDriven(env, log, run)) return stands;
    if (looks === vainLooks) return endTask(env, task);
    await pause(limits.stopLookMs, env.drivers.ended);
    stands = await look();
  }
  return stands === 'unasked' || (stands?.is === 'asked' && !forms) ? endTask(env, task) : stands;
}

const vainLooks = 3;

function standsAt(
  session: FoldedSession,
  { run, workflow }: FoundRun,
  from: NodeId,
): TaskStanding | 'unasked' | undefined {
  const begun = session.nodes.get(from);
  if (begun?.run !== run) return undefined;
  const at = settledBelow(session, begun);
  const isOurs = at.pending?.does !== undefined;
  const stopped = isOurs ? stoppedAt(session, at) : stoppedBefore(session, at);
  if (stopped?.data.status === 'canceled') return { is: 'canceled' };
  if (stopped !== undefined || !isOurs) return { is: 'done' };
  if (statusAt(session, at) !== 'blocked') return { is: 'going' };
  const draft = waitingDraft(at);
  const form = draft && formOfQuestions(workflow, at, draft);
  return draft === undefined || form === undefined ? 'unasked' : { is: 'asked', form, draft, node: at.id };
}

const endNote = (taskId: string): string => `${taskId}.end`;

const hasEnded = (env: Environment, { taskId, found }: Pick<RunTask, 'taskId' | 'found'>): boolean =>
  env.store.running.noted(found.log.place, endNote(taskId)) !== undefined;

/** No log says that somebody was told the end: it is noted, and stays, however the run goes on. */
export function endTask(env: Environment, { taskId, found }: RunTask): TaskStanding {
  env.store.running.note(found.log.place, endNote(taskId), env.now().toISOString());
  return { is: 'done' };
}

const gone = ({ taskId, found }: RunTask): Rejection => ({
  code: 'NOT_FOUND',
  message: `no task named ${JSON.stringify(taskId)}: the run has no such step`,
  action: 'look where the run stands',
  nextCall: { tool: 'get_run', arguments: { runId: found.run } },
});
