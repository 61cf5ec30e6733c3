import { randomBytes } from 'node:crypto';
import { ProtocolErrorCode, RELATED_TASK_META_KEY } from '@modelcontextprotocol/server';
import { errorText } from '../base/error-text.js';
import { limits } from '../base/limits.js';
import type { DurableTasks, PersonSaid, TaskTold } from '../contract/durable-tasks.js';
import type { Reply } from '../contract/reply.js';
import { personSaid } from './person-asker.js';
import { protocolError } from './protocol-error.js';
import { trying, unbroken, undeclared } from './task-errors.js';
import { askWhoLooks, untilEnd } from './task-waits.js';
import { formOf, hasEnded, keepNewest, showsForms, type TasksServed } from './tasks-served.js';

type Params = Readonly<Record<string, unknown>>;
type Answer = Readonly<Record<string, unknown>>;

/** Calls that wait, as both generations of the protocol have them: the tasks of 2025-11-25, and the extension to 2026-07-28. */
export async function answerTask(method: string, params: Params, served: TasksServed): Promise<Answer> {
  const { era, asked } = served;
  if (era === 'modern' && !asked.takes.tasks) throw undeclared(method);
  if (method === 'tasks/list') return listed(params, served);
  const { taskId } = params;
  if (typeof taskId !== 'string')
    throw protocolError(
      ProtocolErrorCode.InvalidParams,
      `${method} names its task: "taskId" is the handle that the call was answered with`,
    );
  const kept = served.atOnce.get(taskId);
  if (kept === undefined && taskId.startsWith(atOnceMark)) throw notKept();
  const tasks = await unbroken(method, served.log, served.open);
  const get = async (): Promise<TaskTold> =>
    kept ?? trying(method, served.log, () => tasks.get(taskId, showsForms(served)));
  switch (method) {
    case 'tasks/get':
      if (era === 'modern') return inDetail(await get(), served);
      return lookedAt(await get(), tasks, served);
    case 'tasks/result':
      return theEnd(await untilEnd(await get(), tasks, served), served);
    case 'tasks/update': {
      const said = whatWasSaid(await get(), asked.answered());
      if (Object.keys(said).length > 0) await trying(method, served.log, () => tasks.answer(taskId, said));
      return {};
    }
    case 'tasks/cancel': {
      const before = await get();
      if (era === 'legacy' && hasEnded(before)) throw endedAlready(before);
      const after = hasEnded(before) ? before : await trying(method, served.log, () => tasks.cancel(taskId));
      if (era === 'modern') return {};
      if (after.status !== 'cancelled') throw endedAlready(after);
      return inBrief(after);
    }
    default:
      throw protocolError(ProtocolErrorCode.MethodNotFound, `no method named ${method}`);
  }
}

/** A call that is answered with a task, which tells the rest: it waits, or its client takes an answer in no other way. */
export async function callAsTask(reply: Reply, served: TasksServed): Promise<Answer> {
  const { era, log } = served;
  const { task } = reply;
  const waits = task?.waits === true;
  let told: TaskTold | undefined;
  try {
    // Where the person is not shown the question, the agent is to put it to them: it has the answer to its call at once.
    if (task !== undefined && (task.asks !== true || showsForms(served))) {
      const tasks = await unbroken('tools/call', log, served.open);
      told = await trying('tools/call', log, () => tasks.get(task.id(), showsForms(served)));
    }
  } catch (cause) {
    log(`the call was answered directly, because its task could not be read: ${errorText(cause)}`);
  }
  if (era === 'modern')
    return told === undefined ? { ...served.result(reply) } : { resultType: 'task', ...modernFacts(told) };
  return {
    // A task begins as one that is worked at, whatever it waits for by now.
    task: { ...inBrief(told ?? keepAtOnce(reply, served)), status: 'working' },
    ...(waits && told !== undefined && { _meta: { [immediateResponse]: reply.text } }),
  };
}

const atOnceMark = 'once_';

/** A look and a refusal are in no log. They are asked for again at once, and the same call gives them again. */
function keepAtOnce(reply: Reply, { atOnce }: TasksServed): TaskTold {
  const now = new Date().toISOString();
  const taskId = `${atOnceMark}${randomBytes(16).toString('hex')}`;
  const told: TaskTold = {
    taskId,
    status: 'completed',
    createdAt: now,
    lastUpdatedAt: now,
    pollIntervalMs: limits.taskLookMs,
    reply,
  };
  keepNewest(atOnce, taskId, told);
  return told;
}

const notKept = (): Error =>
  protocolError(
    ProtocolErrorCode.InvalidParams,
    'that call was answered at once, and its answer is not kept any more. Make the same call again: it gives the same answer',
  );

/** What a model may be told at once of a call that has become a task. */
const immediateResponse = 'io.modelcontextprotocol/model-immediate-response';

function lookedAt(told: TaskTold, tasks: DurableTasks, served: TasksServed): Answer {
  askWhoLooks(told, tasks, served);
  return inBrief(told);
}

const facts = ({ taskId, status, statusMessage, createdAt, lastUpdatedAt }: TaskTold) => ({
  taskId,
  status,
  ...(statusMessage !== undefined && { statusMessage }),
  createdAt,
  lastUpdatedAt,
});

const modernFacts = (told: TaskTold): Answer => ({
  ...facts(told),
  ttlMs: null,
  pollIntervalMs: told.pollIntervalMs,
});

/** An answer that refuses is an answer: clients do not look at what has failed, and the agent would hear nothing of it. */
const inBrief = (told: TaskTold): Answer => ({
  ...facts(told),
  ttl: null,
  pollInterval: told.pollIntervalMs,
});

function inDetail(told: TaskTold, { asked, result }: TasksServed): Answer {
  const brief = modernFacts(told);
  switch (told.status) {
    case 'completed':
      return { ...brief, result: { ...result(told.reply), resultType: 'complete' } };
    case 'failed':
      return { ...brief, error: told.error };
    case 'input_required':
      // Nothing is asked that the client does not take; the person may answer at another door.
      if (!asked.takes.forms) return { ...brief, status: 'working', statusMessage: elsewhere(told) };
      return {
        ...brief,
        inputRequests: Object.fromEntries(
          Object.entries(told.questions).map(([name, question]) => [
            name,
            { method: 'elicitation/create', params: { mode: 'form', ...formOf(question) } },
          ]),
        ),
      };
    case 'working':
    case 'cancelled':
      return brief;
  }
}

const elsewhere = ({ statusMessage }: TaskTold): string =>
  `${statusMessage === undefined ? '' : `${statusMessage} `}(It waits for a person, whom this client does not ask.)`;

/** Of what came, that which answers what is asked. */
function whatWasSaid(told: TaskTold, answers: ReadonlyMap<string, unknown>): { [name: string]: PersonSaid } {
  const questions = new Set(told.status === 'input_required' ? Object.keys(told.questions) : []);
  return Object.fromEntries(
    [...answers]
      .filter(([name]) => questions.has(name))
      .map(([name, answer]) => {
        const said = personSaid(answer);
        if (said !== undefined) return [name, said];
        throw protocolError(
          ProtocolErrorCode.InvalidParams,
          `the answer to ${JSON.stringify(name)} is no answer to a form: it has an "action" that is accept, decline or cancel, and with accept a "content" that is an object. Nothing was recorded; send it again`,
        );
      }),
  );
}

async function listed(params: Params, served: TasksServed): Promise<Answer> {
  const { cursor } = params;
  if (cursor !== undefined && typeof cursor !== 'string')
    throw protocolError(
      ProtocolErrorCode.InvalidParams,
      'the cursor of tasks/list is not valid; call again without it',
    );
  const tasks = await unbroken('tasks/list', served.log, served.open);
  const page = await trying('tasks/list', served.log, () => tasks.list(cursor));
  const { nextCursor } = page;
  const first = cursor === undefined ? [...served.atOnce.values()].toReversed() : [];
  return { tasks: [...first, ...page.tasks].map(inBrief), ...(nextCursor !== undefined && { nextCursor }) };
}

/** What the call itself would have been answered with. */
function theEnd(told: TaskTold, { result }: TasksServed): Answer {
  const { taskId } = told;
  switch (told.status) {
    case 'completed': {
      const answer = result(told.reply);
      return { ...answer, _meta: { ...answer._meta, [RELATED_TASK_META_KEY]: { taskId } } };
    }
    case 'failed':
      throw protocolError(told.error.code, told.error.message);
    case 'cancelled':
    case 'working':
    case 'input_required':
      throw endedAlready(told);
  }
}

const endedAlready = ({ taskId, status, statusMessage }: TaskTold): Error =>
  protocolError(
    ProtocolErrorCode.InvalidParams,
    `the task has ended: it is ${status}${statusMessage === undefined ? '' : ` (${statusMessage})`}. ${status === 'cancelled' ? 'continue_workflow with only the stateToken shows the next step' : 'tasks/result has its answer'}`,
    { taskId, status },
  );
