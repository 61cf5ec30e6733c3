import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { setSecret } from '../../../src/calls/write-secrets.js';
import type { Requests } from '../../../src/requests/requests.js';
import { call, type Called, makeRequestsWorld, type RequestsWorld } from '../../worlds/requests-world.js';
import { allowLocal, configureMini, organizations, writeMiniCatalog } from '../../worlds/mini-api.js';
import { answer, scriptedServer, type ScriptedServer } from '../../worlds/scripted-server.js';

const secret = 'canary/T0k3n+&"never told"=';
const user = 'ann';

/** Each way in which a server may give back what it was sent. */
const echoes: readonly (readonly [way: string, text: string])[] = [
  ['raw', secret],
  ['base64', Buffer.from(secret).toString('base64')],
  ['base64 for addresses', Buffer.from(secret).toString('base64url')],
  ['URL-encoded', encodeURIComponent(secret)],
  ['a form', new URLSearchParams({ a: secret }).toString().slice(2)],
  ['Basic', Buffer.from(`${user}:${secret}`).toString('base64')],
  ['JSON in JSON', JSON.stringify(JSON.stringify(secret))],
  ['HTML', secret.replaceAll('&', '&amp;').replaceAll('"', '&quot;')],
  ['hex', Buffer.from(secret).toString('hex')],
];

let world: RequestsWorld;
let server: ScriptedServer;
let requests: Requests;
let said: string[];

beforeEach(async () => {
  said = [];
  world = makeRequestsWorld({ seed: 4, log: (line) => said.push(line) });
  server = await scriptedServer(organizations);
  writeMiniCatalog(world.data, server.origin);
  allowLocal(world, 'mini');
  const file = join(world.folder, 'config', 'workrail', 'secrets.json');
  await setSecret(file, { catalog: 'mini', origin: server.origin, name: 'TOKEN' }, { value: secret });
  requests = world.open();
});
afterEach(async () => {
  await server.close();
  await world.close();
});

const asked = (name: 'list_provider_values' | 'resolve_inputs'): Promise<Called> =>
  call(requests, name, { workflowId: 'team.pick', ...(name === 'list_provider_values' && { input: 'org' }) });

/** Every text that the installation has written, but for the file that the secret is kept in. */
const written = (): string =>
  readdirSync(world.folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'secrets.json')
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n');

function expectUntold(told: string): void {
  const plain = told.replaceAll('\\', '');
  for (const [way, text] of echoes) {
    expect(told.includes(text), way).toBe(false);
    expect(plain.includes(text.replaceAll('\\', '')), way).toBe(false);
  }
  // Nor the part of it that anybody could know it by.
  expect(told).not.toContain('T0k3n');
}

const auths = {
  bearer: { kind: 'bearer', token: '${{ secrets.TOKEN }}' },
  basic: { kind: 'basic', user, password: '${{ secrets.TOKEN }}' },
  query: { kind: 'query', name: 'key', value: '${{ secrets.TOKEN }}' },
  header: { kind: 'header', name: 'x-key', value: 'k=${{ secrets.TOKEN }}' },
  cookie: { kind: 'cookie', name: 'sid', value: '${{ secrets.TOKEN }}' },
};

describe.each(Object.entries(auths))('what a server echoes that was sent a secret as %s', (_, auth) => {
  beforeEach(() => configureMini(world.data, { allow: ['127.0.0.1'], auth }));

  it('is in no choice, no label, no cache, and nothing that is written', async () => {
    server.script(() =>
      answer(
        200,
        echoes.flatMap(([way, text]) => [
          { login: text, name: way },
          { login: `${way} in words`, name: `so ${text} it is` },
          { login: way, [text]: text, name: { deep: [text] } },
        ]),
      ),
    );
    const fresh = await asked('list_provider_values');
    expect(fresh.answer).toMatchObject({ fromCache: false });
    const kept = await asked('list_provider_values');
    expect(kept.answer).toMatchObject({ fromCache: true });
    const resolved = await asked('resolve_inputs');
    expectUntold(JSON.stringify([fresh, kept, resolved, said]) + written());
    expect(JSON.stringify(fresh.answer)).toContain('[secret]');
  });

  it.each<[string, Parameters<typeof answer>]>([
    ['an error', [400, echoes]],
    ['a text', [200, echoes.map(([, text]) => text).join(' '), { 'content-type': 'text/plain' }]],
    ['an object in place of a list', [200, Object.fromEntries(echoes.map(([way, text]) => [text, way]))]],
    ['items without the field', [200, echoes.map(([way, text]) => ({ [text]: way }))]],
    ['a redirect', [302, '', { location: `http://127.0.0.1:1/${encodeURIComponent(secret)}` }]],
    [
      'a next page',
      [200, [{ login: 'a' }], { link: `<http://127.0.0.1:1/?k=${encodeURIComponent(secret)}>; rel="next"` }],
    ],
    ['a page that is cut', [200, `[{"login": "${secret}`, { 'content-type': 'application/json' }]],
  ])('is in no answer: %s', async (_, given) => {
    server.script(() => answer(...given));
    const told = [await asked('list_provider_values'), await asked('resolve_inputs')];
    expect(server.seen.length).toBeGreaterThan(0);
    expectUntold(JSON.stringify([told, said]) + written());
  });
});
