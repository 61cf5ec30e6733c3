import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../../src/base/json-value.js';
import { limits } from '../../../src/base/limits.js';
import type { Requests } from '../../../src/requests/requests.js';
import { call, type Fields, linesOnDisk, makeRequestsWorld, type RequestsWorld } from '../../worlds/requests-world.js';

let world: RequestsWorld;
let requests: Requests;
beforeEach(async () => {
  world = makeRequestsWorld({ seed: 36 });
  requests = world.open();
  await requests.people.addSchema({ name: 'any', json: { type: 'object' } });
});
afterEach(() => world.close());

const create = async (initialData: JsonValue, session: string): Promise<Fields> =>
  (await call(requests, 'state_create', { schemaName: 'any', initialData, session })).answer;
const patch = async (operations: readonly JsonObject[], session = 'S'): Promise<Fields> =>
  (await call(requests, 'state_patch', { session, operations })).answer;
const update = async (data: JsonValue, session = 'S'): Promise<Fields> =>
  (await call(requests, 'state_update', { session, data })).answer;
const value = async (session = 'S', by = requests): Promise<JsonValue | undefined> =>
  (await call(by, 'state_read', { session })).answer['current_data'];
const written = (): number => linesOnDisk(world.data).filter(({ kind }) => kind === 'state_changed').length;

/** So many bytes as JSON. */
const ofBytes = (bytes: number): JsonObject => ({ a: 'x'.repeat(bytes - '{"a":""}'.length) });
/** Objects in one another, so many of them. */
const ofDepth = (depth: number): JsonObject =>
  JSON.parse(`${'{"a":'.repeat(depth - 1)}{}${'}'.repeat(depth - 1)}`) as JsonObject;

describe('at each limit of a state, and just beyond', () => {
  it('a document may have as many bytes as it may, at its creation, by an update and by a patch', async () => {
    const most = limits.sharedDocument;
    expect((await create(ofBytes(most + 1), 'S'))['error_code']).toBe('LIMIT_EXCEEDED');
    expect((await create(ofBytes(most), 'S'))['bytes']).toBe(most);
    expect((await update(ofBytes(most + 1)))['error_code']).toBe('LIMIT_EXCEEDED');
    expect((await update(ofBytes(most - 10)))['bytes']).toBe(most - 10);
    // `,"b":"123"` are ten.
    expect((await patch([{ op: 'add', path: '/b', value: '1234' }]))['error_code']).toBe('LIMIT_EXCEEDED');
    expect((await patch([{ op: 'add', path: '/b', value: '123' }]))['bytes']).toBe(most);
    expect((await patch([{ op: 'remove', path: '/a' }]))['version']).toBe(4);
    expect(written()).toBe(3);
  });

  it('may be nested as deep as it may', async () => {
    const most = limits.callerDepth;
    // The request around it is a level, too.
    expect((await create(ofDepth(most), 'S'))['error_code']).toBe('LIMIT_EXCEEDED');
    expect((await create(ofDepth(most - 1), 'S'))['version']).toBe(1);
    const deepest = '/a'.repeat(most - 2);
    expect((await patch([{ op: 'add', path: `${deepest}/b`, value: { c: {} } }]))['error_code']).toBe('LIMIT_EXCEEDED');
    expect((await patch([{ op: 'add', path: `${deepest}/b`, value: {} }]))['version']).toBe(2);
    expect((await patch([{ op: 'add', path: `${deepest}/b/c`, value: {} }]))['error_code']).toBe('LIMIT_EXCEEDED');
    // Each is shallow, and they end up in one another.
    expect((await patch([{ op: 'copy', from: '/a', path: '/a/a/z' }]))['error_code']).toBe('LIMIT_EXCEEDED');
    expect(written()).toBe(1);
  });

  it('a patch may have as many operations as it may', async () => {
    await create({ n: 0 }, 'S');
    const many = (count: number): JsonObject[] =>
      Array.from({ length: count }, (_, at) => ({ op: 'replace', path: '/n', value: at + 1 }));
    expect((await patch(many(limits.patchOperations + 1)))['error_code']).toMatch(
      /^(?:LIMIT_EXCEEDED|VALIDATION_ERROR)$/u,
    );
    expect((await patch(many(limits.patchOperations)))['version']).toBe(2);
    expect(await value()).toEqual({ n: limits.patchOperations });
  });
});

describe('a patch changes nothing', () => {
  const first = { text: 'abc', list: [1, 2], inside: { a: 1 } };
  const add = (path: string, put: JsonValue = 1): JsonObject => ({ op: 'add', path, value: put });
  const harms: { readonly [what: string]: readonly JsonObject[] } = {
    'doubles itself': Array.from({ length: 40 }, (_, at) => ({ op: 'copy', from: '', path: `/copy${at}` })),
    'copies and moves for ever': Array.from({ length: 999 }, () => ({ op: 'copy', from: '/big', path: '/other' })),
    'moves a place into itself': [{ op: 'move', from: '/inside', path: '/inside/a/b' }],
    'takes the whole away': [{ op: 'remove', path: '' }],
    'points past an array': [add('/list/3')],
    'points before an array': [add('/list/-1')],
    'points at no index': [add('/list/01')],
    'points at the length of an array': [{ op: 'replace', path: '/list/length', value: 0 }],
    'takes what is behind the last': [{ op: 'remove', path: '/list/-' }],
    'points into text': [add('/text/0', 'x')],
    'points at the length of text': [{ op: 'copy', from: '/text/length', path: '/n' }],
    'goes through a prototype': [add('/__proto__/polluted')],
    'goes through a constructor': [add('/constructor/prototype/polluted')],
    'copies what all objects have': [{ op: 'copy', from: '/toString', path: '/n' }],
    'tests what all objects have': [{ op: 'test', path: '/constructor', value: {} }],
    'is half right': [add('/right'), add('/list/9')],
    'is no pointer': [add('right')],
    'escapes what cannot be': [add('/a~2b')],
    'is no operation': [{ op: 'merge', path: '/a', value: 1 }],
    'has no value': [{ op: 'add', path: '/a' }],
  };
  for (const [what, operations] of Object.entries(harms))
    it(`that ${what}`, async () => {
      const begun = what.startsWith('copies and moves') ? { ...first, big: 'x'.repeat(400_000), other: 'y' } : first;
      await create(begun, 'S');
      const { answer, reply } = await call(requests, 'state_patch', { session: 'S', operations });
      expect(['PATCH_FAILED', 'LIMIT_EXCEEDED', 'VALIDATION_ERROR'], reply.text).toContain(answer['error_code']);
      expect(reply.text).toContain('Next: ');
      expect(await value()).toEqual(begun);
      expect(({} as { readonly polluted?: number }).polluted).toBeUndefined();
      expect(written()).toBe(0);
      expect((await patch([add('/after')]))['version']).toBe(2);
      expect(await value('S', world.open())).toEqual({ ...begun, after: 1 });
    });

  it('and `__proto__` as a name of its own is data like any other', async () => {
    await create(first, 'S');
    expect((await patch([add('/__proto__', { polluted: 1 })]))['version']).toBe(2);
    expect(JSON.stringify(await value('S', world.open()))).toContain('"__proto__":{"polluted":1}');
    expect(({} as { readonly polluted?: number }).polluted).toBeUndefined();
  });
});

describe('schemas', () => {
  const nested = (depth: number): JsonObject =>
    depth === 0 ? { type: 'string' } : { anyOf: [nested(depth - 1), nested(depth - 1)] };
  const bombs: { readonly [what: string]: JsonObject } = {
    'alternatives that multiply': nested(12),
    'references that multiply': {
      $ref: '#/$defs/d30',
      $defs: Object.fromEntries(
        Array.from({ length: 31 }, (_, at) => [
          `d${at}`,
          at === 0 ? { type: 'string' } : { allOf: [{ $ref: `#/$defs/d${at - 1}` }, { $ref: `#/$defs/d${at - 1}` }] },
        ]),
      ),
    },
    'a part that comes back to itself': { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/a' } } },
    'a pattern that goes back': { type: 'object', properties: { a: { pattern: '^(a+)+(?=b)$' } } },
    'more bytes than a schema has': { description: 'x'.repeat(limits.stateSchema) },
  };
  for (const [what, json] of Object.entries(bombs))
    it(`${what} are refused when they are registered`, async () => {
      const added = await requests.people.addSchema({ name: 'bomb', json });
      expect(added.ok ? '' : added.error.code).toBe('VALIDATION_ERROR');
      expect(
        (await call(requests, 'state_create', { schemaName: 'bomb', initialData: {}, session: 'S' })).answer[
          'error_code'
        ],
      ).toBe('NOT_FOUND');
    });

  it('a state whose schema file is gone goes on under the schema that it was created with', async () => {
    const json = { type: 'object', required: ['n'], properties: { n: { type: 'integer' } } };
    await requests.people.addSchema({ name: 'counted', json });
    await call(requests, 'state_create', { schemaName: 'counted', initialData: { n: 1 }, session: 'S' });
    const folder = join(world.data, 'schemas');
    expect(readdirSync(folder)).toContain('counted');
    rmSync(folder, { recursive: true });
    const later = world.open();
    const wrong = await call(later, 'state_patch', {
      session: 'S',
      operations: [{ op: 'replace', path: '/n', value: 'x' }],
    });
    expect(wrong.answer).toMatchObject({ error_code: 'STATE_INVALID' });
    const right = await call(later, 'state_patch', {
      session: 'S',
      operations: [{ op: 'replace', path: '/n', value: 2 }],
    });
    expect(right.answer).toMatchObject({ version: 2 });
    expect((await call(later, 'state_schema', { session: 'S' })).answer['json_schema']).toEqual(json);
    const other = await call(later, 'state_create', { schemaName: 'counted', initialData: { n: 1 }, session: 'T' });
    expect(other.answer['error_code']).toBe('NOT_FOUND');
  });
});
