import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { limits } from '../base/limits.js';
import { rejectionReply } from '../render/answers/rejection-reply.js';
import { eras, saidBy, serve } from '../../property-tests/worlds/stdio-world.js';
import { answerByPlan, openTaskStore, type TaskPlan, type TaskStore } from '../../property-tests/worlds/task-store.js';
import type { Era } from './asked.js';
import { serveHttp } from './http-sessions.js';

const extension = 'io.modelcontextprotocol/tasks';
const relatedTask = 'io.modelcontextprotocol/related-task';
const takesTasks = { extensions: { [extension]: {} } };
const takesForms = { elicitation: { form: {} } };
const takesBoth = { ...takesTasks, ...takesForms };
const confirm = {
  message: 'May it go?',
  requestedSchema: { type: 'object', properties: { sure: { type: 'boolean' } }, required: ['sure'] },
};
const one: TaskPlan = { text: 'gone', questions: { confirm } };
const two: TaskPlan = { text: 'both', questions: { first: confirm, second: confirm } };
const accept = (content: object = { sure: true }) => ({ action: 'accept', content });

let folder: string;
let store: TaskStore;
const refuse = (told: Parameters<typeof rejectionReply>[0]) =>
  rejectionReply(told, 'none', new Set(['resume_session']));
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tasks-'));
  store = openTaskStore(join(folder, 'tasks'), { now: () => Date.now(), refuse });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const linesOnDisk = (): number => readFileSync(join(folder, 'tasks'), 'utf8').split('\n').length - 1;

/** A server that keeps tasks, and a client that says what it can. */
async function client(era: Era, capabilities: object, tasks: { readonly legacy: boolean } | 'off' = { legacy: true }) {
  const world = serve(
    era,
    (_name, raw) => Promise.resolve(answerByPlan(store, raw)),
    tasks === 'off' ? {} : { tasks },
    store,
  );
  const begun = (await world.initialize(capabilities)).result?.['capabilities'];
  let id = 1;
  const ask = (method: string, params: Readonly<Record<string, unknown>> = {}) => world.ask((id += 1), method, params);
  const call = (args: object, besides: object = {}) =>
    ask('tools/call', { name: 'continue_workflow', arguments: args, ...besides });
  /** What the call has become: the handle that the client goes on with. */
  const made = async (plan: TaskPlan): Promise<string> => {
    const { result } = await call({ plan }, era === 'legacy' ? { task: {} } : {});
    return String((era === 'legacy' ? (result?.['task'] as Record<string, unknown>) : result)?.['taskId']);
  };
  const get = async (taskId: string) => (await ask('tasks/get', { taskId })).result;
  return { ...world, begun, askNext: ask, call, made, get };
}

describe.each(eras)('what is offered (%s)', (era) => {
  const extended = { extensions: { [extension]: {} } };
  const ofLegacy = { tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } };
  it.each([
    ['nothing', 'off', {}, {}],
    ['the extension', { legacy: false }, extended, {}],
    ['both generations', { legacy: true }, extended, ofLegacy],
  ] as const)('is %s where the server is told so, and nothing else changes', async (_, tasks, modern, legacy) => {
    const { begun, askNext } = await client(era, takesBoth, tasks);
    expect(begun).toEqual({ tools: {}, resources: {}, prompts: {}, ...(era === 'modern' ? modern : legacy) });
    const listed = (await askNext('tools/list')).result?.['tools'] as readonly Record<string, unknown>[];
    const executed = listed.flatMap(({ name, execution }) => (execution === undefined ? [] : [[name, execution]]));
    const offered = era === 'legacy' && tasks !== 'off' && tasks.legacy;
    expect(executed).toEqual(offered ? [['continue_workflow', { taskSupport: 'optional' }]] : []);
    const plain = await client(era, {}, 'off');
    const without = ({ execution: _execution, ...rest }: Record<string, unknown>) => rest;
    expect(JSON.stringify(listed.map(without))).toBe(
      JSON.stringify((await plain.askNext('tools/list')).result?.['tools']),
    );
  });

  it.each(['off', { legacy: false }] as const)('is no method where it is %j', async (tasks) => {
    const { askNext } = await client(era, takesBoth, tasks);
    const methods = ['get', 'result', 'update', 'cancel', 'list'].map((name) => `tasks/${name}`);
    const codes: (number | undefined)[] = [];
    for (const method of methods) codes.push((await askNext(method, { taskId: 'x' })).error?.code);
    const here = era === 'modern' && tasks !== 'off';
    expect(codes).toEqual(here ? [-32602, -32601, -32602, -32602, -32601] : [-32601, -32601, -32601, -32601, -32601]);
  });
});

describe('a call of a client of 2026-07-28', () => {
  it('is a task while it waits for a person, and told with its whole answer once they have answered', async () => {
    const { call, get, askNext } = await client('modern', takesBoth);
    const { result } = await call({ plan: one }, { task: { ttl: 1 } });
    expect(result).toEqual({
      resultType: 'task',
      taskId: expect.stringMatching(/^task_/u) as string,
      status: 'input_required',
      statusMessage: '1 to be answered.',
      createdAt: expect.any(String) as string,
      lastUpdatedAt: result?.['createdAt'],
      ttlMs: null,
      pollIntervalMs: 50,
      _meta: expect.any(Object) as object,
    });
    const taskId = String(result?.['taskId']);
    const form = { method: 'elicitation/create', params: { mode: 'form', ...confirm } };
    expect(await get(taskId)).toMatchObject({ resultType: 'complete', inputRequests: { confirm: form } });
    const update = await askNext('tasks/update', { taskId, inputResponses: { confirm: accept() } });
    expect(Object.keys(update.result ?? {}).toSorted()).toEqual(['_meta', 'resultType']);
    const told = await get(taskId);
    expect(told).toMatchObject({
      status: 'completed',
      result: {
        resultType: 'complete',
        content: [{ type: 'text', text: 'gone confirm={"sure":true}' }],
        _meta: { 'workrail/answer': { kind: 'ok' } },
      },
    });
    expect(JSON.stringify(told?.['result'])).not.toContain(relatedTask);
  });

  it('is answered at once where it waits for nobody, where its client takes no tasks, and where none are offered', async () => {
    const done = { content: [{ text: 'blocked' }] };
    const willing = await client('modern', takesBoth);
    expect((await willing.call({ plan: { text: 'x' }, text: 'blocked' })).result).toMatchObject(done);
    const plain = await client('modern', takesForms);
    expect((await plain.call({ plan: one, text: 'blocked' })).result).toMatchObject(done);
    const off = await client('modern', takesBoth, 'off');
    expect((await off.call({ plan: one, text: 'blocked' })).result).toMatchObject(done);
  });

  it('is answered at once where its task cannot be told', async () => {
    const { call, log } = await client('modern', takesBoth);
    store.get = () => Promise.reject(new Error('the disk is gone'));
    expect((await call({ plan: one, text: 'blocked' })).result).toMatchObject({ content: [{ text: 'blocked' }] });
    expect(log.join('\n')).toContain('the disk is gone');
  });

  it('waits for all its questions, and only those open are asked', async () => {
    const { made, get, askNext } = await client('modern', takesBoth);
    const taskId = await made(two);
    await askNext('tasks/update', { taskId, inputResponses: { first: accept() } });
    const told = await get(taskId);
    expect([told?.['status'], Object.keys(told?.['inputRequests'] as object)]).toEqual(['input_required', ['second']]);
    await askNext('tasks/update', { taskId, inputResponses: { second: { action: 'decline' } } });
    expect(await get(taskId)).toMatchObject({
      result: { content: [{ text: 'both first={"sure":true} second=decline' }] },
    });
  });

  it('takes the first answer: one that is given twice, late, or to what nobody asked changes nothing', async () => {
    const { made, get, askNext } = await client('modern', takesBoth);
    const taskId = await made(one);
    const answer = (inputResponses: object) => askNext('tasks/update', { taskId, inputResponses });
    expect((await answer({ nobody: { ignored: true }, __proto__: accept() })).error).toBeUndefined();
    expect((await answer({ confirm: { action: 'cancel' } })).error).toBeUndefined();
    expect(await get(taskId)).toMatchObject({ status: 'input_required' });
    await answer({ confirm: accept() });
    const told = await get(taskId);
    expect((await answer({ confirm: accept({ sure: false }) })).error).toBeUndefined();
    expect((await answer({ confirm: 5 })).error).toBeUndefined();
    expect(await get(taskId)).toEqual(told);
  });

  it.each([
    ['no object', 5, 'is no answer to a form'],
    ['nothing', {}, 'is no answer to a form'],
    ['no action that there is', { action: 'agree' }, 'is no answer to a form'],
    ['content that is no object', { action: 'accept', content: ['x'] }, 'is no answer to a form'],
    ['another request', { method: 'x', action: 'accept' }, 'is no answer to a form'],
    ['a value of the wrong kind', accept({ sure: 'yes' }), 'of the wrong kind'],
    ['nothing of what is needed', accept({}), 'of the wrong kind'],
  ])('is refused an answer that is %s, and goes on waiting', async (_, confirmed, says) => {
    const { made, get, askNext } = await client('modern', takesBoth);
    const taskId = await made(one);
    const { error } = await askNext('tasks/update', { taskId, inputResponses: { confirm: confirmed } });
    expect(error?.code).toBe(-32602);
    expect(error?.message).toContain(says);
    expect(await get(taskId)).toMatchObject({ status: 'input_required' });
  });

  it('is cancelled once; one that has ended stays as it ended', async () => {
    const { made, get, askNext } = await client('modern', takesBoth);
    const taskId = await made(two);
    await askNext('tasks/update', { taskId, inputResponses: { first: accept() } });
    for (let times = 0; times < 2; times += 1)
      expect((await askNext('tasks/cancel', { taskId })).result).toMatchObject({ resultType: 'complete' });
    expect(await get(taskId)).toMatchObject({
      status: 'cancelled',
      statusMessage: '1 answered before it was cancelled',
    });
    const ended = await made({ text: 'x', seconds: 0 });
    expect((await askNext('tasks/cancel', { taskId: ended })).error).toBeUndefined();
    expect(await get(ended)).toMatchObject({ status: 'completed' });
  });

  it('tells what became of it: an answer that refuses is an answer, and what broke is an error', async () => {
    const { made, get } = await client('modern', takesBoth);
    const refused = await get(await made({ text: 'no', ends: 'refused', seconds: 0 }));
    expect(refused).toMatchObject({ status: 'completed', result: { isError: true } });
    const broken = await get(await made({ text: 'oh', ends: 'broken', seconds: 0 }));
    expect(broken).toMatchObject({ status: 'failed', error: { code: -32603, message: 'oh' } });
    expect(await get(await made({ text: 'x', seconds: 60 }))).toMatchObject({ status: 'working' });
  });

  it('whose client shows no forms is answered at once; its task is at work until the person has answered elsewhere', async () => {
    const { call, get } = await client('modern', takesTasks);
    expect((await call({ plan: one, text: 'blocked' })).result).toMatchObject({ content: [{ text: 'blocked' }] });
    const taskId = store.make(one);
    const told = await get(taskId);
    expect(told).toMatchObject({
      status: 'working',
      statusMessage: expect.stringContaining('1 to be answered.') as string,
    });
    expect(told).not.toHaveProperty('inputRequests');
    await store.answer(taskId, { confirm: { action: 'accept', content: { sure: true } } });
    expect(await get(taskId)).toMatchObject({ status: 'completed' });
  });

  it.each(['tasks/get', 'tasks/update', 'tasks/cancel'])(
    'is not told by %s to who does not take tasks',
    async (method) => {
      const { askNext } = await client('modern', takesForms);
      const { error } = await askNext(method, { taskId: store.make(one), inputResponses: { confirm: accept() } });
      expect(error).toMatchObject({
        code: -32021,
        data: {
          error_code: 'TASK_CAPABILITY_REQUIRED',
          requiredCapabilities: takesTasks,
          nextCall: { tool: 'continue_workflow', arguments: { stateToken: '<the stateToken of the call>' } },
        },
      });
      expect(linesOnDisk()).toBe(2);
    },
  );

  it('is found before anybody knows where its client works, which is asked for by the next call', async () => {
    const { get, call, calls } = await client('modern', { ...takesBoth, roots: {} });
    expect(await get(store.make(one))).toMatchObject({ status: 'input_required' });
    expect((await call({})).result).toMatchObject({ inputRequests: { roots: { method: 'roots/list' } } });
    expect(calls.opened).toEqual(['/here']);
  });
});

describe('a call of a client of 2025-11-25', () => {
  const textOf = (result: Record<string, unknown> | undefined) =>
    (result?.['content'] as { text: string }[] | undefined)?.[0]?.text;

  it('is a task where it wishes for one, and its person is asked by who waits for the end', async () => {
    const { call, get, begin, send, answered } = await client('legacy', takesForms);
    const { result } = await call({ plan: two, text: 'blocked' }, { task: { ttl: 5 } });
    expect(result).toEqual({
      task: {
        taskId: expect.any(String) as string,
        status: 'working',
        statusMessage: '2 to be answered.',
        createdAt: expect.any(String) as string,
        lastUpdatedAt: expect.any(String) as string,
        ttl: null,
        pollInterval: 50,
      },
      _meta: { 'io.modelcontextprotocol/model-immediate-response': 'blocked' },
    });
    const { taskId } = (result?.['task'] ?? {}) as { readonly taskId: string };
    expect(await get(taskId)).toMatchObject({ taskId, status: 'input_required', ttl: null });
    begin(90, 'tasks/result', { taskId });
    for (const said of [accept(), { action: 'decline' }]) {
      const form = await answered(({ method, id }) => method === 'elicitation/create' && id !== shown);
      expect(form).toMatchObject({
        params: { mode: 'form', ...confirm, _meta: { [relatedTask]: { taskId } } },
      });
      shown = form.id;
      send({ id: form.id, result: said });
    }
    const ended = await answered(({ id, method }) => id === 90 && method === undefined);
    expect(textOf(ended.result)).toBe('both first={"sure":true} second=decline');
    expect(ended.result?.['_meta']).toMatchObject({ [relatedTask]: { taskId } });
    expect(await get(taskId)).toMatchObject({ status: 'completed' });
  });
  let shown: unknown;

  it('is a task too where its answer is there at once, and is answered as ever without the wish', async () => {
    const { made, get, call, askNext } = await client('legacy', {});
    const taskId = await made({ text: 'there' });
    expect(await get(taskId)).toMatchObject({ status: 'completed' });
    expect(textOf((await askNext('tasks/result', { taskId })).result)).toBe('there');
    expect(textOf((await call({ plan: one, text: 'blocked' })).result)).toBe('blocked');
  });

  it('is refused the wish by every other tool, before anything is done', async () => {
    const { askNext, calls } = await client('legacy', {});
    const other = await askNext('tools/call', { name: 'list_workflows', arguments: {}, task: {} });
    expect(other.error).toMatchObject({ code: -32601, data: { error_code: 'TASK_CAPABILITY_REQUIRED' } });
    expect(calls.requests).toEqual([]);
  });

  it.each([
    ['a look, which is in no log', { text: 'a look' }, false],
    ['a refusal', { text: 'STEP_INCOMPLETE: all of it', failed: true }, true],
    ['a question that its client shows to nobody', { text: 'blocked', plan: one }, false],
  ])('has the answer of %s at once, and while it is kept', async (_, args, failed) => {
    const { call, get, askNext, calls } = await client('legacy', {});
    const { result } = await call(args, { task: {} });
    const { taskId } = (result?.['task'] ?? {}) as { readonly taskId: string };
    expect(result).toMatchObject({ task: { status: 'working', ttl: null } });
    expect(await get(taskId)).toMatchObject({ status: 'completed' });
    const answer = (await askNext('tasks/result', { taskId })).result;
    expect([textOf(answer), answer?.['isError']]).toEqual([args.text, failed ? true : undefined]);
    expect(answer?.['_meta']).toMatchObject({ [relatedTask]: { taskId } });
    expect((await askNext('tasks/list')).result?.['tasks']).toContainEqual(await get(taskId));
    expect((await askNext('tasks/cancel', { taskId })).error).toMatchObject({ code: -32602 });
    const asked = calls.requests.length;
    for (let times = 0; times < limits.tasksAtOnce; times += 1) await call({ text: 'another' }, { task: {} });
    expect((await askNext('tasks/get', { taskId })).error).toMatchObject({
      code: -32602,
      message: expect.stringContaining('Make the same call again') as string,
    });
    expect(calls.requests).toHaveLength(asked + limits.tasksAtOnce);
  });

  it('is refused the wish where tasks are switched off, with the call that works', async () => {
    for (const tasks of ['off', { legacy: false }] as const) {
      const { call, calls } = await client('legacy', {}, tasks);
      const { error } = await call({ plan: one }, { task: {} });
      expect(error).toMatchObject({
        code: -32601,
        message: expect.stringContaining('switched off') as string,
        data: {
          error_code: 'TASK_CAPABILITY_REQUIRED',
          nextCall: { tool: 'continue_workflow', arguments: JSON.parse(JSON.stringify({ plan: one })) as object },
        },
      });
      expect(calls.requests).toEqual([]);
    }
  });

  it('goes on when another door answers, and what its client still shows is taken back', async () => {
    const { made, begin, answered } = await client('legacy', takesForms);
    const taskId = await made(one);
    begin(90, 'tasks/result', { taskId });
    const form = await answered(({ method }) => method === 'elicitation/create');
    await store.answer(taskId, { confirm: { action: 'accept', content: { sure: true } } });
    expect(textOf((await answered(({ id, method }) => id === 90 && method === undefined)).result)).toContain('gone');
    const taken = await answered(({ method }) => method === 'notifications/cancelled');
    expect(taken).toMatchObject({ params: { requestId: form.id } });
  });

  it('asks nobody twice, and one form at a time', async () => {
    const { made, begin, send, answered, messages } = await client('legacy', takesForms);
    const [first, second] = [await made(one), await made(one)];
    const forms = () => messages.filter(({ method }) => method === 'elicitation/create');
    begin(90, 'tasks/result', { taskId: first });
    begin(91, 'tasks/result', { taskId: second });
    const form = await answered(({ method }) => method === 'elicitation/create');
    await new Promise((resolve) => setTimeout(resolve, 2 * limits.taskLookMs));
    expect(forms()).toHaveLength(1);
    send({ id: form.id, result: { action: 'cancel' } });
    const next = await answered(({ method, id }) => method === 'elicitation/create' && id !== form.id);
    send({ id: next.id, result: accept() });
    await answered(({ id, method }) => id === 91 && method === undefined);
    await store.answer(first, { confirm: { action: 'decline' } });
    await answered(({ id, method }) => id === 90 && method === undefined);
    expect(forms()).toHaveLength(2);
  });

  it('asks its person too where its client only looks, once for each question', async () => {
    const { made, get, send, answered, messages } = await client('legacy', takesForms);
    const taskId = await made(two);
    const forms = () => messages.filter(({ method }) => method === 'elicitation/create');
    for (let looks = 0; looks < 3; looks += 1) {
      await get(taskId);
      expect(forms()).toEqual([]);
    }
    const form = await answered(({ method }) => method === 'elicitation/create');
    send({ id: form.id, result: { action: 'cancel' } });
    const next = await answered(({ method, id }) => method === 'elicitation/create' && id !== form.id);
    expect(next).toMatchObject({ params: { _meta: { [relatedTask]: { taskId } } } });
    send({ id: next.id, result: accept() });
    for (let told = await get(taskId); told?.['statusMessage'] !== '1 to be answered.';) told = await get(taskId);
    expect(forms()).toHaveLength(2);
    await store.answer(taskId, { first: { action: 'decline' } });
    expect(await get(taskId)).toMatchObject({ status: 'completed' });
  });

  it('is waited for without a form where its client shows none', async () => {
    const { begin, answered, messages } = await client('legacy', {});
    const taskId = store.make(one);
    begin(90, 'tasks/result', { taskId });
    await store.answer(taskId, { confirm: { action: 'decline' } });
    expect(textOf((await answered(({ id }) => id === 90)).result)).toBe('gone confirm=decline');
    expect(messages.some(({ method }) => method === 'elicitation/create')).toBe(false);
  });

  it('is not ended by an answer of the wrong kind, which who waits is told of', async () => {
    const { made, begin, send, answered, get } = await client('legacy', takesForms);
    const taskId = await made(one);
    begin(90, 'tasks/result', { taskId });
    const { id } = await answered(({ method }) => method === 'elicitation/create');
    send({ id, result: accept({ sure: 'yes' }) });
    const { error } = await answered((message) => message.id === 90 && message.method === undefined);
    expect(error).toMatchObject({ code: -32602, message: expect.stringContaining('of the wrong kind') as string });
    expect(await get(taskId)).toMatchObject({ status: 'input_required' });
  });

  it('holds nothing of who has taken the question back, or has gone', async () => {
    const { made, begin, send, answered, stdin, ended, messages } = await client('legacy', takesForms);
    const taskId = await made(one);
    begin(90, 'tasks/result', { taskId });
    await answered(({ method }) => method === 'elicitation/create');
    send({ method: 'notifications/cancelled', params: { requestId: 90 } });
    begin(91, 'tasks/result', { taskId });
    stdin.end();
    await ended;
    expect(messages.filter(({ id, error }) => id === 90 && error !== undefined)).toEqual([]);
    expect((await answered(({ id }) => id === 91)).error).toMatchObject({ code: -32603 });
  });

  it('is waited for by so many and no more', async () => {
    const { begin, answered, stdin, ended } = await client('legacy', {});
    const taskId = store.make(one);
    for (let id = 100; id <= 100 + limits.taskWaits; id += 1) begin(id, 'tasks/result', { taskId });
    const { error } = await answered((message) => message.error !== undefined);
    expect(error).toMatchObject({ code: -32603, message: expect.stringContaining('tasks/get') as string });
    stdin.end();
    await ended;
    const again = await client('legacy', {});
    again.begin(2, 'tasks/result', { taskId });
    await store.answer(taskId, { confirm: { action: 'decline' } });
    expect((await again.answered(({ id }) => id === 2)).error).toBeUndefined();
  });

  it('has a refusal for its answer, which clients then ask for, and what broke breaks again', async () => {
    const { made, get, askNext } = await client('legacy', {});
    const refused = await made({ text: 'no', ends: 'refused' });
    expect(await get(refused)).toMatchObject({ status: 'completed' });
    expect((await askNext('tasks/result', { taskId: refused })).result).toMatchObject({ isError: true });
    const broken = await made({ text: 'oh', ends: 'broken' });
    expect((await askNext('tasks/result', { taskId: broken })).error).toEqual({ code: -32603, message: 'oh' });
  });

  it('is cancelled once, and says what it was; one that has ended is not', async () => {
    const { made, askNext } = await client('legacy', {});
    const taskId = store.make(one);
    expect((await askNext('tasks/cancel', { taskId })).result).toMatchObject({
      taskId,
      status: 'cancelled',
      ttl: null,
    });
    expect((await askNext('tasks/cancel', { taskId })).error).toMatchObject({ code: -32602 });
    expect((await askNext('tasks/result', { taskId })).error).toMatchObject({
      code: -32602,
      message: expect.stringContaining('0 answered before it was cancelled') as string,
    });
    const ended = await made({ text: 'x' });
    expect((await askNext('tasks/cancel', { taskId: ended })).error?.message).toContain('tasks/result');
  });

  it('is listed with the others, page by page', async () => {
    const { askNext } = await client('legacy', {});
    const ids = [store.make(one), store.make({ text: 'x' }), store.make(two)];
    const { result } = await askNext('tasks/list');
    expect(result).toMatchObject({ tasks: [{ taskId: ids[2] }, { taskId: ids[1] }] });
    const rest = (await askNext('tasks/list', { cursor: result?.['nextCursor'] })).result;
    expect(rest).toMatchObject({ tasks: [{ taskId: ids[0], status: 'input_required' }] });
    expect(rest).not.toHaveProperty('nextCursor');
  });
});

describe.each(eras)('a taskId (%s)', (era) => {
  const methods = era === 'modern' ? ['get', 'update', 'cancel'] : ['get', 'result', 'cancel'];
  it('that names no task here is refused in words that say what to do', async () => {
    const { askNext } = await client(era, takesBoth);
    const own = store.make(one);
    for (const method of methods.map((name) => `tasks/${name}`)) {
      const refused = async (taskId: unknown) => {
        const { error } = await askNext(method, { taskId });
        expect(error?.code).toBe(-32602);
        return error;
      };
      expect((await refused(undefined))?.message).toContain('"taskId" is the handle');
      expect((await refused(5))?.message).toContain('"taskId" is the handle');
      expect((await refused('x'))?.message).toMatch(/^TOKEN_MALFORMED: .*\nNext: /u);
      expect(await refused('task_00000000_00000000')).toMatchObject({
        data: { error_code: 'TOKEN_FOREIGN', nextCall: { tool: 'resume_session' } },
      });
      expect((await refused(`${own.slice(0, -8)}ffffffff`))?.message).toMatch(/^NOT_FOUND/u);
    }
  });

  it('that is odd is refused like every other, whatever comes with it', async () => {
    const { askNext, log } = await client(era, takesBoth);
    const odd = ['', ' ', '\u0000', '__proto__', 'once_', 'task_', 'x'.repeat(100_000), null, ['x'], { a: 1 }, true];
    const besides = [undefined, null, 5, ['x'], { a: null }];
    for (const [at, taskId] of odd.entries())
      for (const method of methods.map((name) => `tasks/${name}`)) {
        const inputResponses = besides[at % besides.length];
        expect((await askNext(method, { taskId, inputResponses })).error).toMatchObject({ code: -32602 });
      }
    if (era === 'legacy') expect((await askNext('tasks/list', { cursor: 5 })).error).toMatchObject({ code: -32602 });
    expect(log).toEqual([]);
  });

  it('whose task cannot be read is answered with a number, and nothing of the inside', async () => {
    const { askNext, log } = await client(era, takesBoth);
    store.get = () => Promise.reject(new Error('a secret of the inside'));
    const { error } = await askNext('tasks/get', { taskId: 'x' });
    expect(error?.code).toBe(-32603);
    expect(error?.message).toMatch(/correlation [0-9a-f]{8}/u);
    expect(JSON.stringify(error)).not.toContain('secret');
    expect(log.join('\n')).toContain('a secret of the inside');
  });

  it('whose session is busy may be tried again', async () => {
    const { askNext } = await client(era, takesBoth);
    const busy = refuse({ code: 'SESSION_BUSY', message: 'busy', action: 'try again' });
    store.get = () => Promise.resolve({ ok: false, error: busy });
    expect((await askNext('tasks/get', { taskId: 'x' })).error).toMatchObject({
      code: -32603,
      data: { error_code: 'SESSION_BUSY', retryable: true },
    });
  });
});

describe('over HTTP', () => {
  const options = {
    version: '1',
    tools: new Set(['continue_workflow'] as const),
    legacyNames: false,
    structuredContent: false,
  };
  const open = () =>
    serveHttp(
      { tasks: store, call: (_, raw) => Promise.resolve(answerByPlan(store, raw)), close: () => Promise.resolve() },
      { ...options, tasks: { legacy: true }, log: () => undefined },
      () => performance.now(),
    );
  const post = (body: object, headers: object, signal?: AbortSignal) =>
    new Request('http://127.0.0.1/mcp', {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...body }),
      ...(signal && { signal }),
    });

  it('the header names the task, and who takes none is refused with 400', async () => {
    const sessions = open();
    const taskId = store.make(one);
    const get = async (name: string, capabilities: object) => {
      const params = saidBy('modern', { taskId }, capabilities);
      const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tasks/get', 'mcp-name': name };
      const response = await sessions.handle(post({ method: 'tasks/get', params }, headers));
      const { error } = JSON.parse(await response.text()) as { readonly error?: { readonly code: number } };
      return [response.status, error?.code];
    };
    expect(await get(taskId, takesTasks)).toEqual([200, undefined]);
    expect(await get('another', takesTasks)).toEqual([400, -32020]);
    expect(await get(taskId, {})).toEqual([400, -32021]);
    await sessions.close();
  });

  it('nothing is looked at any more for who has gone', async () => {
    const sessions = open();
    const begun = await sessions.handle(
      post(
        {
          method: 'initialize',
          params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
        },
        {},
      ),
    );
    await begun.text();
    const gone = new AbortController();
    let looks = 0;
    const get = store.get.bind(store);
    store.get = (taskId) => {
      looks += 1;
      return get(taskId);
    };
    const id = { 'mcp-session-id': begun.headers.get('mcp-session-id') ?? '' };
    const taskId = store.make(one);
    const waiting = await sessions.handle(post({ method: 'tasks/result', params: { taskId } }, id, gone.signal));
    while (looks < 2) await new Promise((resolve) => setTimeout(resolve, 4));
    gone.abort();
    await waiting.body?.cancel();
    await new Promise((resolve) => setTimeout(resolve, 10));
    const after = looks;
    await new Promise((resolve) => setTimeout(resolve, 120));
    expect(looks).toBe(after);
    await sessions.close();
  });
});
