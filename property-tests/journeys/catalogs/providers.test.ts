import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { setSecret } from '../../../src/calls/write-secrets.js';
import type { Requests } from '../../../src/requests/requests.js';
import { call, type Called, makeRequestsWorld, type RequestsWorld } from '../../worlds/requests-world.js';
import { allowLocal, configureMini, organizations, pickWorkflow, writeMiniCatalog } from '../../worlds/mini-api.js';
import { answer, scriptedServer, type ScriptedServer } from '../../worlds/scripted-server.js';

let world: RequestsWorld;
let server: ScriptedServer;
let requests: Requests;

const canary = 'canary-Tok3n-never-told';
const secrets = (): string => join(world.folder, 'config', 'workrail', 'secrets.json');
const configure = (settings: object): void => configureMini(world.data, settings);

beforeEach(async () => {
  world = makeRequestsWorld({ seed: 1 });
  server = await scriptedServer(organizations);
  mkdirSync(join(world.folder, 'config', 'workrail'), { recursive: true });
  writeMiniCatalog(world.data, server.origin);
  allowLocal(world, 'mini');
  requests = world.open();
});
afterEach(async () => {
  await server.close();
  await world.close();
});

const values = (input: string, more: object = {}): Promise<Called> =>
  call(requests, 'list_provider_values', { workflowId: 'team.pick', input, ...more });
const resolve = (inputs: object = {}): Promise<Called> =>
  call(requests, 'resolve_inputs', { workflowId: 'team.pick', inputs: { ...inputs } });

it('an input is offered what its provider has, to the last page, in pages as large as there are', async () => {
  const { answer: found } = await values('repo', { inputs: { org: 'acme' } });
  expect(found).toMatchObject({
    total: 20,
    complete: true,
    fromCache: false,
    input: 'repo',
    command: 'mini repos/list',
  });
  expect(server.seen.map(({ path }) => path)).toEqual(
    [1, 2, 3, 4, 5].map((page) => `/orgs/acme/repos?per_page=5${page === 1 ? '' : `&page=${page}`}`),
  );
  const { answer: some } = await values('repo', { inputs: { org: 'acme' }, query: '3-1' });
  expect(some).toMatchObject({ values: [{ value: 'repo-3-1', label: 'repo-3-1' }], total: 1, fromCache: true });
  expect(server.seen).toHaveLength(5);
});

it('a choice that depends on another says so, and leads to that one', async () => {
  const { reply, answer: told } = await values('repo');
  expect(reply.failed).toBe(true);
  expect(told).toMatchObject({
    nextCall: { tool: 'list_provider_values', arguments: { workflowId: 'team.pick', input: 'org' } },
  });
  expect((await values('plain')).answer).toMatchObject({
    error_code: 'NOT_FOUND',
    nextCall: { arguments: { input: 'org' } },
  });
  expect((await values('nope')).reply.text).toContain('name one that has a provider: org, repo');
  expect(server.connections()).toBe(0);
});

it('resolve_inputs offers choices, refuses what is none of them, and is ready once each is', async () => {
  expect((await resolve()).answer).toMatchObject({
    ready: false,
    inputs: [
      {
        name: 'org',
        outcome: 'prompt',
        choices: [{ value: 'acme', label: 'Acme Inc' }, { value: 'beta' }],
        choicesTotal: 2,
      },
      { name: 'repo', outcome: 'prompt', reason: expect.stringContaining('depend on org') as string },
      { name: 'plain', outcome: 'skip' },
    ],
  });
  const wrong = await resolve({ org: 'acme', repo: 'repo-9-9' });
  expect(wrong.answer).toMatchObject({
    ready: false,
    resolved: { org: 'acme' },
    inputs: [{}, { outcome: 'error' }, {}],
  });
  expect(wrong.reply.text).toContain('not one of the 20 values');
  expect((await resolve({ org: 'acme', repo: 'repo-2-1' })).answer).toMatchObject({ ready: true });
});

it('what was asked is known for half a minute, and asked once by many at a time', async () => {
  await Promise.all(Array.from({ length: 10 }, () => values('org')));
  expect(server.seen).toHaveLength(1);
  // Each look at the clock of this world is a second.
  for (let looks = 0; looks < 40; looks += 1) await values('org');
  expect(server.seen.length).toBeGreaterThan(1);
  expect(server.seen.length).toBeLessThan(6);
});

it.each([
  ['prompt', { outcome: 'prompt', reason: expect.stringContaining('could not be fetched') as string }],
  ['fail', { outcome: 'error', reason: expect.stringContaining('answered 500') as string }],
])('with on_error %s a provider that fails leaves the input so', async (onError, told) => {
  writeFileSync(join(world.data, 'workflows', 'pick.yaml'), pickWorkflow(onError));
  server.script(() => answer(500, { message: 'no' }));
  expect((await resolve()).answer).toMatchObject({ ready: false, inputs: [told, {}, {}] });
});

it('with on_error stale it is what it was', async () => {
  writeFileSync(join(world.data, 'workflows', 'pick.yaml'), pickWorkflow('stale'));
  await values('org');
  server.script(() => answer(500, {}));
  let found = await values('org');
  for (let looks = 0; looks < 60 && found.answer['stale'] === undefined; looks += 1) found = await values('org');
  expect(found.answer).toMatchObject({ total: 2, fromCache: true, stale: expect.stringContaining('500') as string });
});

it.each([
  ['no JSON', answer(200, 'hello', { 'content-type': 'text/plain' }), 'not JSON'],
  ['no list', answer(200, { login: 'acme' }), 'not a list'],
  ['401 with what was sent', answer(401, { message: `bad token ${canary}` }), 'right secret'],
])('an answer that cannot be used is told: %s', async (_, said, words) => {
  server.script(() => said);
  const { reply } = await values('org');
  expect(reply.failed).toBe(true);
  expect(reply.text).toContain(words);
});

it('a list that never ends is cut, and said not to be all', async () => {
  server.script(({ path }) => {
    const page = Number(new URL(path, 'http://x').searchParams.get('page') ?? '1');
    return answer(
      200,
      Array.from({ length: 5 }, (_, at) => ({ name: `r-${page}-${at}` })),
    );
  });
  expect((await values('repo', { inputs: { org: 'acme' } })).answer).toMatchObject({ total: 50, complete: false });
  // What is not all says nothing against a value.
  server.script(() => answer(200, [{ login: 'acme' }]));
  expect((await resolve({ org: 'acme', repo: 'r-other' })).answer).toMatchObject({ ready: true });
});

it('nothing is sent to an address that is not public, unless the catalog may', async () => {
  configure({});
  const { reply } = await values('org');
  expect(reply.text).toContain('ADDRESS_REFUSED');
  expect(server.connections()).toBe(0);
});

it('a secret goes to its own address alone, and is told nobody', async () => {
  configure({ allow: ['127.0.0.1'], auth: { kind: 'bearer', token: '${{ secrets.TOKEN }}' } });
  const without = await values('org');
  expect(without.reply.text).toContain('no secret TOKEN');
  expect(server.connections()).toBe(0);
  await setSecret(secrets(), { catalog: 'mini', origin: server.origin, name: 'TOKEN' }, { value: canary });
  server.script(({ headers }) =>
    answer(403, { youSent: headers['authorization'], raw: Buffer.from(canary).toString('base64') }),
  );
  const refused = await values('org');
  expect(server.seen.at(-1)?.headers['authorization']).toBe(`Bearer ${canary}`);
  expect(JSON.stringify(refused)).not.toContain(canary);
  expect(JSON.stringify(refused)).not.toContain(Buffer.from(canary).toString('base64'));
  const elsewhere = await scriptedServer(organizations);
  configure({
    allow: ['127.0.0.1'],
    baseUrl: elsewhere.origin,
    auth: { kind: 'bearer', token: '${{ secrets.TOKEN }}' },
  });
  expect((await values('org')).reply.failed).toBe(true);
  expect(elsewhere.connections()).toBe(0);
  await elsewhere.close();
});

it('what an agent gives is no place for a secret', async () => {
  await setSecret(secrets(), { catalog: 'mini', origin: server.origin, name: 'TOKEN' }, { value: canary });
  await values('repo', { inputs: { org: '${{ secrets.TOKEN }}' } });
  expect(JSON.stringify(server.seen)).not.toContain(canary);
});

it('a provider that would change something is refused where the workflow is written', async () => {
  const text = pickWorkflow().replace('mini repos/list', 'mini repos/create');
  const { reply } = await call(requests, 'validate_workflow', { content: text });
  expect(reply.text).toContain('changes something');
  expect(
    (await call(requests, 'list_provider_values', { content: text, input: 'repo', inputs: { org: 'acme' } })).reply
      .failed,
  ).toBe(true);
  expect(server.connections()).toBe(0);
});

it('a catalog that is disabled, or gone, is asked nothing', async () => {
  configure({ enabled: false, allow: ['127.0.0.1'] });
  expect((await call(requests, 'list_workflows', { query: 'pick' })).reply.text).toContain('disabled');
  expect((await values('org')).reply.failed).toBe(true);
  expect(server.connections()).toBe(0);
});
