import fc from 'fast-check';
import { readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../../src/base/json-value.js';
import { catalogSchemas, commandSchemas } from '../../../src/contract/tools/catalog-schemas.js';
import type { Requests } from '../../../src/requests/requests.js';
import { openBuiltRequests } from '../../worlds/built-requests.js';
import { brokenText } from '../../worlds/nasty-text.js';
import { petDocument } from '../../worlds/pet-document.js';
import { call, listOf, makeRequestsWorld, type RequestsWorld, textOf } from '../../worlds/requests-world.js';
import { runs } from '../../worlds/runs-of-law.js';

let world: RequestsWorld;
let requests: Requests;
beforeAll(async () => {
  world = makeRequestsWorld({ seed: 7, openRequests: openBuiltRequests });
  requests = world.open();
  const workspace = join(world.folder, 'workspace');
  writeFileSync(join(workspace, 'pets.json'), JSON.stringify(petDocument));
  writeFileSync(join(workspace, 'not.yaml'), 'a: [');
  symlinkSync('/etc/passwd', join(workspace, 'link.json'));
  await call(requests, 'import_openapi', { source: 'pets.json', catalogId: 'pets' });
});
afterAll(() => world.close());

const schemas = { ...catalogSchemas, ...commandSchemas };
const names = Object.keys(schemas) as (keyof typeof schemas)[];
const meant = [
  'pets|petz|../pets|pets.json|not.yaml|link.json|/etc/passwd|.|__proto__|constructor',
  'pets pets/add|pets GET /pets|pets/add|add a pet|safe|user|project|url|path|1|-1',
  'https://pets.example|file:///etc|${{ secrets.A }}|rv_0123456789abcdef|doc_0123456789abcdef',
].flatMap((line) => line.split('|'));
const value: fc.Arbitrary<JsonValue> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom<JsonValue[]>(...meant, true, false, 1) },
  brokenText(),
  fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<JsonValue>,
  fc.constantFrom<JsonValue[]>(
    { kind: 'bearer', token: '${{ secrets.A }}' },
    { kind: 'basic', user: 'a', password: 'b' },
    { timeoutMs: 5000 },
    ['127.0.0.1'],
    ['allow', 'auth'],
    { __proto__: null, constructor: 'x' },
  ),
);
/** A call of one of the tools, mostly with fields that it has. */
const odd = fc.constantFrom(...names).chain((name) =>
  fc
    .dictionary(fc.constantFrom(...Object.keys(schemas[name].shape), 'id', 'x'), value, {
      maxKeys: 5,
      noNullPrototype: true,
    })
    .map((args) => ({ name, args: args as JsonObject })),
);

it('whatever is sent to the tools of catalogs, the answer is in words, and nothing outside their folders changes', async () => {
  const outside = (): readonly string[] => [
    ...readdirSync(world.folder).filter((name) => name !== 'config' && name !== 'data' && name !== 'user'),
    ...readdirSync(join(world.folder, 'workspace')),
  ];
  const before = outside();
  await fc.assert(
    fc.asyncProperty(odd, async ({ name, args }) => {
      const { reply, answer } = await call(requests, name, args);
      expect([answer['error_code'], reply.text === '']).not.toContain('INTERNAL');
      expect(reply.text).not.toMatch(/undefined|\[object |root:x:/u);
      expect(outside()).toEqual(before);
      for (const { catalogId } of listOf((await call(requests, 'list_catalogs', {})).answer['catalogs']))
        expect(textOf(catalogId)).toMatch(/^[a-z][a-z0-9._-]*$/u);
    }),
    runs(150),
  );
}, 120_000);
