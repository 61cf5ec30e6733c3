import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Requests } from '../../../src/requests/requests.js';
import { makeRunnerWorld, runOf, type RunnerWorld } from '../../worlds/runner-world.js';
import { call, type Called, pairOf, textOf } from '../../worlds/requests-world.js';

let at: RunnerWorld;
let requests: Requests;

beforeEach(async () => {
  at = await makeRunnerWorld({ seed: 20, tick: 1 });
  requests = at.world.open();
  at.api.issues.set(1, { id: 1, title: 'A', state: 'open' });
});
afterEach(() => at.close());

const file = `  - id: file
    run: tracker issues/create
    body: { title: Filed }
`;
const say = (id: string, more = ''): string => `  - id: ${id}
    title: Say ${id}
    prompt: Say it.
${more}`;
const said = { output: { notesMarkdown: 'said' } };
const cancel = (): Promise<Called> => call(requests, 'cancel_run', { runId: runOf(at), reason: 'the release is off' });
const count = (): number => at.world.lines().length;

/** Refused, with the call that starts anew; nothing is recorded. */
async function refused(made: () => Promise<Called>): Promise<Called> {
  const before = count();
  const { answer, reply } = await made();
  expect(answer).toMatchObject({
    error_code: 'PRECONDITION_FAILED',
    message: expect.stringContaining('was canceled (the release is off)') as string,
    nextCall: { tool: 'start_workflow', arguments: { workflowId: 'team.flow', fresh: true } },
  });
  expect(count()).toBe(before);
  return { answer, reply };
}

describe('a canceled run', () => {
  it('takes no further step of an agent, on any branch, and says how to start again', async () => {
    at.workflow(say('one') + say('two') + say('three'));
    const first = await at.start(requests);
    const second = await at.goOn(requests, first, said);
    await cancel();
    await refused(() => at.goOn(requests, second, said));
    await refused(() => at.goOn(requests, second, { ...said, confirmed: true }));
    // With an attempt of its own, which would begin a branch.
    const back = await at.look(requests, first);
    expect(back.answer).toMatchObject({ kind: 'canceled', status: 'canceled', pending: null });
    expect(back.answer).not.toHaveProperty('ackToken');
    await refused(() =>
      call(requests, 'continue_workflow', { stateToken: textOf(first.answer['stateToken']), ...said }),
    );
    const looked = await at.look(requests, second);
    expect(looked.answer).toMatchObject({
      kind: 'canceled',
      status: 'canceled',
      pending: null,
      nextCall: { tool: 'start_workflow' },
    });
    expect(looked.reply.text).toContain('was canceled: the release is off.');
    const { nextCall } = looked.answer as { nextCall: { arguments: object } };
    const again = await call(requests, 'start_workflow', nextCall.arguments as never);
    expect(again.answer).toMatchObject({ kind: 'ok', pending: { stepId: 'one' } });
    expect((await at.goOn(requests, again, said)).answer).toMatchObject({ pending: { stepId: 'two' } });
  });

  it('answers a step that was completed before as it was answered then', async () => {
    at.workflow(say('one') + say('two'));
    const first = await at.start(requests);
    const second = await at.goOn(requests, first, said);
    await cancel();
    expect((await at.goOn(requests, first, said)).reply.text).toBe(second.reply.text);
  });

  it('answers what had failed before as it was answered then, where another branch was open', async () => {
    at.workflow(
      say('one') + file.replace('issues/create', 'issues/get').replace('body: { title: Filed }', 'with: { id: 404 }'),
    );
    const first = await at.start(requests);
    const failed = await at.goOn(requests, first, said);
    expect(failed.answer).toMatchObject({ kind: 'failed', nextCall: { tool: 'continue_workflow' } });
    at.api.issues.set(404, { id: 404, title: 'B', state: 'open' });
    at.server.script(() => new Promise(() => undefined));
    const back = await at.look(requests, first);
    void at.goOn(requests, back, said).catch(() => undefined);
    while (at.server.seen.length < 2) await pause(5);
    await cancel();
    expect((await at.goOn(requests, first, said)).reply.text).toBe(failed.reply.text);
  });

  it('sends nobody round in a circle from a command back to a step', async () => {
    at.workflow(say('one') + file);
    const blocked = await at.goOn(requests, await at.start(requests), said);
    expect(blocked.answer).toMatchObject({ kind: 'blocked' });
    await cancel();
    const looked = await at.look(requests, blocked);
    expect(looked.answer).toMatchObject({ kind: 'canceled', nextCall: { tool: 'start_workflow' } });
    expect((await at.goOn(requests, blocked, { confirmed: true })).answer).toMatchObject({ kind: 'canceled' });
    expect(at.api.writes).toHaveLength(0);
  });

  it('hands out no step after the last request that was under way', async () => {
    at.workflow(file + say('one'));
    const asked = await at.start(requests);
    let open: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (open = resolve));
    at.server.script(async (request, times) => {
      await held;
      return at.api.script(request, times);
    });
    const going = at.goOn(requests, asked, { confirmed: true });
    while (at.server.seen.length === 0) await pause(5);
    await cancel();
    open();
    const done = await going;
    expect(done.answer).toMatchObject({ kind: 'canceled', pending: null, commands: [{ state: 'succeeded' }] });
    expect(at.api.writes).toHaveLength(1);
  });

  it('waits for nobody: what was asked of the user is closed', async () => {
    at.workflow(say('one', '    confirm: true\n') + say('two'));
    const blocked = await at.goOn(requests, await at.start(requests), said);
    expect(blocked.answer).toMatchObject({ kind: 'blocked' });
    const taskId = blocked.reply.task!.id();
    expect(await requests.tasks.get(taskId)).toMatchObject({ value: { status: 'input_required' } });
    const { sum } = at.world.lines().find(({ kind }) => kind === 'step_blocked')!;
    await cancel();
    const before = count();
    const answered = await requests.people.answerQuestion({ block: sum, question: '/confirmed', answer: 'agreed' });
    expect(answered).toMatchObject({ ok: false, error: { code: 'PRECONDITION_FAILED' } });
    expect(count()).toBe(before);
    expect(await requests.tasks.get(taskId)).toMatchObject({ value: { status: 'cancelled' } });
    await refused(() => call(requests, 'continue_workflow', { ...pairOf(blocked.answer), ...said, confirmed: true }));
  });

  it('that another run goes on from leads there', async () => {
    at.workflow(say('one') + file);
    const { plan: confirm } = (await call(requests, 'plan_steps', { workflowId: 'team.flow' })).answer;
    const begun = await call(requests, 'run_workflow', { workflowId: 'team.flow', confirm: confirm!, detached: true });
    const runId = textOf(begun.answer['run_id']);
    const next = await call(requests, 'run_workflow', {
      workflowId: 'team.flow',
      confirm: confirm!,
      detached: true,
      repairs: runId,
    });
    const late = await call(requests, 'continue_workflow', { stateToken: textOf(begun.answer['stateToken']) });
    expect(late.answer).toMatchObject({
      kind: 'canceled',
      nextCall: { tool: 'continue_workflow', arguments: { stateToken: next.answer['stateToken'] } },
    });
  });
});
