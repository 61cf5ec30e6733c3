import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../../src/base/json-value.js';
import type { Requests } from '../../../src/requests/requests.js';
import { makeRunnerWorld, type RunnerWorld } from '../../worlds/runner-world.js';
import { call, type Called, textOf } from '../../worlds/requests-world.js';

let at: RunnerWorld;
let requests: Requests;

beforeEach(async () => {
  at = await makeRunnerWorld({ seed: 15, tick: 1 });
  requests = at.world.open();
});
afterEach(() => at.close());

const look = (value: string): string => `  - id: look
    run: tracker issues/list
    with: { q: "${value}" }
`;
const given = 'inputs: { word: { type: string, required: true } }\n';
const taking = (type: string): string => `inputs: { it: { type: ${type}, required: true } }\n`;

const run = async (more: JsonObject = {}, workflowId = 'team.flow'): Promise<Called> => {
  const { inputs = {} } = more;
  const { plan } = (await call(requests, 'plan_steps', { workflowId, inputs })).answer;
  const confirm = typeof plan === 'string' ? { confirm: plan } : {};
  const begun = await call(requests, 'run_workflow', { workflowId, detached: true, ...confirm, ...more });
  expect(begun.answer).not.toHaveProperty('error_code');
  return begun;
};
const ended = async (of: Called): Promise<Called> => {
  for (;;) {
    const told = await call(requests, 'get_run', { runId: textOf(of.answer['run_id']), waitMs: 5000 });
    if (told.answer['state'] !== 'running' && told.answer['state'] !== 'pending') return told;
  }
};
const purge = (more: JsonObject = {}): Promise<Called> =>
  call(requests, 'purge_history', { workflowId: 'team.flow', ...more });
/** Shows what would be purged, and purges just that. */
async function purged(inputs: readonly string[]): Promise<Called> {
  const shown = await purge({ inputs: [...inputs] });
  const { confirm } = shown.answer;
  return confirm === undefined ? shown : purge({ inputs: [...inputs], confirm });
}
const everything = (): string => JSON.stringify(at.world.lines());

describe('a purge', () => {
  it('keeps a session in which any run is open, of whatever workflow, and says which', async () => {
    at.world.writeWorkflow(
      'other',
      `workflow: team.other\ntitle: Other\ndescription: Use this to try.\nsteps:\n  - { id: say, prompt: Say it. }\n`,
    );
    at.workflow(look('${{ inputs.word }}'), given);
    await ended(await run({ inputs: { word: 'canary-of-purge' }, session: 'BOTH' }));
    await call(requests, 'start_workflow', { workflowId: 'team.other', session: 'BOTH' });
    const other = at.world.lines().findLast(({ kind }) => kind === 'run_started')?.run;
    const before = everything();
    for (const more of [{}, { inputs: ['word'] }]) {
      const shown = await purge(more);
      expect(shown.answer).toMatchObject({
        purged: [],
        redacted: [],
        kept: [{ session_id: 'BOTH', reason: `${other} of team.other has not ended` }],
      });
      expect(shown.answer).not.toHaveProperty('confirm');
    }
    expect(everything()).toBe(before);
  });

  it('keeps the session of a canceled run while its last request is under way', async () => {
    at.workflow(
      `  - id: file
    run: tracker issues/create
    body: { title: "\${{ inputs.word }}" }
`,
      given,
    );
    let open: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (open = resolve));
    at.server.script(async (request, count) => {
      await held;
      return at.api.script(request, count);
    });
    const begun = await run({ inputs: { word: 'canary-of-purge' } });
    while (at.server.seen.length === 0) await pause(5);
    const runId = textOf(begun.answer['run_id']);
    await call(requests, 'cancel_run', { runId });
    expect((await purge()).answer).toMatchObject({ kept: [{ reason: `${runId} of team.flow has not ended` }] });
    open();
    while (!at.world.lines().some(({ kind }) => kind === 'command_done')) await pause(5);
    await pause(400);
    expect(textOf(JSON.stringify((await purge()).answer))).not.toContain('has not ended');
  });

  it.each<[string, string, JsonValue, readonly string[]]>([
    ['a text', 'string', 'canary-of-purge', ['canary-of-purge']],
    ['a number', 'integer', 482913, ['482913']],
    ['a list', 'array', ['canary-one', 58211], ['canary-one', '58211']],
    ['an object', 'object', { name: 'canary-two', at: [9371.25] }, ['canary-two', '9371.25']],
  ])('takes out an input that is %s, wherever it stands', async (_, type, value, texts) => {
    at.workflow(look(type === 'array' || type === 'object' ? 'x' : '${{ inputs.it }}'), taking(type));
    const begun = await ended(await run({ inputs: { it: value }, session: 'ONE' }));
    for (const text of texts) expect(everything()).toContain(text);
    expect((await purged(['it'])).answer).toMatchObject({
      dryRun: false,
      redacted: [{ session_id: 'ONE', inputs: ['it'] }],
    });
    for (const text of texts) expect(everything()).not.toContain(text);
    // Nothing of the run is spoilt, and there is nothing left to take out.
    expect((await ended(begun)).answer).toMatchObject({ state: begun.answer['state'] });
    expect((await purged(['it'])).answer).toMatchObject({ redacted: [] });
  });

  it.each<[string, string, JsonValue, string]>([
    ['a short text', 'string', 'abc', 'the value of it is too short'],
    ['a short number', 'integer', 42, 'the value of it is too short'],
    ['a yes or no', 'boolean', true, 'the value of it is true or false'],
    ['a list with one that is short', 'array', ['canary-one', 7], 'the value of it holds one that is too short'],
  ])('says that it keeps %s, and takes the others out', async (_, type, value, reason) => {
    at.workflow(
      look('${{ inputs.word }}'),
      `${taking(type)}  \n`.replace('} }\n', '}, word: { type: string, required: true } }\n'),
    );
    await ended(await run({ inputs: { it: value, word: 'canary-of-purge' }, session: 'ONE' }));
    expect((await purged(['it', 'word'])).answer).toMatchObject({
      redacted: [{ session_id: 'ONE', inputs: ['word'] }],
      kept: [{ session_id: 'ONE', reason: `${reason}: other values may be the same` }],
    });
    expect(everything()).not.toContain('canary-of-purge');
    const started = at.world.lines().find(({ kind }) => kind === 'run_started')!;
    expect((started.data as { inputs: JsonObject }).inputs['it']).toEqual(value);
  });

  it('takes out whole values alone: no part of a word, of a name or of a digest', async () => {
    at.workflow(
      `  - id: file
    run: tracker issues/create
    body: { title: "The cafe, a cafeteria, cafe_1", state: "${'${{ inputs.word }}'}" }
`,
      given,
    );
    const begun = await ended(await run({ inputs: { word: 'cafe' }, session: 'ONE' }));
    const sent = at.world.lines().find(({ kind }) => kind === 'command_sent')!.data;
    await purged(['word']);
    const left = at.world.lines().find(({ kind }) => kind === 'command_sent')!.data;
    expect(left).toEqual({
      ...sent,
      body: {
        ...(sent as { body: object }).body,
        preview: '{"state":"[redacted]","title":"The [redacted], a cafeteria, cafe_1"}',
      },
    });
    expect((await ended(begun)).answer).toMatchObject({ state: 'succeeded', done: [{ path: 'file', status: 201 }] });
  });

  it.each(['tracker', 'issues', 'POST', 'done', 'once', 'caller', 'sent', 'run_', 'flow', 'file', 'guided'])(
    'of a value that is also a word of the log (%s) leaves a log that is read as before',
    async (word) => {
      at.workflow(
        `  - id: file
    run: tracker issues/create
    body: { title: "\${{ inputs.word }}" }
  - id: end
    if: outputs.file.status == 404
    fail: It is gone.
`,
        given,
      );
      const begun = await ended(await run({ inputs: { word }, session: 'ONE' }));
      expect(begun.answer).toMatchObject({ state: 'succeeded' });
      await purged(['word']);
      expect((await ended(begun)).answer).toMatchObject({
        state: 'succeeded',
        workflow_id: 'team.flow',
        done: [{ path: 'file', command: 'tracker issues/create', status: 201 }],
      });
      const looked = await call(requests, 'resume_session', { sessionId: 'ONE' });
      expect(looked.reply.text).not.toMatch(/damage/iu);
    },
  );
});
