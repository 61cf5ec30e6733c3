import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json-value.js';
import type { Requests } from '../../../src/requests/requests.js';
import { allowLocal } from '../../worlds/mini-api.js';
import { call, type Called, makeRequestsWorld, type RequestsWorld } from '../../worlds/requests-world.js';
import { scriptedServer, type ScriptedServer } from '../../worlds/scripted-server.js';
import { tracker, writeTrackerCatalog } from '../../worlds/tracker-api.js';

let world: RequestsWorld;
let server: ScriptedServer;
let requests: Requests;

beforeEach(async () => {
  world = makeRequestsWorld({ seed: 2 });
  server = await scriptedServer(tracker().script);
  mkdirSync(join(world.folder, 'config', 'workrail'), { recursive: true });
  catalog();
  allowLocal(world, 'tracker');
  requests = world.open();
});
afterEach(async () => {
  await world.close();
  await server.close();
});

const catalog = (settings: object = {}, origin = server.origin): void =>
  writeTrackerCatalog(world.data, origin, settings);
const workflow = (steps: string, more = ''): void =>
  world.writeWorkflow(
    'flow',
    `workflow: team.flow\ntitle: Flow\ndescription: Use this to try.\n${more}steps:\n  - { id: say, prompt: Say it. }\n${steps}`,
  );
const start = (context: JsonObject = {}): Promise<Called> =>
  call(requests, 'start_workflow', { workflowId: 'team.flow', context, session: 'TRY-1' });
const look = '  - id: look\n    run: tracker issues/get\n    with: { id: 1 }\n';

/** Nothing was begun and nothing was asked for. */
async function refused(code: string, context?: JsonObject): Promise<string> {
  const { answer, reply } = await start(context);
  expect(answer['error_code']).toBe(code);
  expect(world.lines()).toEqual([]);
  expect(server.seen).toEqual([]);
  return reply.text;
}

describe('a workflow whose commands could not be sent is not started, and says what is missing:', () => {
  it('nothing, where all is there', async () => {
    workflow(look);
    expect((await start()).answer).toMatchObject({ kind: 'ok', pending: { stepId: 'say' } });
  });

  it('the catalog', async () => {
    workflow(look);
    rmSync(join(world.data, 'catalogs', 'tracker'), { recursive: true });
    expect(await refused('WORKFLOW_INVALID')).toContain('no catalog named `tracker`; import one');
  });

  it('that it is enabled', async () => {
    workflow(look);
    catalog({ enabled: false });
    expect(await refused('WORKFLOW_INVALID')).toContain('workrail catalogs enable tracker');
  });

  it('its address', async () => {
    workflow(look);
    catalog({}, '');
    const text = await refused('PRECONDITION_FAILED');
    expect(text).toContain('the catalog tracker has no address, so nothing can be sent to it; no run was started');
    expect(text).toContain('set its baseUrl with configure_catalog');
  });

  it('that its address is allowed on this machine', async () => {
    workflow(look);
    catalog({ allow: [new URL(server.origin).host] });
    const text = await refused('ADDRESS_REFUSED');
    expect(text).toContain(`nothing can be sent to ${new URL(server.origin).host} yet`);
    expect(text).toContain('workrail catalogs configure tracker --allow');
  });

  it.each([
    ['of its settings', look, { auth: { kind: 'bearer', token: '${{ secrets.TOKEN }}' } }],
    ['of a step', look.replace('with: { id: 1 }', 'with: { id: "${{ secrets.TOKEN }}" }'), {}],
    [
      'for tokens',
      look,
      {
        auth: {
          kind: 'client_credentials',
          tokenUrl: 'https://login.example/token',
          clientId: 'me',
          clientSecret: '${{ secrets.TOKEN }}',
        },
      },
    ],
  ])('a secret %s', async (_of, steps, settings) => {
    workflow(steps);
    catalog(settings);
    const text = await refused('PRECONDITION_FAILED');
    expect(text).toContain('no run was started');
    expect(text).toContain('Next: ask the user to set it in a terminal: workrail catalogs secret tracker TOKEN');
  });

  it('a value that a parameter takes, in a step that every run comes to', async () => {
    const inputs = 'inputs: { id: { type: any, required: true } }\n';
    const step = look.replace('id: 1 }', 'id: "${{ inputs.id }}" }');
    workflow(step, inputs);
    const text = await refused('VALIDATION_ERROR', { id: 'one' });
    expect(text).toContain('tracker issues/get (step look) cannot be sent with these inputs: `id` takes');
    expect((await start({ id: 1 })).answer).toMatchObject({ kind: 'ok' });
    // Another one may be skipped, or be told of it by an agent.
    workflow(step.replace('run:', 'if: has(context.yes)\n    run:'), inputs);
    expect((await start({ id: 'one' })).answer).toMatchObject({ kind: 'ok' });
    workflow(look.replace('id: 1 }', 'id: "${{ context.id }}" }'));
    expect((await start()).answer).toMatchObject({ kind: 'ok' });
  });
});
