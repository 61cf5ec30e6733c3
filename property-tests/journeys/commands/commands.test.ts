import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { openFileStore } from '../../../src/log/file-store.js';
import { sessionProjection } from '../../../src/sessions/fold-session.js';
import type { EventDraft } from '../../../src/events/event.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json-value.js';
import type { PersonSaid } from '../../../src/contract/durable-tasks.js';
import type { Requests } from '../../../src/requests/requests.js';
import { allowLocal } from '../../worlds/mini-api.js';
import { call, type Called, makeRequestsWorld, type RequestsWorld } from '../../worlds/requests-world.js';
import { answer, scriptedServer, type ScriptedServer } from '../../worlds/scripted-server.js';
import { tracker, type Tracker, writeTrackerCatalog } from '../../worlds/tracker-api.js';

let world: RequestsWorld;
let server: ScriptedServer;
let requests: Requests;
let api: Tracker;

beforeEach(async () => {
  world = makeRequestsWorld({ seed: 1 });
  api = tracker();
  server = await scriptedServer(api.script);
  mkdirSync(join(world.folder, 'config', 'workrail'), { recursive: true });
  writeTrackerCatalog(world.data, server.origin);
  allowLocal(world, 'tracker');
  requests = world.open();
});
afterEach(async () => {
  await server.close();
  await world.close();
});

const workflow = (steps: string, more = ''): void =>
  world.writeWorkflow(
    'flow',
    `workflow: team.flow\ntitle: Flow\ndescription: Use this to try.\n${more}steps:\n${steps}`,
  );
const start = (context: JsonObject = {}): Promise<Called> =>
  call(requests, 'start_workflow', { workflowId: 'team.flow', context, session: 'TRY-1' });
const goOn = (of: Called, more: object = {}): Promise<Called> => {
  const { stateToken, ackToken } = of.answer as { stateToken: string; ackToken?: string };
  return call(requests, 'continue_workflow', { stateToken, ...(ackToken && { ackToken }), ...more });
};

describe('steps that WorkRail does itself', () => {
  it('reads are sent at once, and an agent gets the step that follows with what came', async () => {
    api.issues.set(1, { id: 1, title: 'A crash', state: 'open' });
    workflow(`  - id: look
    run: tracker issues/get
    with: { id: 1 }
    keep: { title: body.title }
  - id: say
    prompt: Tell of \${{ outputs.look.body.title }}.
`);
    const started = await start();
    expect(started.answer).toMatchObject({
      kind: 'ok',
      pending: { stepId: 'say', prompt: 'Tell of A crash.' },
      commands: [{ path: 'look', command: 'tracker issues/get', state: 'succeeded', status: 200 }],
    });
    expect(world.lines().map(({ kind, v }) => [kind, v])).toEqual([
      ['session_started', 2],
      ['run_started', 3],
      ['command_done', 3],
      ['step_acked', 3],
    ]);
    expect(await start()).toEqual(started);
  });

  it('a write waits for the user, is sent once, and gives what the workflow returns', async () => {
    workflow(
      `  - id: write
    prompt: Write the report.
    sets: { title: { type: string } }
  - id: file
    run: tracker issues/create
    body: { title: "\${{ context.title }}" }
`,
      'returns: { issue: "${{ outputs.file.body.id }}" }\n',
    );
    const started = await start();
    const blocked = await goOn(started, { output: { notesMarkdown: 'done' }, context: { title: 'It crashes' } });
    expect(blocked.answer).toMatchObject({
      kind: 'blocked',
      blockers: [{ code: 'CONFIRMATION_REQUIRED' }],
      nextCall: { tool: 'continue_workflow' },
    });
    expect(blocked.reply.text).toContain('It crashes');
    expect(api.writes).toHaveLength(0);
    const done = await goOn(blocked, { confirmed: true });
    expect(done.answer).toMatchObject({ kind: 'complete', returned: { issue: 1 } });
    expect(api.writes).toHaveLength(1);
    const again = await goOn(started, { output: { notesMarkdown: 'done' }, context: { title: 'It crashes' } });
    expect(again.answer).toMatchObject({ kind: 'complete', returned: { issue: 1 } });
    expect(api.writes).toHaveLength(1);
  });

  it('the person is asked where their program shows forms, and it goes on with what they say', async () => {
    workflow(`  - id: file
    run: tracker issues/create
    body: { title: Asked }
`);
    const shown: string[] = [];
    const askForm = async (form: { readonly message: string }): Promise<PersonSaid> => {
      shown.push(form.message);
      return { action: 'accept', content: { answer1: 'yes' } };
    };
    const reply = await requests.call(
      'start_workflow',
      { workflowId: 'team.flow', session: 'TRY-1' },
      { askForm, asksAtOnce: true },
    );
    expect(reply.answer).toMatchObject({ kind: 'complete' });
    expect(shown).toEqual([expect.stringContaining('POST /issues')]);
    expect(api.writes).toHaveLength(1);
  });

  it('a failed answer ends the run, and says where', async () => {
    workflow(`  - id: look
    run: tracker issues/get
    with: { id: 7 }
  - id: say
    prompt: Tell.
`);
    const started = await start();
    expect(started.answer).toMatchObject({
      kind: 'failed',
      status: 'failed',
      commands: [{ state: 'failed', status: 404 }],
    });
    expect(started.reply.text).toContain('404');
  });

  it('an answer that was lost is asked about where it may not be sent again', async () => {
    workflow(`  - id: file
    run: tracker issues/create
    body: { title: Lost }
  - id: say
    prompt: Tell of \${{ outputs.file.body }}.
`);
    server.script((request, count) => ({ ...(api.script(request, count) as object), cut: 10, then: 'reset' }) as never);
    const asked = await goOn(await start(), { confirmed: true });
    expect(asked.answer).toMatchObject({ kind: 'blocked', blockers: [{ code: 'COMMAND_OUTCOME_UNKNOWN' }] });
    expect(api.writes).toHaveLength(1);
    server.script(api.script);
    const done = await goOn(asked, { context: { outcome: 'repeat' } });
    expect(done.answer).toMatchObject({ kind: 'ok', pending: { stepId: 'say' } });
    expect(api.writes).toHaveLength(2);
  });

  it.each([1, 2])('what was deleted is done once it is not there, after %i lost answers', async (lost) => {
    api.issues.set(1, { id: 1, title: 'A', state: 'open' });
    workflow(`  - id: drop
    run: tracker issues/delete
    with: { id: 1 }
  - id: say
    prompt: Tell.
`);
    const asked = await start();
    let left = lost;
    server.script((request, count) => {
      const done = api.script(request, count) as object;
      left -= 1;
      return (left >= 0 ? { ...done, cut: 10, then: 'reset' } : done) as never;
    });
    const done = await goOn(asked, { confirmed: true });
    expect(done.answer).toMatchObject({ kind: 'ok', pending: { stepId: 'say' } });
    expect(api.writes).toHaveLength(lost + 1);
  });

  it('what was never there is not deleted', async () => {
    workflow(`  - id: drop
    run: tracker issues/delete
    with: { id: 1 }
`);
    const done = await goOn(await start(), { confirmed: true });
    expect(done.answer).toMatchObject({ kind: 'failed', commands: [{ state: 'failed', status: 404 }] });
  });

  it('polls until what it waits for holds', async () => {
    api.issues.set(1, { id: 1, title: 'A', state: 'open' });
    let asked = 0;
    server.script((request, count) => {
      asked += 1;
      return asked < 3 ? api.script(request, count) : answer(200, { id: 1, title: 'A', state: 'done' });
    });
    workflow(`  - id: wait
    run: tracker issues/get
    with: { id: 1 }
    until: body.state == "done"
    every: 1s
    timeout: 60s
  - id: say
    prompt: Tell.
`);
    const started = await start();
    expect(started.answer).toMatchObject({ kind: 'ok', commands: [{ tries: 3, state: 'succeeded' }] });
  });
});

describe('an agreement', () => {
  it('is to an address, the path before that of each operation included', async () => {
    workflow(`  - id: file
    run: tracker issues/create
    body: { title: Moved }
`);
    const plan = async (): Promise<unknown> =>
      (await call(requests, 'plan_steps', { workflowId: 'team.flow' })).answer['plan'];
    writeTrackerCatalog(world.data, server.origin, { baseUrl: `${server.origin}/staging` });
    const staging = await plan();
    writeTrackerCatalog(world.data, server.origin, { baseUrl: `${server.origin}/prod` });
    expect(await plan()).not.toBe(staging);
    const refused = await call(requests, 'run_workflow', {
      workflowId: 'team.flow',
      detached: true,
      confirm: staging as string,
    });
    expect(refused.answer).toMatchObject({ error_code: 'CONFIRMATION_REQUIRED' });
    expect(server.seen).toHaveLength(0);
  });

  it('that a step asks for each time is asked for in each round, be the request the same', async () => {
    workflow(`  - id: twice
    repeat: 2
    steps:
      - id: file
        run: tracker issues/create
        body: { title: Same }
        confirm: true
`);
    const second = await goOn(await start(), { confirmed: true });
    expect(second.answer).toMatchObject({ kind: 'blocked', blockers: [{ code: 'CONFIRMATION_REQUIRED' }] });
    expect(api.writes).toHaveLength(1);
    expect((await goOn(second, { confirmed: true })).answer).toMatchObject({ kind: 'complete' });
    expect(api.writes).toHaveLength(2);
  });

  it('that somebody wrote into the log counts for nothing', async () => {
    workflow(`  - id: file
    run: tracker issues/create
    body: { title: Forged }
`);
    const blocked = await start();
    expect((await goOn(blocked, { confirmed: true })).answer).toMatchObject({ kind: 'complete' });
    const told = world.lines().find(({ kind }) => kind === 'plan_confirmed')!;
    const other = await call(requests, 'start_workflow', { workflowId: 'team.flow', session: 'TRY-2' });
    const { run, node } = world.lines().find((line) => line.session === 'TRY-2' && line.kind === 'step_blocked')!;
    const store = openFileStore({
      projection: sessionProjection,
      roots: [{ kind: 'given', folder: world.data }],
      newSessions: { kind: 'given', folder: world.data },
      now: () => new Date(),
      randomBytes,
      log: () => undefined,
    });
    const log = store.open((await store.find('TRY-2'))!);
    const forged = { kind: 'plan_confirmed', run, node, data: told.data } as EventDraft;
    await log.append(
      () => ({ answer: undefined, events: [forged] }),
      () => undefined,
    );
    await store.close();
    const looked = await goOn({ ...other, answer: { stateToken: other.answer['stateToken']! } });
    expect(looked.answer['kind']).not.toBe('complete');
    expect(api.writes).toHaveLength(1);
  });
});

describe('a log that lost what was sent', () => {
  it('sends nothing: a checkout of an older state is no reason to do it twice', async () => {
    workflow(`  - id: file
    run: tracker issues/create
    body: { title: Once }
`);
    const blocked = await start();
    const sessions = join(world.data, 'sessions');
    const older = join(world.folder, 'older');
    cpSync(sessions, older, { recursive: true });
    expect((await goOn(blocked, { confirmed: true })).answer).toMatchObject({ kind: 'complete' });
    await requests.close();
    rmSync(sessions, { recursive: true });
    cpSync(older, sessions, { recursive: true });
    requests = world.open();
    // What git took away is found beside the session; without that nobody knows more than that something was sent.
    expect((await goOn(blocked, { confirmed: true })).answer).toMatchObject({ kind: 'complete' });
    expect(api.writes).toHaveLength(1);
    await requests.close();
    rmSync(sessions, { recursive: true });
    cpSync(older, sessions, { recursive: true });
    rmSync(join(world.data, 'local', 'running', 'spare'), { recursive: true });
    requests = world.open();
    expect((await goOn(blocked, { confirmed: true })).answer).toMatchObject({ error_code: 'SESSION_CHANGED' });
    expect(api.writes).toHaveLength(1);
  });

  it('asks anew in a copy of the folder, where nobody agreed to anything', async () => {
    workflow(`  - id: file
    run: tracker issues/create
    body: { title: Once }
  - id: again
    run: tracker issues/create
    body: { title: Twice }
`);
    server.script((request, count) =>
      count > 1 ? { ...answer(200), cut: 0, then: 'hang' } : api.script(request, count),
    );
    const blocked = await start();
    void goOn(blocked, { confirmed: true });
    while (server.seen.length < 2) await new Promise((done) => setTimeout(done, 20));
    const copy = world.clone(world.data, 'copy');
    writeTrackerCatalog(copy, server.origin);
    allowLocal({ folder: world.folder, data: copy }, 'tracker');
    const other = world.open(copy);
    const there = await call(other, 'continue_workflow', { stateToken: blocked.answer['stateToken']! });
    expect(there.reply.text).toContain('unknown');
    server.script(api.script);
    expect(api.writes).toHaveLength(1);
  });
});

describe('what a write is filled with', () => {
  const made = (steps: string): void =>
    workflow(`  - id: pick
    prompt: Pick.
    sets: { picked: { type: array, example: [2] } }
  - id: make
    foreach: "[1, 2]"
    as: number
    collect: { ids: outputs.file.body.id }
    steps:
      - id: file
        run: tracker issues/create
        body: { title: "\${{ number }}" }
${steps}`);
  const message = async (): Promise<string> => {
    const started = await start();
    expect(started.answer['kind']).toBe('ok');
    const first = await goOn(started, { output: { notesMarkdown: 'done' }, context: { picked: [2] } });
    expect(first.answer['kind']).toBe('blocked');
    const { answer: next } = await goOn(first, { confirmed: true });
    if (next['kind'] !== 'blocked') return next['kind'] as string;
    return (next['blockers'] as JsonObject[])[0]!['message'] as string;
  };
  const each = (list: string, command: string): string => `  - id: all
    foreach: "${list}"
    as: one
    steps:
      - id: change
        run: tracker issues/${command}
        with: { id: "\${{ one }}" }
${command === 'replace' ? '        body: { title: Changed }' : ''}
`;

  it.each([
    ['an agent wrote, through the list of a loop', each('context.picked', 'replace'), /an agent gave `one`$/u],
    ['an agent wrote, and is deleted', each('context.picked', 'delete'), /it deletes, and `one` was not known/u],
    ['commands gave, through what a loop collects', each('context.ids', 'replace'), /^complete$/u],
    ['commands gave, and is deleted', each('context.ids', 'delete'), /it deletes, and `one` was not known/u],
    ['was there before', each('[1, 2]', 'delete'), /^complete$/u],
    [
      'a loop collected of commands',
      `  - id: change
    run: tracker issues/replace
    with: { id: "\${{ context.ids[0] }}" }
    body: { title: Changed }
`,
      /^complete$/u,
    ],
    [
      'an agent said in its notes',
      `  - id: change
    run: tracker issues/replace
    with: { id: "\${{ size(outputs.pick.notes) - 3 }}" }
`,
      /an agent gave `size/u,
    ],
  ])('what %s', async (_, steps, expected) => {
    made(steps);
    expect(await message()).toMatch(expected);
  });
});

describe('runs', () => {
  const run = (more: JsonObject = {}): Promise<Called> =>
    call(requests, 'run_workflow', { workflowId: 'team.flow', detached: true, ...more });
  const get = async (of: Called): Promise<Called> => {
    for (;;) {
      const told = await call(requests, 'get_run', { runId: of.answer['run_id']!, waitMs: 5000 });
      const isUnderWay = told.answer['state'] === 'running' && told.answer['waitingFor'] === undefined;
      if (!isUnderWay && told.answer['state'] !== 'pending') return told;
    }
  };
  const two = `  - id: file
    run: tracker issues/create
    body: { title: Filed }
  - id: look
    run: tracker issues/get
    with: { id: "\${{ outputs.file.body.id }}" }
`;

  it('a plan that the user agreed to is sent once, however often the call comes', async () => {
    workflow(two, 'returns: { title: "${{ outputs.look.body.title }}" }\n');
    const refused = await run();
    expect(refused.answer).toMatchObject({ error_code: 'CONFIRMATION_REQUIRED' });
    const { plan: confirm } = (await call(requests, 'plan_steps', { workflowId: 'team.flow' })).answer;
    expect((await run({ confirm: 'pl_0000000000000000' })).answer).toMatchObject({
      error_code: 'CONFIRMATION_REQUIRED',
    });
    expect(api.writes).toHaveLength(0);
    const begun = await run({ confirm: confirm! });
    const done = await get(begun);
    expect(done.answer).toMatchObject({
      state: 'succeeded',
      returned: { title: 'Filed' },
      done: [{ path: 'file', state: 'succeeded', status: 201 }, { path: 'look' }],
    });
    expect((await run({ confirm: confirm! })).answer).toMatchObject({
      run_id: begun.answer['run_id'],
      state: 'succeeded',
    });
    expect(api.writes).toHaveLength(1);
    expect((await run({ confirm: confirm!, fresh: true })).answer['run_id']).not.toBe(begun.answer['run_id']);
    expect((await call(requests, 'list_runs', {})).answer).toMatchObject({ runs: [{}, {}] });
  });

  it('a plan is run once more once its run is over, and not while that goes on', async () => {
    workflow(`${two}  - id: say\n    prompt: Say it.\n    notes: optional\n`);
    const { plan: confirm } = (await call(requests, 'plan_steps', { workflowId: 'team.flow' })).answer;
    const begun = await get(await run({ confirm: confirm!, fresh: true }));
    expect(begun.answer).toMatchObject({ waitingFor: 'agent' });
    const again = await run({ confirm: confirm!, fresh: true });
    expect(again.answer).toMatchObject({ run_id: begun.answer['run_id'], waitingFor: 'agent' });
    expect(api.writes).toHaveLength(1);
    await call(requests, 'cancel_run', { runId: begun.answer['run_id']! });
    expect((await run({ confirm: confirm!, fresh: true })).answer['run_id']).not.toBe(begun.answer['run_id']);
  });

  it('a failed run is gone on from by another, which sends nothing again that was done', async () => {
    workflow(two.replace('outputs.file.body.id', 'outputs.file.body.id + 7'));
    const { plan: confirm } = (await call(requests, 'plan_steps', { workflowId: 'team.flow' })).answer;
    const failed = await get(await run({ confirm: confirm! }));
    expect(failed.answer).toMatchObject({ state: 'failed', failure: { error_code: 'COMMAND_FAILED' } });
    workflow(two);
    const { plan: mended } = (await call(requests, 'plan_steps', { workflowId: 'team.flow' })).answer;
    const repaired = await get(await run({ confirm: mended!, repairs: failed.answer['run_id']! }));
    expect(repaired.answer).toMatchObject({ state: 'succeeded', done: [{ path: 'file', reused: true }, {}] });
    expect(api.writes).toHaveLength(1);
  });

  it('what is under way is not settled: its answer may still come', async () => {
    workflow(two);
    const { plan: confirm } = (await call(requests, 'plan_steps', { workflowId: 'team.flow' })).answer;
    let answerIt = (): void => undefined;
    server.script(async (request, count) => {
      if (request.method === 'POST') await new Promise<void>((done) => (answerIt = done));
      return api.script(request, count);
    });
    const begun = await run({ confirm: confirm! });
    const runId = begun.answer['run_id']!;
    while (server.seen.length === 0) await new Promise((done) => setTimeout(done, 20));
    const { answer: told } = await call(requests, 'get_run', { runId });
    const { call: sent, ...step } = told['step'] as JsonObject;
    expect(step).not.toHaveProperty('unknown');
    const settled = await call(requests, 'settle_command', { runId, call: sent!, choice: 'repeat', reason: 'a guess' });
    expect(settled.answer).toMatchObject({ error_code: 'PRECONDITION_FAILED' });
    answerIt();
    expect((await get(begun)).answer).toMatchObject({ state: 'succeeded' });
    expect(api.writes).toHaveLength(1);
  });

  it('a canceled run sends nothing further, and stays canceled', async () => {
    api.issues.set(1, { id: 1, title: 'A', state: 'open' });
    workflow(`  - id: wait
    run: tracker issues/get
    with: { id: 1 }
    until: body.state == "done"
    every: 1s
    timeout: 6h
`);
    const begun = await run();
    const other = world.open();
    const canceled = await call(other, 'cancel_run', { runId: begun.answer['run_id'] as string });
    expect(canceled.answer).toMatchObject({ state: 'canceled' });
    const seen = server.seen.length;
    expect((await get(begun)).answer).toMatchObject({ state: 'canceled' });
    await new Promise((done) => setTimeout(done, 1500));
    expect(server.seen.length).toBeLessThanOrEqual(seen + 1);
    expect(world.lines().filter(({ kind }) => kind === 'run_stopped')).toHaveLength(1);
  });

  it('what ended is purged once the user agreed, and what has not stays', async () => {
    api.issues.set(1, { id: 1, title: 'A', state: 'open' });
    workflow(
      `  - id: look
    run: tracker issues/list
    with: { q: "\${{ inputs.word }}" }
`,
      'inputs: { word: { type: string, required: true } }\n',
    );
    await get(await run({ inputs: { word: 'canary-of-purge' }, session: 'OLD-1' }));
    const purge = (more: JsonObject = {}): Promise<Called> =>
      call(requests, 'purge_history', { workflowId: 'team.flow', ...more });
    const shown = await purge({ inputs: ['word'] });
    expect(shown.answer).toMatchObject({ dryRun: true, redacted: [{ session_id: 'OLD-1', inputs: ['word'] }] });
    expect(JSON.stringify(world.lines())).toContain('canary-of-purge');
    await purge({ inputs: ['word'], confirm: shown.answer['confirm']! });
    expect(JSON.stringify(world.lines())).not.toContain('canary-of-purge');
    expect((await purge({ confirm: 'pg_0000000000000000' })).answer).toMatchObject({
      error_code: 'CONFIRMATION_REQUIRED',
    });
  });
});
