import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { limits } from '../../../src/base/limits.js';
import { serveRequests, type ServedWorld } from '../../worlds/http-world.js';
import { writePick } from '../../worlds/pick-world.js';
import { makeRequestsWorld, type RequestsWorld } from '../../worlds/requests-world.js';
import { answer, type ScriptedServer } from '../../worlds/scripted-server.js';

// A document is read in a thread, which is started from a file of the built program.
vi.mock(
  '../../../src/library/read-catalog.js',
  () => import(new URL('../../../dist/library/read-catalog.js', import.meta.url).href),
);

let world: RequestsWorld;
let server: ScriptedServer;
let served: ServedWorld;

beforeEach(async () => {
  world = makeRequestsWorld({ seed: 3 });
  server = await writePick(world);
  served = await serveRequests(world.open());
});
afterEach(async () => {
  await served.close();
  await server.close();
  await world.close();
});

const path = '/api/workflows/team.bring_out/choices';
async function choices(body: object, at = path): Promise<{ readonly status: number; readonly told: object }> {
  const response = await served.post(at, body);
  return { status: response.status, told: (await response.json()) as object };
}

it('a person is offered what the API of the catalog has, by label and value', async () => {
  expect(await choices({ input: 'org' })).toMatchObject({
    status: 200,
    told: {
      input: 'org',
      command: 'forge orgs/list',
      choices: [
        { value: 'acme', label: 'Acme Inc' },
        { value: 'beta', label: 'beta' },
      ],
      total: 2,
      complete: true,
    },
  });
});

it('a long list is searched, and says how many there are and whether these are all', async () => {
  const first = await choices({ input: 'repo', inputs: { org: 'acme' } });
  expect(first.told).toMatchObject({ total: 80, complete: true });
  expect((first.told as { choices: object[] }).choices).toHaveLength(limits.choicesShown);
  const asked = server.seen.length;
  const some = await choices({ input: 'repo', inputs: { org: 'acme' }, query: '2-39' });
  expect(some.told).toMatchObject({ choices: [{ value: 'acme-repo-2-39' }], total: 1 });
  expect(server.seen).toHaveLength(asked);
  expect((await choices({ input: 'repo', inputs: { org: 'beta' } })).told).toMatchObject({ complete: false });
});

it('what depends on another input says so, and nobody is asked', async () => {
  expect(await choices({ input: 'repo' })).toMatchObject({
    told: {
      error_code: 'PRECONDITION_FAILED',
      message: 'the choices of repo depend on org',
      suggested_action: 'enter org first',
    },
  });
  expect(server.connections()).toBe(0);
});

it('an error is told in the words of people, and shows the way out', async () => {
  server.script(() => answer(500, { message: 'no' }));
  const { told } = await choices({ input: 'org' });
  expect(told).toMatchObject({ error_code: 'COMMAND_FAILED', suggested_action: 'enter the value yourself' });
  expect(JSON.stringify(told)).not.toContain('the user');
  expect((await choices({ input: 'version' })).status).toBe(404);
  expect((await choices({ input: 'org' }, '/api/workflows/team.nowhere/choices')).status).toBe(404);
});

it('another site cannot have a server asked', async () => {
  const bare = await fetch(`${served.origin}${path}`, { method: 'POST', body: JSON.stringify({ input: 'org' }) });
  expect(bare.status).toBeGreaterThanOrEqual(400);
  expect((await served.post(path, { input: 'org' }, { origin: 'http://evil.test' })).status).toBe(403);
  expect((await served.get(path)).status).toBe(405);
  expect(server.connections()).toBe(0);
});
