import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json-value.js';
import type { Era } from '../../../src/mcp/asked.js';
import { chooseTools } from '../../../src/mcp/choose-tools.js';
import type { Requests } from '../../../src/requests/requests.js';
import { call, type Fields, fieldsOf, textOf } from '../../worlds/requests-world.js';
import { makeRunnerWorld, type RunnerWorld } from '../../worlds/runner-world.js';
import { answer as answered } from '../../worlds/scripted-server.js';
import { eras, serve } from '../../worlds/stdio-world.js';

const forms = { elicitation: { form: {} } };
const tasksAlone = { extensions: { 'io.modelcontextprotocol/tasks': {} } };
const both = { ...forms, ...tasksAlone };

let at: RunnerWorld;
let requests: Requests;
/** Lets the answers of the server go that are held back. */
let release: () => void;

beforeEach(async () => {
  at = await makeRunnerWorld({ seed: 31, tick: 1 });
  requests = at.world.open();
  at.api.issues.set(1, { id: 1, title: 'A', state: 'open' });
});
afterEach(async () => {
  release();
  await at.close();
});
release = () => undefined;

/** Each answer of the server waits until it is let go. */
function holdAnswers(): void {
  let open: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (open = resolve));
  release = open;
  at.server.script(async (request, count) => {
    await held;
    return at.api.script(request, count);
  });
}

const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await pause(5);
};

/** A client of one era, of a server that runs workflows. */
async function client(era: Era, capabilities: object = both) {
  const tools = chooseTools([
    {
      enableName: '--enable',
      disableName: '--disable',
      enable: [],
      disable: [],
      toolsets: ['author', 'commands', 'catalogs'],
    },
  ]);
  if (!tools.ok) throw new Error(tools.error);
  const served = serve(
    era,
    (name, raw, askable) => requests.call(name as 'run_workflow', raw, askable),
    { tasks: { legacy: true }, tools: tools.value },
    requests.tasks,
  );
  await served.initialize(capabilities);
  let id = 1;
  const ask = async (method: string, params: Readonly<Record<string, unknown>> = {}) =>
    served.ask((id += 1), method, params);
  const tool = async (name: string, args: JsonObject, besides: object = {}) => {
    const { result, error } = await ask('tools/call', { name, arguments: args, ...besides });
    expect(error).toBeUndefined();
    return result as JsonObject;
  };
  const answerOf = (result: JsonObject | undefined): Fields =>
    fieldsOf(fieldsOf(result?.['_meta'])['workrail/answer'] ?? undefined);
  /** The handle of the task that the call has become; empty where it was answered. */
  const run = async (args: JsonObject): Promise<string> => {
    const result = await tool('run_workflow', args, era === 'legacy' ? { task: {} } : {});
    return textOf((era === 'legacy' ? fieldsOf(result['task']) : result)['taskId']);
  };
  const get = async (taskId: string): Promise<Fields> => {
    const { result, error } = await ask('tasks/get', { taskId });
    expect(error).toBeUndefined();
    return (result ?? {}) as Fields;
  };
  const statusOf = async (taskId: string): Promise<string> => textOf((await get(taskId))['status']);
  /** The task once it stands like that. */
  const when = async (taskId: string, status: string): Promise<Fields> => {
    for (let looks = 0; looks < 400; looks += 1) {
      const told = await get(taskId);
      if (told['status'] === status) return told;
      await pause(25);
    }
    throw new Error(`the task is ${await statusOf(taskId)}, and never became ${status}`);
  };
  /** What the call is answered with in the end. */
  const resultOf = async (taskId: string): Promise<Fields> => {
    const told =
      era === 'modern'
        ? ((await get(taskId))['result'] as JsonObject)
        : ((await ask('tasks/result', { taskId })).result as JsonObject);
    return answerOf(told);
  };
  /** What the person says to the form of the task. */
  const answer = async (taskId: string, action: 'accept' | 'decline', content: JsonObject = {}): Promise<void> => {
    const said = { action, ...(action === 'accept' && { content }) };
    if (era === 'modern') {
      const { inputRequests } = await get(taskId);
      const [name] = Object.keys(fieldsOf(inputRequests));
      await ask('tasks/update', { taskId, inputResponses: { [name ?? '']: said } });
      return;
    }
    const seen = new Set(served.messages);
    served.begin((id += 1), 'tasks/result', { taskId });
    const form = await served.answered((message) => message.method === 'elicitation/create' && !seen.has(message));
    served.send({ id: form.id, result: said });
  };
  const cancel = async (taskId: string): Promise<void> => {
    expect((await ask('tasks/cancel', { taskId })).error).toBeUndefined();
  };
  return { ...served, askNext: ask, tool, answerOf, run, get, statusOf, when, resultOf, answer, cancel };
}

const plan = async (): Promise<string> =>
  textOf((await call(requests, 'plan_steps', { workflowId: 'team.flow' })).answer['plan']);
const toRun = async (): Promise<JsonObject> => ({ workflowId: 'team.flow', confirm: await plan() });

const look = (id: string): string => `  - id: ${id}
    run: tracker issues/get
    with: { id: 1 }
`;
const file = (id: string, more = ''): string => `  - id: ${id}
    run: tracker issues/create
    body: { title: Filed by ${id} }
${more}`;
const say = (id: string): string => `  - id: ${id}
    prompt: Say it.
`;

describe.each(eras)('a run as a task (%s)', (era) => {
  it('is at work until it has ended, and told with what it gave', async () => {
    at.workflow(look('look'), 'returns: { title: "${{ outputs.look.body.title }}" }\n');
    holdAnswers();
    const { run, statusOf, when, resultOf } = await client(era);
    const taskId = await run({ workflowId: 'team.flow' });
    expect(await statusOf(taskId)).toBe('working');
    release();
    await when(taskId, 'completed');
    expect(await resultOf(taskId)).toMatchObject({ state: 'succeeded', returned: { title: 'A' } });
  });

  it('that fails is told with why', async () => {
    at.workflow(look('look').replace('id: 1', 'id: 404'));
    holdAnswers();
    const { run, when, resultOf } = await client(era);
    const taskId = await run({ workflowId: 'team.flow' });
    release();
    await when(taskId, 'completed');
    expect(await resultOf(taskId)).toMatchObject({ state: 'failed', failure: { error_code: 'COMMAND_FAILED' } });
  });

  it('is done where an agent is next, says what they are to do, and stays so while the run goes on', async () => {
    at.workflow(look('first') + say('say') + look('last'));
    holdAnswers();
    const { run, tool, answerOf, when, statusOf, resultOf } = await client(era);
    const taskId = await run({ workflowId: 'team.flow' });
    release();
    await when(taskId, 'completed');
    const told = await resultOf(taskId);
    expect(told).toMatchObject({ state: 'running', waitingFor: 'agent', nextCall: { tool: 'continue_workflow' } });
    const { stateToken } = told as { stateToken: string };
    const looked = answerOf(await tool('continue_workflow', { stateToken }));
    holdAnswers();
    const going = call(requests, 'continue_workflow', {
      stateToken,
      ackToken: textOf(looked['ackToken']),
      output: { notesMarkdown: 'said' },
    });
    await until(() => at.server.seen.length >= 2);
    expect(await statusOf(taskId)).toBe('completed');
    release();
    await going;
    expect(await statusOf(taskId)).toBe('completed');
  });

  it('asks the person, and goes on with what they say', async () => {
    at.workflow(look('look') + file('file', '    confirm: true\n'));
    holdAnswers();
    const { run, when, answer, resultOf } = await client(era);
    const taskId = await run(await toRun());
    release();
    await when(taskId, 'input_required');
    await answer(taskId, 'accept', { answer1: 'yes' });
    await when(taskId, 'completed');
    expect(await resultOf(taskId)).toMatchObject({ state: 'succeeded' });
    expect(at.api.writes).toHaveLength(1);
  });

  it('ends where they decline, with what is open, and stays so when it is answered elsewhere', async () => {
    at.workflow(look('look') + file('file', '    confirm: true\n'));
    holdAnswers();
    const { run, when, answer, resultOf, statusOf, tool } = await client(era);
    const taskId = await run(await toRun());
    release();
    await when(taskId, 'input_required');
    await answer(taskId, 'decline');
    await when(taskId, 'completed');
    const told = await resultOf(taskId);
    expect(told).toMatchObject({ state: 'running', waitingFor: 'user' });
    const { nextCall } = told as { nextCall: { arguments: JsonObject } };
    holdAnswers();
    const going = tool('continue_workflow', { ...nextCall.arguments, confirmed: true });
    await until(() => at.server.seen.length >= 2);
    expect(await statusOf(taskId)).toBe('completed');
    release();
    await going;
    expect(at.api.writes).toHaveLength(1);
  });

  it('ends where they say no, with what the user said', async () => {
    at.workflow(look('look') + file('file', '    confirm: true\n'));
    holdAnswers();
    const { run, when, answer, resultOf } = await client(era);
    const taskId = await run(await toRun());
    release();
    await when(taskId, 'input_required');
    await answer(taskId, 'accept', { answer1: 'no', reason: 'not today' });
    await when(taskId, 'completed');
    expect(await resultOf(taskId)).toMatchObject({ state: 'running', waitingFor: 'user' });
    expect(at.api.writes).toHaveLength(0);
  });

  it('is done where its client shows no forms: its agent has the question, to put it to the user', async () => {
    at.workflow(look('look') + file('file', '    confirm: true\n'));
    holdAnswers();
    const { run, when, resultOf } = await client(era, tasksAlone);
    const taskId = await run(await toRun());
    release();
    await when(taskId, 'completed');
    expect(await resultOf(taskId)).toMatchObject({
      waitingFor: 'user',
      message: expect.stringContaining('has to agree') as string,
      nextCall: { tool: 'continue_workflow' },
    });
  });

  it.each([
    ['comes through', 200],
    ['fails', 400],
  ])('that was cancelled stays so when the last write, which was under way, %s', async (_, status) => {
    at.workflow(file('file'));
    let open: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (open = resolve));
    release = open;
    at.server.script(async (request, count) => {
      await held;
      return status === 200 ? at.api.script(request, count) : answered(status, { message: 'no' });
    });
    const { run, cancel, statusOf } = await client(era);
    const taskId = await run(await toRun());
    await until(() => at.server.seen.length >= 1);
    await cancel(taskId);
    expect(await statusOf(taskId)).toBe('cancelled');
    release();
    await until(() => at.world.lines().some(({ kind }) => kind === 'command_done'));
    expect(await statusOf(taskId)).toBe('cancelled');
    const runId = taskId.split('.')[0]!;
    expect((await call(requests, 'get_run', { runId })).answer).toMatchObject({
      state: 'canceled',
      done: [{ path: 'file', state: status === 200 ? 'succeeded' : 'canceled', status: status === 200 ? 201 : status }],
    });
    expect((await call(requests, 'list_runs', { state: 'canceled' })).answer).toMatchObject({
      runs: [{ run_id: runId }],
    });
  });

  it('whose server ended is done, with the call that goes on with it, which is a task of its own', async () => {
    at.workflow(look('look') + look('last'), 'returns: { title: "${{ outputs.last.body.title }}" }\n');
    holdAnswers();
    const first = await client(era);
    const taskId = await first.run({ workflowId: 'team.flow' });
    expect(await first.statusOf(taskId)).toBe('working');
    await requests.close();
    requests = at.world.open();
    const { run, statusOf, when, resultOf } = await client(era);
    await when(taskId, 'completed');
    const told = await resultOf(taskId);
    expect(told).toMatchObject({ state: 'pending', waitingFor: 'driver', nextCall: { tool: 'run_workflow' } });
    const { runId } = (told['nextCall'] as { arguments: { runId: string } }).arguments;
    const again = await run({ runId });
    expect(again).not.toBe(taskId);
    expect([await statusOf(taskId), await statusOf(again)]).toEqual(['completed', 'working']);
    release();
    await when(again, 'completed');
    expect(await resultOf(again)).toMatchObject({ state: 'succeeded', returned: { title: 'A' } });
    expect(await statusOf(taskId)).toBe('completed');
  });

  it('is the same after a restart of the server: what it asks, what is answered, and what it gave', async () => {
    at.workflow(look('look') + file('file', '    confirm: true\n'), 'returns: { id: "${{ outputs.file.body.id }}" }\n');
    holdAnswers();
    const first = await client(era);
    const taskId = await first.run(await toRun());
    release();
    await first.when(taskId, 'input_required');
    await requests.close();
    requests = at.world.open();
    const second = await client(era);
    expect(await second.statusOf(taskId)).toBe('input_required');
    await second.answer(taskId, 'accept', { answer1: 'yes' });
    await second.when(taskId, 'completed');
    const given = await second.resultOf(taskId);
    expect(given).toMatchObject({ state: 'succeeded', returned: { id: 2 } });
    await requests.close();
    requests = at.world.open();
    const third = await client(era);
    expect(await third.statusOf(taskId)).toBe('completed');
    expect(await third.resultOf(taskId)).toEqual(given);
    expect(at.api.writes).toHaveLength(1);
  });

  it('that is over at once is answered, or a task that has ended', async () => {
    at.workflow(look('look'));
    const { run, when, tool, answerOf } = await client(era);
    if (era === 'legacy') await when(await run({ workflowId: 'team.flow' }), 'completed');
    else
      expect(answerOf(await tool('run_workflow', { workflowId: 'team.flow' }))).toMatchObject({ state: 'succeeded' });
  });
});

describe('a list of tasks', () => {
  it('has the runs that go on', async () => {
    at.workflow(look('look'));
    holdAnswers();
    const { run, askNext } = await client('legacy');
    const taskId = await run({ workflowId: 'team.flow' });
    const listed = (await askNext('tasks/list')).result?.['tasks'];
    expect(listed).toMatchObject([{ taskId, status: 'working' }]);
  });
});
