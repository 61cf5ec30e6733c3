import { setTimeout as pause } from 'node:timers/promises';
import { ProtocolErrorCode, RELATED_TASK_META_KEY } from '@modelcontextprotocol/server';
import { errorText } from '../base/error-text.js';
import { limits } from '../base/limits.js';
import type { DurableTasks, TaskQuestion, TaskTold } from '../contract/durable-tasks.js';
import type { Asked } from './asked.js';
import type { AskForm } from './person-asker.js';
import { protocolError } from './protocol-error.js';
import { trying } from './task-errors.js';
import { formOf, hasEnded, keepNewest, showsForms, type TasksServed } from './tasks-served.js';

/** How many wait for the end of a task. */
let waiting = 0;

/** The forms that are under way because somebody looked. */
const waitedFor = new WeakSet<Set<string>>();

/**
 * Waits until the task has ended, and asks the person meanwhile where the client offers one. Nobody is asked twice. With
 * what was shown ahead it is waited for only while something is asked.
 */
export async function untilEnd(
  first: TaskTold,
  tasks: DurableTasks,
  served: TasksServed,
  ahead?: Set<string>,
): Promise<TaskTold> {
  if (hasEnded(first)) return first;
  if (waiting >= limits.taskWaits) throw notYet(first, `${waiting} wait already`);
  const { asked, log } = served;
  const { taskId } = first;
  const over = new AbortController();
  const shown = ahead ?? new Set<string>();
  let told = first;
  let form: Promise<void> | undefined;
  let failure: { readonly cause: unknown } | undefined;
  const gone = asked.cancelled();
  waiting += 1;
  try {
    for (let left: number = limits.taskWaitMs; left > 0 && !gone.aborted;) {
      const rest = Math.max(limits.taskLookMs, told.pollIntervalMs);
      form ??= nextForm(told, shown, tasks, served, over.signal)?.then(
        () => void (form = undefined),
        (cause: unknown) => void (failure = { cause }),
      );
      if (ahead !== undefined && form === undefined) return told;
      await either(form, rest, gone);
      if (failure !== undefined) throw failure.cause;
      left -= rest;
      told = await trying('tasks/result', log, () => tasks.get(taskId, showsForms(served)));
      if (hasEnded(told)) return told;
    }
    throw notYet(told, gone.aborted ? 'nobody is waiting for it' : 'it was waited for long enough');
  } finally {
    waiting -= 1;
    over.abort();
  }
}

/** The next question that was not shown, before the person; what they say is recorded. */
function nextForm(
  told: TaskTold,
  shown: Set<string>,
  tasks: DurableTasks,
  { asked, log }: TasksServed,
  over: AbortSignal,
): Promise<void> | undefined {
  const next = nextQuestion(told, shown, asked);
  if (next === undefined) return undefined;
  const { name, question, askForm } = next;
  const { taskId } = told;
  shown.add(name);
  return askForm({ ...formOf(question), _meta: { [RELATED_TASK_META_KEY]: { taskId } } }, over).then(async (said) => {
    if (said === 'busy') {
      // The person reads another form; this one comes after it.
      await either(undefined, told.pollIntervalMs, over);
      shown.delete(name);
    } else if (said !== undefined) await trying('tasks/result', log, () => tasks.answer(taskId, { [name]: said }));
  });
}

function nextQuestion(
  told: TaskTold,
  shown: ReadonlySet<string>,
  { askForm }: Asked,
): { readonly name: string; readonly question: TaskQuestion; readonly askForm: AskForm } | undefined {
  if (told.status !== 'input_required' || askForm === undefined) return undefined;
  const next = Object.entries(told.questions).find(([name]) => !shown.has(name));
  return next && { name: next[0], question: next[1], askForm };
}

/** Whichever comes first: what is waited for, the end of the pause, or that nobody waits any more. */
async function either(work: Promise<void> | undefined, milliseconds: number, gone: AbortSignal): Promise<void> {
  const over = new AbortController();
  const rest = pause(milliseconds, undefined, { signal: AbortSignal.any([gone, over.signal]) }).catch(() => undefined);
  try {
    await Promise.race([work ?? rest, rest]);
  } finally {
    over.abort();
  }
}

/** There are clients that look and never wait for the end: they are shown what is asked all the same. */
export function askWhoLooks(told: TaskTold, tasks: DurableTasks, served: TasksServed): void {
  const { asked, shown } = served;
  const before = shown.get(told.taskId) ?? new Set();
  if (!asked.asksAnytime || nextQuestion(told, before, asked) === undefined || waitedFor.has(before)) return;
  keepNewest(shown, told.taskId, before);
  waitedFor.add(before);
  const gone = asked.cancelled();
  const ask = async (): Promise<void> => {
    // The form comes after the answer to who looked, who may know the task by that alone.
    await either(undefined, Math.max(limits.taskLookMs, told.pollIntervalMs), gone);
    if (gone.aborted) return;
    const now = await trying('tasks/get', served.log, () => tasks.get(told.taskId, showsForms(served)));
    await untilEnd(now, tasks, served, before);
  };
  void ask()
    .catch((cause: unknown) => gone.aborted || served.log(`a person is not asked any more: ${errorText(cause)}`))
    .finally(() => waitedFor.delete(before));
}

const notYet = ({ taskId, status }: TaskTold, why: string): Error =>
  protocolError(
    ProtocolErrorCode.InternalError,
    `the task has not ended (${status}), and ${why}; nothing is lost: look again with tasks/get, or call tasks/result again`,
    { taskId, status },
  );
