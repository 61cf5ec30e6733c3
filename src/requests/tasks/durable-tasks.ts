import { assert } from '../../base/assert.js';
import type { AttemptId } from '../../base/ids.js';
import { limits } from '../../base/limits.js';
import type { Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import type { PersonSaid, TaskPage, TaskTold } from '../../contract/durable-tasks.js';
import { sealerFor } from '../../respond/sealer.js';
import { formOfQuestions } from '../../respond/form-of-questions.js';
import type { Event } from '../../events/event.js';
import { draftOf } from '../../sessions/drafts.js';
import type { FoldedSession, RunNode } from '../../sessions/folded-session.js';
import {
  answersTo,
  isSameWork,
  isLeft,
  isSettled,
  openQuestions,
  refusalOf,
  waitingDraft,
} from '../../sessions/person-answers.js';
import { readTaskHandle, type TaskHandle, taskHandle } from '../../tokens/task-handle.js';
import { browseSessions } from '../read/browse-sessions.js';
import { stoppedAt, waitingNodes } from '../../sessions/run-status.js';
import { drive, turn } from '../world/drive.js';
import { isRunTask } from '../runs/run-task.js';
import type { Environment } from '../world/environment.js';
import { acknowledge } from '../steps/acknowledge.js';
import { answerRunTask, cancelRunTask, getRunTask, goingRunTask } from './run-tasks.js';
import { nodeAsRead, type NodeInContext, nodeInContext } from '../world/node-in-context.js';
import { noLongerThere, openAck, openState } from '../steps/open-token.js';
import { askedPerson, recordForm } from '../answers/record-form.js';

/** A call that may wait, opened by its handle. */
interface OpenedTask {
  readonly taskId: string;
  readonly handle: TaskHandle;
  readonly standing: NodeInContext;
  readonly attempt: AttemptId;
}

async function openTask(env: Environment, taskId: string): Promise<Result<OpenedTask, Rejection>> {
  const handle = readTaskHandle(taskId);
  if (handle === undefined)
    return err({
      code: 'TOKEN_MALFORMED',
      message: `${JSON.stringify(taskId.slice(0, limits.echo))} is not a task ID`,
      action:
        'send the taskId exactly as you got it; if it is lost, make the same call again, which continues from what is recorded',
    });
  const opened = await openState(env, handle.stateToken, (loaded, node, log) => ({
    read: nodeAsRead(loaded, node, log),
    attempt: openAck(env, loaded.state, log.id, node, handle.ackToken),
  }));
  if (!opened.ok) return err(ofHandle(opened.error));
  const { log, taken } = opened.value;
  if (!taken.read.ok) return taken.read;
  if (!taken.attempt.ok) return err(ofHandle(taken.attempt.error));
  const standing = await nodeInContext(env, log, taken.read.value);
  return standing.ok ? ok({ taskId, handle, standing: standing.value, attempt: taken.attempt.value }) : standing;
}

/** What is wrong with a token of it is told of the handle that was sent. */
const ofHandle = ({ message, ...rejection }: Rejection): Rejection => ({
  ...rejection,
  message: message.replaceAll(/\b(?:stateToken|ackToken)\b/gu, 'taskId'),
});

/** Where a call stands that waits, from the log alone: every process tells the same, before and after a crash. */
type Stands =
  | { readonly is: 'waiting'; readonly node: RunNode; readonly draft: Event<'step_blocked'> }
  /** The call has its answer, or gets it when it is made again. */
  | { readonly is: 'answered'; readonly at: string }
  | { readonly is: 'over'; readonly why: string; readonly at: string };

/** Somebody gave the call up, or ended its run: nobody waits for the answer any more. */
function endedAt(state: FoldedSession, node: RunNode, { sum }: Event<'step_blocked'>): Stands | undefined {
  const ended = node.waitsEnded?.find(({ data }) => data.block === sum);
  if (ended?.data.how === 'declined') return { is: 'answered', at: ended.at };
  if (ended !== undefined)
    return {
      is: 'over',
      at: ended.at,
      why: 'cancelled: nobody is waiting for the answer. The draft is kept and its question stays open; nothing else was done',
    };
  const stopped = stoppedAt(state, node);
  if (stopped === undefined) return undefined;
  return { is: 'over', at: stopped.at, why: `the run was ${stopped.data.status}: ${stopped.data.message}` };
}

function standsAt(state: FoldedSession, { standing, handle, attempt }: OpenedTask): Stands | undefined {
  const node = state.nodes.get(standing.node);
  const ack = node?.acks.find(({ data }) => data.attempt === attempt);
  if (ack !== undefined) return { is: 'answered', at: ack.at };
  const block = node?.blocks.find(({ sum, data }) => sum === handle.block && data.attempt === attempt);
  if (node === undefined || block === undefined) return undefined;
  const ended = endedAt(state, node, block);
  if (ended !== undefined) return ended;
  const draft = draftOf(node, attempt) ?? block;
  const answers = answersTo(node, block);
  const last = answers.at(-1)?.at ?? block.at;
  if (isSettled(node, block) || refusalOf(answers) !== undefined) return { is: 'answered', at: last };
  if (!isSameWork(block, draft))
    return { is: 'over', at: draft.at, why: 'the step has since received other work, which is now waiting' };
  if (draft.data.refused !== undefined) return { is: 'answered', at: draft.at };
  if (isLeft(node, draft))
    return {
      is: 'over',
      at: node.acks.at(-1)?.at ?? last,
      why: 'the work continued on another branch from the step',
    };
  return { is: 'waiting', node, draft };
}

/** The task as it stands. A call whose questions are answered is made now, once. */
export async function getTask(env: Environment, taskId: string, forms?: boolean): Promise<Result<TaskTold, Rejection>> {
  if (isRunTask(taskId)) return getRunTask(env, taskId, forms);
  const opened = await openTask(env, taskId);
  return opened.ok ? tellTask(env, opened.value) : opened;
}

async function tellTask(env: Environment, task: OpenedTask): Promise<Result<TaskTold, Rejection>> {
  const { taskId, standing, handle, attempt } = task;
  const { log, workflow } = standing;
  const told = await log.read(
    ({ state, findings }): Result<TaskTold | { readonly answered: string; readonly createdAt: string }, Rejection> => {
      const stands = standsAt(state, task);
      if (stands === undefined) return err(noLongerThere(log.id, findings));
      const node = state.nodes.get(standing.node);
      const createdAt = node?.blocks.find(({ sum }) => sum === handle.block)?.at;
      const facts = { taskId, pollIntervalMs: limits.taskPollMs };
      switch (stands.is) {
        case 'answered':
          return ok({ answered: stands.at, createdAt: createdAt ?? stands.at });
        case 'over':
          return ok({
            ...facts,
            status: 'cancelled',
            statusMessage: stands.why,
            createdAt: createdAt ?? stands.at,
            lastUpdatedAt: stands.at,
          });
        case 'waiting': {
          const { draft } = stands;
          const form = formOfQuestions(workflow, stands.node, draft);
          const times = {
            createdAt: createdAt ?? draft.at,
            lastUpdatedAt: answersTo(stands.node, draft).at(-1)?.at ?? draft.at,
          };
          const statusMessage = `waiting for the user at “${draft.data.step.title}”: ${openQuestions(stands.node, draft)
            .map(({ message }) => message)
            .join('; ')}`;
          if (form === undefined) return ok({ ...facts, ...times, status: 'working', statusMessage });
          const { name, message, requestedSchema } = form;
          return ok({
            ...facts,
            ...times,
            status: 'input_required',
            statusMessage,
            questions: { [name]: { message, requestedSchema } },
          });
        }
      }
    },
  );
  if (!told.ok || !('answered' in told.value)) return told as Result<TaskTold, Rejection>;
  const { answered, createdAt } = told.value;
  const reply = await acknowledge(env, standing, { stateToken: handle.stateToken, ackToken: handle.ackToken }, attempt);
  if (!reply.ok) return reply;
  // The call may have been made just now.
  const at = await log.read(({ state }) => {
    const stands = standsAt(state, task);
    return ok(stands?.is === 'answered' ? stands.at : answered);
  });
  return ok({
    taskId,
    pollIntervalMs: limits.taskPollMs,
    status: 'completed',
    createdAt,
    lastUpdatedAt: at.value,
    reply: reply.value,
  });
}

/** What a person answered in the form of a task. Declining ends the wait, and leaves the step blocked. */
export async function answerTask(
  env: Environment,
  taskId: string,
  said: { readonly [name: string]: PersonSaid },
): Promise<Result<TaskTold, Rejection>> {
  if (isRunTask(taskId)) return answerRunTask(env, taskId, said);
  const opened = await openTask(env, taskId);
  if (!opened.ok) return opened;
  const task = opened.value;
  const { log, workflow } = task.standing;
  const asked = await log.read(({ state }) => {
    const stands = standsAt(state, task);
    const form = stands?.is === 'waiting' ? formOfQuestions(workflow, stands.node, stands.draft) : undefined;
    return stands?.is === 'waiting' && form !== undefined ? ok({ form, draft: stands.draft }) : ok(undefined);
  });
  const form = asked.value?.form;
  const answer = form === undefined ? undefined : new Map(Object.entries(said)).get(form.name);
  if (form !== undefined && asked.value !== undefined && answer !== undefined) {
    if (answer.action === 'decline') {
      const ended = await endWait(task, 'declined');
      if (!ended.ok) return ended;
    }
    if (answer.action === 'accept') {
      const recorded = await recordForm(
        env,
        { session: log.id, workflow, draft: asked.value.draft },
        form,
        answer.content,
      );
      if (!recorded.ok) return recorded;
    }
  }
  return tellTask(env, task);
}

/** Nobody waits any more. What was handed in stays, and so does its question. */
export async function cancelTask(env: Environment, taskId: string): Promise<Result<TaskTold, Rejection>> {
  if (isRunTask(taskId)) return cancelRunTask(env, taskId);
  const opened = await openTask(env, taskId);
  if (!opened.ok) return opened;
  const ended = await endWait(opened.value, 'cancelled');
  return ended.ok ? tellTask(env, opened.value) : ended;
}

async function endWait(task: OpenedTask, how: 'cancelled' | 'declined'): Promise<Result<void, Rejection>> {
  const { log } = task.standing;
  const ending = turn<undefined, void>(
    ({ state }) => {
      const stands = standsAt(state, task);
      if (stands?.is !== 'waiting') return { answer: undefined };
      const { run, id } = stands.node;
      const block = stands.node.blocks.find(({ sum }) => sum === task.handle.block)?.sum;
      assert(block !== undefined, 'a call that waits has handed something in');
      return {
        answer: undefined,
        events: [{ kind: 'wait_ended', run, node: id, who: askedPerson, data: { block, how } }],
      };
    },
    () => ({ done: ok(undefined) }),
  );
  return drive(log, ending, 'keyed');
}

const listed = 20;

/** What waits for a person, by the sessions that were worked on last. */
export async function listTasks(env: Environment, cursor: string | undefined): Promise<Result<TaskPage, Rejection>> {
  const page = await browseSessions(env, {
    query: 'is:waiting',
    limit: listed,
    ...(cursor !== undefined && { cursor }),
  });
  if (!page.ok) return page;
  const { sessions, nextCursor } = page.value;
  const tasks: TaskTold[] = cursor === undefined ? [...(await runningTasks(env))] : [];
  for (const { sessionId } of sessions) {
    for (const taskId of await waitingHandles(env, sessionId)) {
      const told = await getTask(env, taskId);
      if (told.ok) tasks.push(told.value);
    }
  }
  return ok({ tasks, ...(nextCursor !== undefined && { nextCursor }) });
}

/** Runs that go on in the background, by the sessions that were worked on last. */
async function runningTasks(env: Environment): Promise<readonly TaskTold[]> {
  const page = await browseSessions(env, { query: 'is:running', limit: listed });
  if (!page.ok) return [];
  const runs = page.value.sessions.flatMap(({ run }) => (run === undefined ? [] : [run.runId]));
  const told = await Promise.all(runs.map((run) => goingRunTask(env, run)));
  return told.filter((one) => one !== undefined);
}

async function waitingHandles(env: Environment, sessionId: string): Promise<readonly string[]> {
  const ref = await env.store.find(sessionId);
  if (ref === undefined) return [];
  const log = env.store.open(ref);
  const sealer = sealerFor(env.keys.all(), log.id);
  return log.read(({ state }) =>
    waitingNodes(state).flatMap((node) => {
      const draft = waitingDraft(node);
      if (draft === undefined) return [];
      const [stateToken, ackToken] = [sealer.state(node.id), sealer.ack(node.id, draft.data.attempt)];
      return [taskHandle({ stateToken, ackToken, block: draft.sum })];
    }),
  );
}
