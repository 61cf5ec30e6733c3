import { limits } from '../../base/limits.js';
import { idPatterns } from '../../base/ids.js';
import type { Rejection } from '../../base/rejection.js';
import { ok, type Result } from '../../base/result.js';
import type { PersonSaid, TaskTold } from '../../contract/durable-tasks.js';
import type { RunAnswer } from '../../contract/run-answers.js';
import { formOfQuestions } from '../../respond/form-of-questions.js';
import { runReply } from '../../respond/runs/run-replies.js';
import { waitingDraft } from '../../sessions/person-answers.js';
import { recordForm } from '../answers/record-form.js';
import { settleRun } from '../commands/settle-run.js';
import { stopRun } from '../runs/cancel-run.js';
import { findRun, type FoundRun } from '../runs/find-run.js';
import { runTold } from '../runs/run-told.js';
import type { Environment } from '../world/environment.js';

/** The handle of a run is the run itself. */
export const isRunTask = (taskId: string): boolean => idPatterns.run.test(taskId);

/** A run as a task, from the log alone: every process tells the same, before and after a crash. */
export async function getRunTask(env: Environment, taskId: string): Promise<Result<TaskTold, Rejection>> {
  const found = await findRun(env, taskId);
  return found.ok ? told(env, found.value) : found;
}

async function told(env: Environment, found: FoundRun): Promise<Result<TaskTold, Rejection>> {
  const run = await runTold(env, found);
  if (!run.ok) return run;
  const { message, startedAt, lastAt, state } = run.value;
  const facts = {
    taskId: found.run,
    statusMessage: message,
    createdAt: startedAt,
    lastUpdatedAt: lastAt,
    pollIntervalMs: limits.taskPollMs,
  };
  switch (state) {
    case 'succeeded':
    case 'failed':
      return ok({ ...facts, status: 'completed', reply: runReply(run.value) });
    case 'canceled':
      return ok({ ...facts, status: 'cancelled' });
    case 'pending':
    case 'running': {
      const asked = await formOf(found, run.value);
      if (asked === undefined) return ok({ ...facts, status: 'working' });
      const { name, message: question, requestedSchema } = asked.form;
      return ok({ ...facts, status: 'input_required', questions: { [name]: { message: question, requestedSchema } } });
    }
  }
}

/** What the user is asked where the run stands. */
function formOf({ log, run, workflow }: FoundRun, { waitingFor }: RunAnswer) {
  if (waitingFor !== 'user') return Promise.resolve(undefined);
  return log.read(({ state }) => {
    const tip = state.nodes.get(state.runs.get(run)?.preferredTip ?? ('' as never));
    const draft = tip && waitingDraft(tip);
    const form = tip && draft && formOfQuestions(workflow, tip, draft);
    return tip !== undefined && draft !== undefined && form !== undefined ? { form, draft, node: tip.id } : undefined;
  });
}

/** What a person answered; the run goes on with it. */
export async function answerRunTask(
  env: Environment,
  taskId: string,
  said: { readonly [name: string]: PersonSaid },
): Promise<Result<TaskTold, Rejection>> {
  const found = await findRun(env, taskId);
  if (!found.ok) return found;
  const run = await runTold(env, found.value);
  if (!run.ok) return run;
  const asked = await formOf(found.value, run.value);
  const answer = asked && new Map(Object.entries(said)).get(asked.form.name);
  if (asked !== undefined && answer?.action === 'accept') {
    const { log, workflow } = found.value;
    const { form, draft, node } = asked;
    const recorded = await recordForm(env, { session: log.id, workflow, draft }, form, answer.content);
    if (!recorded.ok) return recorded;
    const begun = await settleRun(env, found.value, node, { patienceMs: 0 });
    if (!begun.ok) return begun;
  }
  return told(env, found.value);
}

export async function cancelRunTask(env: Environment, taskId: string): Promise<Result<TaskTold, Rejection>> {
  const found = await findRun(env, taskId);
  if (!found.ok) return found;
  const stopped = await stopRun(env, found.value, 'its task was cancelled');
  return stopped.ok ? told(env, found.value) : stopped;
}
