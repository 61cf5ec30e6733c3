import { randomBytes } from 'node:crypto';
import { closeSync, fdatasyncSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import type { JsonObject } from '../../src/base/json-value.js';
import type { Rejection } from '../../src/base/rejection.js';
import type { Result } from '../../src/base/result.js';
import type { DurableTasks, PersonSaid, TaskQuestion, TaskTold } from '../../src/contract/durable-tasks.js';
import type { Reply } from '../../src/contract/reply.js';

/** A call that takes its time, or a person's word, until it has its answer. */
export interface TaskPlan {
  /** What it is answered with in the end; what a person filled in stands behind it. */
  readonly text: string;
  readonly seconds?: number;
  readonly ends?: 'refused' | 'broken';
  readonly questions?: { readonly [name: string]: TaskQuestion };
}

export interface TaskStore extends DurableTasks {
  make(plan: TaskPlan): string;
}

interface Line {
  readonly task: string;
  readonly at: number;
  readonly plan?: TaskPlan;
  readonly said?: { readonly [name: string]: PersonSaid };
  readonly cancelled?: true;
}

/** Only types come from the program, so that a process can run it as it stands. */
const ok = <T>(value: T): Result<T, never> => ({ ok: true, value });

/** Tasks that are lines of a file: whatever process looks, it is the same task. Each line is on the disk before it counts. */
export function openTaskStore(
  file: string,
  { now, refuse }: { readonly now: () => number; readonly refuse: (rejection: Rejection) => Reply },
): TaskStore {
  try {
    writeFileSync(file, `${JSON.stringify({ installation: randomBytes(4).toString('hex') })}\n`, { flag: 'wx' });
  } catch {
    // Another process, or this one before, has begun it.
  }
  const write = (line: Line): void => {
    const opened = openSync(file, 'a');
    try {
      writeSync(opened, `${JSON.stringify(line)}\n`);
      fdatasyncSync(opened);
    } finally {
      closeSync(opened);
    }
  };
  const read = (): { readonly installation: string; readonly lines: readonly Line[] } => {
    const [first = '', ...rest] = readFileSync(file, 'utf8').trimEnd().split('\n');
    return {
      installation: (JSON.parse(first) as { readonly installation: string }).installation,
      lines: rest.map((line) => JSON.parse(line) as Line),
    };
  };
  const refused = (rejection: Rejection): Result<never, Reply> => ({ ok: false, error: refuse(rejection) });
  const look = (taskId: string): Result<readonly Line[], Reply> => {
    const named = /^task_([0-9a-f]{8})_[0-9a-f]{8}$/u.exec(taskId)?.[1];
    const { installation, lines } = read();
    if (named === undefined)
      return refused({
        code: 'TOKEN_MALFORMED',
        message: 'this is no taskId',
        action: 'send it as it was given out',
      });
    if (named !== installation)
      return refused({
        code: 'TOKEN_FOREIGN',
        message: 'another installation gave this taskId out',
        action: 'look for the work by its words',
        nextCall: { tool: 'resume_session', arguments: { query: 'the work' } },
      });
    const mine = lines.filter(({ task }) => task === taskId);
    return mine.length === 0
      ? refused({ code: 'NOT_FOUND', message: 'there is no such task', action: 'make the call again' })
      : ok(mine);
  };
  const told = (taskId: string): Result<TaskTold, Reply> => {
    const lines = look(taskId);
    return lines.ok ? ok(tell(taskId, lines.value, now())) : lines;
  };
  return {
    make(plan) {
      const task = `task_${read().installation}_${randomBytes(4).toString('hex')}`;
      write({ task, at: now(), plan });
      return task;
    },
    get: (taskId) => Promise.resolve(told(taskId)),
    answer(taskId, said) {
      const before = told(taskId);
      if (!before.ok || before.value.status !== 'input_required') return Promise.resolve(before);
      const { questions } = before.value;
      const asked = Object.entries(said).filter(([name]) => Object.hasOwn(questions, name));
      const wrong = asked.find(
        ([name, answer]) => answer.action === 'accept' && !fits(answer.content, questions[name]!),
      );
      if (wrong !== undefined)
        return Promise.resolve(
          refused({
            code: 'VALIDATION_ERROR',
            message: `the answer to ${wrong[0]} is of the wrong kind`,
            action: 'ask again and send what the form asks for',
          }),
        );
      if (asked.length > 0) write({ task: taskId, at: now(), said: Object.fromEntries(asked) });
      return Promise.resolve(told(taskId));
    },
    cancel(taskId) {
      const before = told(taskId);
      if (before.ok && ['working', 'input_required'].includes(before.value.status))
        write({ task: taskId, at: now(), cancelled: true });
      return Promise.resolve(told(taskId));
    },
    list(cursor) {
      const made = read().lines.flatMap(({ task, plan }) => (plan === undefined ? [] : [task]));
      const from = cursor === undefined ? 0 : Number(cursor);
      const page = made
        .toReversed()
        .slice(from, from + 2)
        .map(told);
      const tasks = page.flatMap((one) => (one.ok ? [one.value] : []));
      return Promise.resolve(ok({ tasks, ...(made.length > from + 2 && { nextCursor: String(from + 2) }) }));
    },
  };
}

/** A task as its lines and the clock have it. */
function tell(taskId: string, lines: readonly Line[], now: number): TaskTold {
  const plan = lines[0]!.plan!;
  const said = new Map<string, PersonSaid>();
  for (const line of lines)
    for (const [name, answer] of Object.entries(line.said ?? {}))
      if (answer.action !== 'cancel' && !said.has(name)) said.set(name, answer);
  const open = Object.entries(plan.questions ?? {}).filter(([name]) => !said.has(name));
  const last = Math.max(...lines.map(({ at }) => at));
  const ends = last + (plan.seconds ?? 0) * 1000;
  const facts = (at: number) => ({
    taskId,
    createdAt: new Date(lines[0]!.at).toISOString(),
    lastUpdatedAt: new Date(at).toISOString(),
    pollIntervalMs: 50,
  });
  if (lines.some(({ cancelled }) => cancelled === true))
    return { ...facts(last), status: 'cancelled', statusMessage: `${said.size} answered before it was cancelled` };
  if (open.length > 0)
    return {
      ...facts(last),
      status: 'input_required',
      statusMessage: `${open.length} to be answered.`,
      questions: Object.fromEntries(open),
    };
  if (now < ends) return { ...facts(last), status: 'working' };
  if (plan.ends === 'broken') return { ...facts(ends), status: 'failed', error: { code: -32603, message: plan.text } };
  const filledIn = [...said].map(
    ([name, answer]) => ` ${name}=${answer.action === 'accept' ? JSON.stringify(answer.content) : answer.action}`,
  );
  const reply: Reply = {
    failed: plan.ends === 'refused',
    lookup: false,
    text: `${plan.text}${filledIn.join('')}`,
    answer: { kind: 'ok' },
  };
  return { ...facts(ends), status: 'completed', reply };
}

function fits(content: JsonObject, { requestedSchema }: TaskQuestion): boolean {
  const { properties = {}, required = [] } = requestedSchema as {
    readonly properties?: { readonly [name: string]: { readonly type: string } };
    readonly required?: readonly string[];
  };
  return (
    required.every((name) => Object.hasOwn(content, name)) &&
    Object.entries(properties).every(
      ([name, { type }]) => !Object.hasOwn(content, name) || typeof content[name] === type,
    )
  );
}

/** What stands in for continue_workflow: a call says itself what comes of it. */
export function answerByPlan(store: TaskStore, raw: unknown): Reply {
  const {
    plan,
    text = 'done',
    failed = false,
  } = raw as {
    readonly plan?: TaskPlan;
    readonly text?: string;
    readonly failed?: boolean;
  };
  const reply = { failed, lookup: false, text, answer: { kind: failed ? 'refused' : 'ok' } };
  if (plan === undefined) return reply;
  const taskId = store.make(plan);
  const waits = plan.questions !== undefined || plan.seconds !== undefined;
  return { ...reply, task: { waits, ...(plan.questions && { asks: true }), id: () => taskId } };
}
