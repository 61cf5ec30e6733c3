import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json-value.js';
import type { Requests } from '../../../src/requests/requests.js';
import { call, type Called } from '../../worlds/requests-world.js';
import { makeRunnerWorld, type RunnerWorld } from '../../worlds/runner-world.js';
import { answer } from '../../worlds/scripted-server.js';

let at: RunnerWorld;
let requests: Requests;

beforeEach(async () => {
  at = await makeRunnerWorld({ seed: 1 });
  requests = at.world.open();
});
afterEach(() => at.close());

const run = async (by: Requests, more: JsonObject = {}): Promise<Called> => {
  const { plan: confirm } = (await call(by, 'plan_steps', { workflowId: 'team.flow' })).answer;
  return call(by, 'run_workflow', { workflowId: 'team.flow', detached: true, confirm: confirm!, ...more });
};
const settled = async (by: Requests, of: Called): Promise<Called> => {
  for (;;) {
    const told = await call(by, 'get_run', { runId: of.answer['run_id']!, waitMs: 5000 });
    const isUnderWay = told.answer['state'] === 'running' && told.answer['waitingFor'] === undefined;
    if (!isUnderWay && told.answer['state'] !== 'pending') return told;
  }
};
const runsBegun = (): number => at.world.lines().filter(({ kind }) => kind === 'run_started').length;

const two = `  - id: file
    run: tracker issues/create
    body: { title: Filed }
  - id: look
    run: tracker issues/get
    with: { id: 1 }
`;

/** A run whose request has arrived, and is answered when that is said. */
async function underWay(): Promise<{ readonly begun: Called; readonly answerIt: () => void }> {
  at.workflow(two);
  let answerIt = (): void => undefined;
  at.server.script(async (request, count) => {
    if (request.method === 'POST') await new Promise<void>((done) => (answerIt = done));
    return at.api.script(request, count);
  });
  const begun = await run(requests);
  while (at.server.seen.length === 0) await pause(5);
  return { begun, answerIt: () => answerIt() };
}

it('a request that is under way in a run is waited for by the run that goes on from it', async () => {
  const { begun, answerIt } = await underWay();
  const other = at.world.open();
  const repairing = run(other, { repairs: begun.answer['run_id']! });
  await pause(200);
  expect(runsBegun()).toBe(1);
  answerIt();
  expect((await settled(other, await repairing)).answer).toMatchObject({
    state: 'succeeded',
    done: [{ path: 'file', reused: true }, { path: 'look' }],
  });
  expect(at.api.writes).toHaveLength(1);
});

it('no run goes on from one whose request takes long, and who wanted it hears what to do', async () => {
  const { begun, answerIt } = await underWay();
  const other = at.world.open();
  const repairs = begun.answer['run_id']!;
  const refused = await run(other, { repairs });
  expect(refused.answer).toMatchObject({
    error_code: 'PRECONDITION_FAILED',
    message: expect.stringContaining('still under way'),
    nextCall: { tool: 'get_run', arguments: { runId: repairs } },
  });
  expect(runsBegun()).toBe(1);
  answerIt();
  expect((await settled(other, await run(other, { repairs }))).answer).toMatchObject({ state: 'succeeded' });
  expect(at.api.writes).toHaveLength(1);
});

it('going back in a run that another went on from sends nothing again, also where it had failed', async () => {
  at.workflow(`  - id: write
    prompt: Write.
    sets: { word: { type: string } }
  - id: file
    run: tracker issues/create
    body: { title: "\${{ context.word }}" }
  - id: say
    prompt: Tell.
`);
  const word = { context: { word: 'one' }, output: { notesMarkdown: 'one' } };
  const begun = await run(requests);
  const first = await call(requests, 'continue_workflow', { stateToken: begun.answer['stateToken']! });
  at.server.script(() => answer(422, { message: 'No such label' }));
  expect((await at.goOn(requests, first, word)).answer).toMatchObject({ kind: 'failed' });
  at.server.script(at.api.script);
  const repairing = await run(requests, { repairs: begun.answer['run_id']! });
  const again = await call(requests, 'continue_workflow', { stateToken: repairing.answer['stateToken']! });
  const done = await at.goOn(requests, again, word);
  expect(done.answer).toMatchObject({ kind: 'ok', pending: { stepId: 'say' } });
  expect(at.api.writes).toHaveLength(1);
  // It ended as it ended.
  expect((await settled(requests, begun)).answer).toMatchObject({ state: 'failed' });
  const back = await at.look(requests, first);
  await at.goOn(requests, back, word);
  await pause(400);
  expect(at.api.writes).toHaveLength(1);
});

it('two runs that go on from the same one send once between them', async () => {
  at.workflow(two.replace('{ id: 1 }', '{ id: 9 }'));
  at.server.script(() => answer(422, { message: 'No such label' }));
  const begun = await settled(requests, await run(requests));
  expect(begun.answer).toMatchObject({ state: 'failed' });
  at.server.script(at.api.script);
  const repairs = begun.answer['run_id']!;
  expect((await settled(requests, await run(requests, { repairs }))).answer).toMatchObject({ state: 'failed' });
  expect(at.api.writes).toHaveLength(1);
  at.workflow(two);
  expect((await settled(requests, await run(requests, { repairs }))).answer).toMatchObject({
    state: 'succeeded',
    done: [{ path: 'file', reused: true }, { path: 'look' }],
  });
  expect(at.api.writes).toHaveLength(1);
});
