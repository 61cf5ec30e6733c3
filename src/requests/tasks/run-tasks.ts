import type { Rejection } from '../../base/rejection.js';
import type { Result } from '../../base/result.js';
import type { PersonSaid, TaskTold } from '../../contract/durable-tasks.js';
import { recordForm } from '../answers/record-form.js';
import { settleRun } from '../commands/settle-run.js';
import { stopRun } from '../runs/cancel-run.js';
import { endTask, openRunTask, standingOfTask, tellRunTask } from '../runs/run-task.js';
import { isDriven } from '../world/held-elsewhere.js';
import type { Environment } from '../world/environment.js';

export async function getRunTask(env: Environment, taskId: string, forms = true): Promise<Result<TaskTold, Rejection>> {
  const task = await openRunTask(env, taskId);
  return task.ok ? tellRunTask(env, task.value, forms) : task;
}

/** What a person answered; the run goes on with it. Declining ends the wait, and the question stays open. */
export async function answerRunTask(
  env: Environment,
  taskId: string,
  said: { readonly [name: string]: PersonSaid },
): Promise<Result<TaskTold, Rejection>> {
  const task = await openRunTask(env, taskId);
  if (!task.ok) return task;
  const { found } = task.value;
  const stands = await standingOfTask(env, task.value, true);
  const answer = stands?.is === 'asked' ? new Map(Object.entries(said)).get(stands.form.name) : undefined;
  if (stands?.is === 'asked' && answer?.action === 'decline') endTask(env, task.value);
  if (stands?.is === 'asked' && answer?.action === 'accept') {
    const { log, workflow } = found;
    const { form, draft, node } = stands;
    const recorded = await recordForm(env, { session: log.id, workflow, draft }, form, answer.content);
    if (!recorded.ok) return recorded;
    const begun = await settleRun(env, found, node, { patienceMs: 0 });
    if (!begun.ok) return begun;
  }
  return tellRunTask(env, task.value, true);
}

export async function cancelRunTask(env: Environment, taskId: string): Promise<Result<TaskTold, Rejection>> {
  const task = await openRunTask(env, taskId);
  if (!task.ok) return task;
  const before = await tellRunTask(env, task.value, true);
  if (!before.ok || (before.value.status !== 'working' && before.value.status !== 'input_required')) return before;
  const stopped = await stopRun(env, task.value.found, 'its task was cancelled');
  return stopped.ok ? tellRunTask(env, task.value, true) : stopped;
}

/** Runs that go on in the background and have not been handed to anybody. */
export async function goingRunTask(env: Environment, taskId: string): Promise<TaskTold | undefined> {
  const task = await openRunTask(env, taskId);
  if (!task.ok || !isDriven(env, task.value.found.log, task.value.found.run)) return undefined;
  const going = await tellRunTask(env, task.value, true);
  return going.ok && (going.value.status === 'working' || going.value.status === 'input_required')
    ? going.value
    : undefined;
}
