import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../../src/base/json-value.js';
import type { Era } from '../../../src/mcp/asked.js';
import { answerKey } from '../../../src/mcp/tool-result.js';
import type { Requests } from '../../../src/requests/requests.js';
import { eras, initializing, type Message, saidBy, serve } from '../../worlds/stdio-world.js';
import {
  type Fields,
  fieldsOf,
  linesOnDisk,
  makeRequestsWorld,
  type RequestsWorld,
  textOf,
} from '../../worlds/requests-world.js';

/** What an agent is blocked by, asked of the person before its program: in the call itself, or as a task. */
const workflow = [
  'workflow: wr.release',
  'title: Release',
  'description: D',
  'steps:',
  '  - { id: agree, title: Agree, prompt: p, confirm: true }',
  '  - id: give',
  '    title: Give',
  '    prompt: p',
  '    needs:',
  '      - { reason: needs_user_choice, key: count, ask: How many? }',
  '      - { reason: needs_user_secret_or_token, key: token, ask: A token. }',
  '    sets: { count: { type: integer } }',
  '  - { id: after, title: After, prompt: "End with ${{ context.count }}." }',
].join('\n');

const forms = { elicitation: { form: {} } };
const both = { ...forms, extensions: { 'io.modelcontextprotocol/tasks': {} } };

let world: RequestsWorld;
let requests: Requests;
beforeEach(() => {
  world = makeRequestsWorld({ seed: 2026 });
  world.writeWorkflow('release', workflow);
  requests = world.open();
});
afterEach(() => world.close());

type Says = (form: Fields) => JsonObject | undefined;

/** A client of one era that shows its user forms, where they say something. */
async function client(era: Era, capabilities: object, says: Says, besides: object = {}) {
  const served = serve(
    era,
    (name, raw, askable) => requests.call(name as 'continue_workflow', raw, askable),
    besides,
    requests.tasks,
  );
  await served.initialize(capabilities);
  const shown: Fields[] = [];
  let id = 1;
  const show = (params: Fields): JsonObject | undefined => {
    shown.push(params);
    return says(params);
  };
  const seen = new Set<Message>();
  /** Answers what the server asks meanwhile, over the open connection or in place of an answer. */
  const ask = async (method: string, params: Fields): Promise<Message> => {
    const mine = (id += 1);
    served.begin(mine, method, params);
    for (;;) {
      const message = await served.answered(
        (one) =>
          !seen.has(one) && (one.method === 'elicitation/create' || (one.id === mine && one.method === undefined)),
      );
      seen.add(message);
      if (message.method !== undefined) {
        const said = show((message as unknown as { readonly params: Fields }).params);
        if (said !== undefined) served.send({ id: message.id, result: said });
        continue;
      }
      const { result } = message;
      if (result?.['resultType'] !== 'input_required') return message;
      const asked = Object.entries(result['inputRequests'] as Fields);
      const inputResponses = Object.fromEntries(
        asked.flatMap(([name, request]) => {
          const said = show(fieldsOf(fieldsOf(request)['params']));
          return said === undefined ? [] : [[name, said]];
        }),
      );
      return ask(method, { ...params, inputResponses, requestState: result['requestState'] as JsonValue });
    }
  };
  const call = async (name: string, args: Fields): Promise<{ readonly answer: Fields; readonly result: Fields }> => {
    const { result = {}, error } = await ask('tools/call', { name, arguments: args as JsonObject });
    if (error !== undefined) throw new Error(error.message);
    return { result: result as Fields, answer: fieldsOf(fieldsOf(result['_meta'] as JsonValue)[answerKey]) };
  };
  const start = async (): Promise<Fields> => {
    const { answer } = await call('start_workflow', { workflowId: 'wr.release', session: 'R-1' });
    const { stateToken, ackToken } = answer;
    return { stateToken, ackToken };
  };
  const askOnce = async (method: string, params: Fields): Promise<Message> => {
    const mine = (id += 1);
    served.begin(mine, method, params);
    return served.answered((one) => one.id === mine && one.method === undefined);
  };
  return { ...served, askOnce, call, start, shown };
}

const yes: Says = () => ({ action: 'accept', content: { answer1: 'yes' } });
const done = { output: { notesMarkdown: 'Tagged it.\nPushed it.' } };
const answers = (): readonly Fields[] =>
  world.lines().filter(({ kind }) => kind === 'question_answered') as unknown as readonly Fields[];

describe.each(eras)('a client that shows forms (%s)', (era) => {
  it('asks its user what the step waits for, with the work, and the call goes on with their answer', async () => {
    const { call, start, shown } = await client(era, forms, yes);
    const pair = await start();
    const { answer } = await call('continue_workflow', { ...pair, ...done });
    expect(answer).toMatchObject({ happened: 'advanced', answered: [{ answer: 'agreed', door: 'client' }] });
    expect(shown).toHaveLength(1);
    expect(textOf(shown[0]?.['message'])).toContain('> Tagged it.\n> Pushed it.');
    expect(answers()).toMatchObject([{ v: 3, who: { door: 'client' }, data: { answer: 'agreed' } }]);
    // Made again it is the same answer, and nobody is asked.
    const again = await call('continue_workflow', { ...pair, ...done });
    expect(again.answer).toEqual(answer);
    expect(shown).toHaveLength(1);
  });

  it('records a no with its reason, and the step stays', async () => {
    const { call, start } = await client(era, forms, () => ({
      action: 'accept',
      content: { answer1: 'no', reason: 'Not on a Friday.' },
    }));
    const { answer } = await call('continue_workflow', { ...(await start()), ...done });
    expect(answer).toMatchObject({ kind: 'blocked', draft: { refused: 'Not on a Friday.' } });
  });

  it.each([
    ['declines', (): JsonObject => ({ action: 'decline' })],
    ['cancels', (): JsonObject => ({ action: 'cancel' })],
    ['fills in nothing', (): JsonObject => ({ action: 'accept', content: {} })],
    ['answers what is no form', (): JsonObject => ({ action: 5 }) as JsonObject],
  ])('leaves the step blocked where the user %s', async (_, says) => {
    const { call, start } = await client(era, forms, says);
    const { answer } = await call('continue_workflow', { ...(await start()), ...done });
    expect(answer['kind']).toBe('blocked');
    expect(answers()).toEqual([]);
  });

  it('asks no secret, says what does not fit, and asks again for what was wrong', async () => {
    const filled = [{ answer1: 'yes' }, { answer1: 'many' }, { answer1: 2.5 }, { answer1: 3 }];
    const { call, start, shown } = await client(era, forms, () => ({ action: 'accept', content: filled.shift()! }));
    const first = await call('continue_workflow', { ...(await start()), ...done });
    const { stateToken, ackToken } = first.answer;
    const { answer } = await call('continue_workflow', { stateToken, ackToken, ...done });
    expect(JSON.stringify(shown)).not.toContain('A token');
    expect(textOf(shown.at(-1)?.['message'])).toContain('expected a whole number, got 2.5');
    expect(answer['kind']).toBe('blocked');
    expect(answers().map(({ data }) => fieldsOf(data)['context'])).toEqual([undefined, { count: 3 }]);
    // Only the secret is open: no form asks for it, and the user says elsewhere that it was given.
    const told = await requests.people.readQuestions({ session: 'R-1' });
    const [question] = told.ok ? told.value.waiting.flatMap(({ questions }) => questions) : [];
    await requests.people.answerQuestion({
      session: 'R-1',
      block: question!.block,
      question: '/context/token',
      answer: 'value',
    });
    const end = await call('continue_workflow', { stateToken, ackToken });
    expect(fieldsOf(end.answer['pending'])['prompt']).toBe('End with 3.');
  });

  it('asks nobody where that is switched off, or where the client says nothing of it', async () => {
    for (const [capabilities, besides] of [
      [{}, {}],
      [forms, { noElicitation: true }],
    ]) {
      const { call, start, shown } = await client(era, capabilities!, yes, besides);
      const { answer } = await call('continue_workflow', { ...(await start()), ...done });
      expect([answer['kind'], shown.length]).toEqual(['blocked', 0]);
    }
  });
});

describe('a client that declares forms and answers none', () => {
  it('holds nothing up: the answer may come from another door, and the call that gave up has lost nothing', async () => {
    const { start, begin, answered, send, ask } = await client('legacy', forms, () => undefined);
    const pair = await start();
    begin(90, 'tools/call', { name: 'continue_workflow', arguments: { ...pair, ...done } as JsonObject });
    await answered(({ method }) => method === 'elicitation/create');
    // Somebody else is not kept from the session meanwhile, and answers in the page.
    const told = await requests.people.readQuestions({ session: 'R-1' });
    const [question] = told.ok ? told.value.waiting.flatMap(({ questions }) => questions) : [];
    await requests.people.answerQuestion({ session: 'R-1', ...question!, answer: 'agreed' });
    send({ method: 'notifications/cancelled', params: { requestId: 90 } });
    const { result } = await ask(91, 'tools/call', { name: 'continue_workflow', arguments: pair });
    expect(fieldsOf(fieldsOf(result?.['_meta'] as JsonValue)[answerKey])).toMatchObject({
      happened: 'advanced',
      answered: [{ door: 'page' }],
    });
  });
});

describe('a form that is answered late', () => {
  it('comes after the step was done elsewhere, and changes nothing (modern)', async () => {
    const pair = await (await client('modern', forms, yes)).start();
    const late = await client('modern', forms, () => undefined);
    late.begin(90, 'tools/call', { name: 'continue_workflow', arguments: { ...pair, ...done } as JsonObject });
    const { result } = await late.answered(({ id }) => id === 90);
    expect(result?.['resultType']).toBe('input_required');
    await requests.call('continue_workflow', { ...pair, confirmed: true });
    late.begin(91, 'tools/call', {
      name: 'continue_workflow',
      arguments: { ...pair, ...done } as JsonObject,
      inputResponses: { form: { action: 'accept', content: { answer1: 'no' } } },
      requestState: result?.['requestState'] as JsonValue,
    });
    const end = await late.answered(({ id }) => id === 91);
    expect(fieldsOf(fieldsOf(end.result?.['_meta'] as JsonValue)[answerKey])['happened']).toBe('advanced');
    expect(answers()).toEqual([]);
  });

  it('is of the work that was shown: changed work is asked for anew', async () => {
    const { start, begin, answered } = await client('modern', forms, () => undefined);
    const pair = await start();
    const asked = async (id: number, notesMarkdown: string, besides: Fields = {}): Promise<Fields> => {
      begin(id, 'tools/call', {
        name: 'continue_workflow',
        arguments: { ...pair, output: { notesMarkdown } },
        ...besides,
      });
      return (await answered((message) => message.id === id)).result as Fields;
    };
    const first = await asked(90, 'One.');
    const inputResponses = { form: { action: 'accept', content: { answer1: 'yes' } } };
    const second = await asked(91, 'Another.', { inputResponses, requestState: first['requestState'] });
    expect(second['resultType']).toBe('input_required');
    expect(JSON.stringify(second)).toContain('> Another.');
    expect(answers()).toEqual([]);
  });
});

describe('a client that takes tasks', () => {
  const begun = async (says: Says = yes) => {
    const opened = await client('modern', both, says, { tasks: { legacy: true } });
    const pair = await opened.start();
    const { result } = await opened.call('continue_workflow', { ...pair, ...done });
    const taskId = textOf(result['taskId']);
    const get = async (): Promise<Fields> => (await opened.askOnce('tasks/get', { taskId })).result as Fields;
    return { ...opened, pair, result, taskId, get };
  };
  const elsewhere = async (answer: 'agreed' | 'refused') => {
    const block = world.lines().findLast(({ kind }) => kind === 'step_blocked')!.sum;
    return requests.people.answerQuestion({ session: 'R-1', block, question: '/confirmed', answer });
  };

  it('gets one in place of a blocked answer, and its end once somebody has answered, wherever', async () => {
    const { result, get, taskId } = await begun();
    expect(result).toMatchObject({ resultType: 'task', status: 'input_required', ttlMs: null });
    expect(await get()).toMatchObject({
      status: 'input_required',
      statusMessage: expect.stringContaining('waiting for the user at “Agree”') as string,
    });
    await elsewhere('agreed');
    const end = await get();
    expect(end).toMatchObject({ status: 'completed', taskId });
    expect(JSON.stringify(end)).toContain('The user agreed');
    expect(await get()).toEqual(end);
  });

  it('passes on what its user filled in, once', async () => {
    const { get, taskId, askOnce } = await begun();
    const [name] = Object.keys(fieldsOf((await get())['inputRequests']));
    const update = (content: JsonObject) =>
      askOnce('tasks/update', { taskId, inputResponses: { [name!]: { action: 'accept', content } } });
    const wrong = await update({ answer1: 7 });
    expect(wrong.error?.code).toBe(-32602);
    expect((await update({ answer1: 'yes' })).error).toBeUndefined();
    expect((await get())['status']).toBe('completed');
    expect((await update({ answer1: 'no' })).error).toBeUndefined();
    expect(answers()).toHaveLength(1);
  });

  it('hears that its user would not say it there, and has the blocked answer', async () => {
    const { get, taskId, askOnce } = await begun();
    const [name] = Object.keys(fieldsOf((await get())['inputRequests']));
    await askOnce('tasks/update', { taskId, inputResponses: { [name!]: { action: 'decline' } } });
    const end = await get();
    expect(end['status']).toBe('completed');
    expect(JSON.stringify(end)).toContain('Blocked at');
  });

  it('may give up: that is recorded, what was handed in is kept, and the question stands', async () => {
    const { get, taskId, askOnce, call, pair } = await begun();
    await askOnce('tasks/cancel', { taskId });
    const end = await get();
    expect(end).toMatchObject({
      status: 'cancelled',
      statusMessage: expect.stringContaining('The draft is kept') as string,
    });
    await askOnce('tasks/cancel', { taskId });
    expect(world.lines().filter(({ kind }) => kind === 'wait_ended')).toHaveLength(1);
    await elsewhere('agreed');
    expect(await get()).toEqual(end);
    expect((await call('continue_workflow', pair)).answer['happened']).toBe('advanced');
  });

  it('is told of a no as of the end of the wait, and of other work as well', async () => {
    const { get, call, pair } = await begun();
    await elsewhere('refused');
    expect(JSON.stringify(await get())).toContain('the user said no');
    const other = await call('continue_workflow', { ...pair, output: { notesMarkdown: 'Otherwise.' } });
    const second = textOf(other.result['taskId']);
    expect(second).not.toBe('');
    await requests.call('continue_workflow', { ...pair, output: { notesMarkdown: 'A third way.' } });
    const { result } = await (
      await client('modern', both, yes, { tasks: { legacy: false } })
    ).askOnce('tasks/get', { taskId: second });
    expect(result).toMatchObject({
      status: 'cancelled',
      statusMessage: expect.stringContaining('received other work') as string,
    });
  });

  it('is refused a handle that is none, of another installation, or of a session that is not here', async () => {
    const { taskId, askOnce } = await begun();
    const foreign = makeRequestsWorld({ seed: 9 });
    foreign.writeWorkflow('release', workflow);
    const elsewhereOpened = foreign.open();
    const there = serve(
      'modern',
      (name, raw) => elsewhereOpened.call(name as 'continue_workflow', raw),
      { tasks: { legacy: false } },
      elsewhereOpened.tasks,
    );
    await there.initialize(both);
    const codes = [
      (await there.ask(50, 'tasks/get', { taskId })).error,
      (await askOnce('tasks/get', { taskId: 'task.v1.nonsense' })).error,
      (await askOnce('tasks/get', { taskId: `${taskId.slice(0, -1)}${taskId.endsWith('0') ? '1' : '0'}` })).error,
      (await askOnce('tasks/cancel', { taskId: 'x' })).error,
    ];
    expect(codes.map((error) => error?.code)).toEqual([-32602, -32602, expect.any(Number), -32602]);
    for (const error of codes) expect(error?.message).toMatch(/Next: /u);
    await foreign.close();
  });
});

const main = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url));

describe.each(eras)('a task of the program itself (%s)', (era) => {
  let folder: string;
  const running: ChildProcess[] = [];
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'forms-'));
    mkdirSync(join(folder, '.workrail/workflows'), { recursive: true });
    writeFileSync(join(folder, '.workrail/workflows/release.yaml'), workflow.replace('wr.release', 'team.release'));
  });
  afterEach(() => {
    for (const one of running.splice(0)) one.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  });
  const env = () => ({ PATH: process.env['PATH'], HOME: folder, WORKRAIL_DATA_DIR: join(folder, 'data') });

  async function begin() {
    const child = spawn(process.execPath, [main, 'mcp', '--tasks'], {
      cwd: folder,
      env: env(),
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    running.push(child);
    const waiting = new Map<unknown, (message: Message) => void>();
    const send = (message: object): void =>
      void child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    createInterface({ input: child.stdout }).on('line', (line) => {
      const message = JSON.parse(line) as Message;
      if (message.method === undefined) waiting.get(message.id)?.(message);
    });
    let last = 0;
    const ask = (method: string, params: Fields = {}): Promise<Message> => {
      const id = (last += 1);
      send({ id, method, params: saidBy(era, params, both) });
      return new Promise((resolve) => waiting.set(id, resolve));
    };
    if (era === 'legacy') await ask('initialize', { ...initializing(), capabilities: both });
    const kill = (): Promise<unknown> => {
      const gone = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      return gone;
    };
    return { ask, kill };
  }

  it('survives its server three times, and another process tells and ends it the same', async () => {
    let served = await begin();
    const wish = era === 'legacy' ? { task: {} } : {};
    const started = await served.ask('tools/call', {
      name: 'start_workflow',
      arguments: { workflowId: 'team.release', session: 'R-1' },
    });
    const { stateToken, ackToken } = fieldsOf(fieldsOf(started.result?.['_meta'] as JsonValue)[answerKey]);
    const called = await served.ask('tools/call', {
      name: 'continue_workflow',
      arguments: { stateToken, ackToken, ...done } as JsonObject,
      ...wish,
    });
    const taskId = textOf(
      fieldsOf(called.result as JsonObject)['taskId'] ?? fieldsOf(called.result?.['task'] as JsonValue)['taskId'],
    );
    let before: unknown;
    for (let kills = 0; kills < 3; kills += 1) {
      const told = (await served.ask('tasks/get', { taskId })).result;
      expect(told).toMatchObject({ taskId, status: 'input_required' });
      if (before !== undefined) expect(told).toEqual(before);
      before = told;
      await served.kill();
      served = await begin();
    }
    const cli = spawn(process.execPath, [main, 'answer', 'R-1', '--agree', '--no-terminal'], {
      cwd: folder,
      env: env(),
      stdio: 'ignore',
    });
    expect(await new Promise((resolve) => cli.once('exit', resolve))).toBe(0);
    const end = (await served.ask('tasks/get', { taskId })).result;
    expect(end).toMatchObject({ taskId, status: 'completed' });
    const result = era === 'modern' ? end?.['result'] : (await served.ask('tasks/result', { taskId })).result;
    expect(JSON.stringify(result)).toContain('The user agreed, on the command line without a terminal');
    const acked = linesOnDisk(join(folder, 'data')).filter(({ kind }) => kind === 'step_acked');
    expect(acked).toHaveLength(1);
  });
});
