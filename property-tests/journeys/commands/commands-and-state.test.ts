import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../../src/base/json-value.js';
import type { Requests } from '../../../src/requests/requests.js';
import { allowLocal } from '../../worlds/mini-api.js';
import { call, type Called, makeRequestsWorld, type RequestsWorld } from '../../worlds/requests-world.js';
import { scriptedServer, type ScriptedServer } from '../../worlds/scripted-server.js';
import { tracker, type Tracker, writeTrackerCatalog } from '../../worlds/tracker-api.js';

let world: RequestsWorld;
let server: ScriptedServer;
let requests: Requests;
let api: Tracker;

const schema = {
  type: 'object',
  properties: { wanted: { type: 'integer' }, titles: { type: 'array', items: { type: 'string' } }, state: {} },
};

beforeEach(async () => {
  world = makeRequestsWorld({ seed: 34 });
  api = tracker();
  api.issues.set(1, { id: 1, title: 'A crash', state: 'open' });
  api.issues.set(2, { id: 2, title: 'A leak', state: 'open' });
  server = await scriptedServer(api.script);
  mkdirSync(join(world.folder, 'config', 'workrail'), { recursive: true });
  writeTrackerCatalog(world.data, server.origin);
  allowLocal(world, 'tracker');
  requests = world.open();
  await requests.people.addSchema({ name: 'seen', json: schema });
  await call(requests, 'state_create', {
    schemaName: 'seen',
    initialData: { wanted: 1, titles: [] },
    session: 'TRY-1',
  });
});
afterEach(async () => {
  await server.close();
  await world.close();
});

const start = (steps: string, more: JsonObject = {}): Promise<Called> => {
  world.writeWorkflow('flow', `workflow: team.flow\ndescription: Use this to try.\nsteps:\n${steps}`);
  return call(requests, 'start_workflow', { workflowId: 'team.flow', session: 'TRY-1', ...more });
};
const data = async (): Promise<JsonValue | undefined> =>
  (await call(requests, 'state_read', { session: 'TRY-1' })).answer['current_data'];
const look = (puts: string, more = ''): string =>
  `  - id: look\n    run: tracker issues/get\n    with: { id: "\${{ state.wanted }}" }\n${more}    puts: ${puts}\n`;

describe('steps that WorkRail does itself, and the shared state', () => {
  it('send what they read of it, put what came, and the next step sees that', async () => {
    const started = await start(
      `${look('{/titles/-: output.body.title, /wanted: state.wanted + 1, /state: output.status}')}  - id: more
    run: tracker issues/get
    with: { id: "\${{ state.wanted }}" }
    puts: {/titles/-: output.body.title}
  - id: say
    if: size(state.titles) == 2
    prompt: "Tell of \${{ state.titles }}."
`,
    );
    expect(started.answer).toMatchObject({ pending: { prompt: 'Tell of ["A crash","A leak"].' } });
    expect(await data()).toEqual({ wanted: 2, titles: ['A crash', 'A leak'], state: 200 });
    const kinds = world.lines().map(({ kind, more }) => (more === true ? `${kind}+` : kind));
    expect(kinds.slice(4)).toEqual([
      'command_done+',
      'state_changed+',
      'step_acked',
      'command_done+',
      'state_changed+',
      'step_acked',
    ]);
  });

  it('end the run where the state does not take what came', async () => {
    const ended = await start(look('{/titles/-: output.status}'));
    expect(ended.answer).toMatchObject({ kind: 'failed' });
    expect(ended.reply.text).toContain('nothing was put into the shared state');
    expect(ended.reply.text).toContain('/titles/0');
    expect(await data()).toEqual({ wanted: 1, titles: [] });
  });

  it('go on with a gap where they go on after errors, or nobody is to be asked', async () => {
    const went = await start(
      `${look('{/titles/-: output.status}', '    on_error: continue\n')}  - {id: a, prompt: A}\n`,
    );
    expect(went.answer).toMatchObject({ pending: { stepId: 'a' } });
    expect(went.reply.text).toContain('nothing was put into the shared state');
    const never = await start(`${look('{/titles/-: output.status}')}  - {id: b, prompt: B}\n`, {
      mode: 'auto_never_stop',
      session: 'TRY-1',
    });
    expect(never.answer).toMatchObject({ pending: { stepId: 'b' } });
    expect(await data()).toEqual({ wanted: 1, titles: [] });
  });
});
