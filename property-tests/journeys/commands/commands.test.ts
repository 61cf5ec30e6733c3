import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json-value.js';
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
  await world.close();
  await server.close();
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
