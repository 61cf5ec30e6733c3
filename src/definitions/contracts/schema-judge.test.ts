import { describe, expect, it, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../base/json-value.js';
import { judgeValue, schemaDoubt, schemaProblem } from './schema-judge.js';

const draft7 = 'http://json-schema.org/draft-07/schema#';
const draft2019 = 'https://json-schema.org/draft/2019-09/schema';

function pointersOf(schema: JsonObject, value: JsonValue): readonly string[] {
  const verdict = judgeValue(schema, value);
  if (verdict.kind !== 'judged') throw new Error(JSON.stringify(verdict));
  return verdict.problems.map(({ pointer }) => pointer);
}

describe('a schema that names itself or its parts', () => {
  const nameless = {
    required: ['name'],
    properties: { name: { type: 'string' }, children: { type: 'array', items: { $ref: '#' } } },
  };
  const tree = { $id: 'https://example.com/tree', ...nameless };

  it('refers to the whole of itself', () => {
    expect(schemaProblem(tree)).toBeUndefined();
    expect(pointersOf(tree, { name: 'a', children: [{ name: 'b', children: [{ name: 1 }] }] })).toEqual([
      '/children/0/children/0/name',
    ]);
    expect(pointersOf(nameless, { name: 'a', children: [{}] })).toEqual(['/children/0/name']);
  });

  it('refers to a part by its address or its anchor', () => {
    const schema = {
      $id: 'https://example.com/root',
      properties: { a: { $ref: 'part' }, b: { $ref: 'https://example.com/part#inner' } },
      $defs: { x: { $id: 'part', type: 'object', $defs: { y: { $anchor: 'inner', type: 'string' } } } },
    };
    expect(schemaProblem(schema)).toBeUndefined();
    expect(pointersOf(schema, { a: 1, b: 2 })).toEqual(['/a', '/b']);
  });

  it('is one of its own, whatever others are called', () => {
    const named = (type: string): JsonObject => ({ $id: 'https://example.com/same', properties: { a: { type } } });
    expect(pointersOf(named('string'), { a: 1 })).toEqual(['/a']);
    expect(pointersOf(named('number'), { a: 1 })).toEqual([]);
    const borrowed = { properties: { a: { $ref: 'https://example.com/same' } } };
    expect(schemaProblem(borrowed)).toMatchObject({ pointer: '/properties/a/$ref' });
  });

  it('does not take the name of what JSON Schema comes with', () => {
    for (const $id of ['https://json-schema.org/draft/2020-12/schema', draft7])
      expect(schemaProblem({ properties: { a: { $id } } })).toMatchObject({ pointer: '/properties/a/$id' });
  });
});

describe('the drafts', () => {
  it('are told by `$schema`; 2020-12 where nothing is said, and no others are known', () => {
    expect(pointersOf({ prefixItems: [{ type: 'string' }] }, [1])).toEqual(['/0']);
    expect(pointersOf({ $schema: draft7, items: [{ type: 'string' }], additionalItems: false }, [1, 2])).toContain(
      '/0',
    );
    for (const $schema of ['http://json-schema.org/draft-04/schema#', 'https://example.com/my-dialect'])
      expect(schemaProblem({ $schema })).toMatchObject({
        pointer: '/$schema',
        message: expect.stringContaining('draft-07'),
      });
    expect(schemaDoubt({ properties: { a: { $schema: draft7 } } })).toMatchObject({ pointer: '/properties/a/$schema' });
  });

  it('2019-09 has lists as `items`, and what came with it', () => {
    const schema = {
      $schema: draft2019,
      $defs: { text: { $anchor: 'text', type: 'string' } },
      properties: {
        list: { items: [{ $ref: '#text' }], additionalItems: { type: 'number' } },
        many: { contains: { const: 1 }, maxContains: 2 },
        all: { items: { type: 'string' }, prefixItems: [false] },
      },
      dependentRequired: { list: ['many'] },
    };
    expect(schemaProblem(schema)).toBeUndefined();
    expect(pointersOf(schema, { list: ['a', 1, 2], many: [1], all: ['a'] })).toEqual([]);
    expect(pointersOf(schema, { list: [1, 'a'], many: [1, 1, 1], all: [1] }).toSorted()).toEqual([
      '/all/0',
      '/list/0',
      '/list/1',
      '/many',
    ]);
    expect(pointersOf(schema, { list: [] })).toEqual(['/many']);
  });

  it('draft 7 passes over what stands beside a reference', () => {
    const schema = {
      $schema: draft7,
      $ref: '#/definitions/list',
      maxItems: 1,
      definitions: { list: { type: 'array' } },
    };
    expect(pointersOf(schema, [1, 2])).toEqual([]);
    expect(pointersOf({ ...schema, $schema: draft2019 }, [1, 2])).toEqual(['']);
  });
});

test('what could not be used before is refused for good, where it asks what is not always judged right', () => {
  for (const schema of [
    { $id: 'https://example.com/a', unevaluatedProperties: false },
    { $schema: draft2019, unevaluatedItems: false },
    { 'x-order': 1, unevaluatedProperties: false },
  ])
    expect(schemaProblem(schema)).toMatchObject({ message: expect.stringContaining('is not supported') });
  expect(schemaProblem({ unevaluatedProperties: false })).toBeUndefined();
});

describe('a new schema is refused', () => {
  it.each<[JsonObject, string, string]>([
    [{ properties: { a: { $ref: 'https://example.com/a.json' } } }, '/properties/a/$ref', 'nothing is fetched'],
    [{ items: { $dynamicRef: '#node' }, $defs: { n: { $dynamicAnchor: 'node' } } }, '/items/$dynamicRef', 'use `$ref`'],
    [{ items: { $dynamicRef: '#nowhere' } }, '/items/$dynamicRef', 'use `$ref`'],
    [{ allOf: [{ unevaluatedProperties: false }] }, '/allOf/0/unevaluatedProperties', 'additionalProperties'],
    [{ unevaluatedItems: false }, '/unevaluatedItems', 'prefixItems'],
    [JSON.parse('{"properties":{"__proto__":{}}}') as JsonObject, '/properties/__proto__', 'cannot be the name'],
    [{ pattern: '(?<=a)b' }, '', 'linear time'],
    [{ type: 'objet' }, '', 'type'],
  ])('%j', (schema, pointer, words) => {
    const problem = schemaProblem(schema) ?? schemaDoubt(schema);
    expect(problem).toMatchObject({ pointer, message: expect.stringContaining(words) });
  });

  it.each<JsonObject>([
    { $dynamicAnchor: 'node', type: 'object' },
    { properties: { $dynamicRef: { type: 'string' }, unevaluatedItems: { type: 'string' } } },
    { const: { unevaluatedProperties: false, $ref: 'https://example.com' } },
    { 'x-order': 1, discriminator: { propertyName: 'kind' }, format: 'email' },
    { required: ['__proto__', 'constructor'] },
    { enum: [] },
  ])('and %j is not', (schema) => {
    expect(schemaProblem(schema) ?? schemaDoubt(schema)).toBeUndefined();
  });
});

test('names that every object knows are there only where somebody put them', () => {
  const schema = { required: ['constructor', '__proto__', 'toString'], properties: { toString: { type: 'string' } } };
  expect(pointersOf(schema, {})).toEqual(['/constructor', '/__proto__', '/toString']);
  expect(pointersOf(schema, JSON.parse('{"constructor":1,"__proto__":2,"toString":"x"}') as JsonValue)).toEqual([]);
});

test('`format` is a note for the reader', () => {
  expect(pointersOf({ format: 'email' }, 'no address')).toEqual([]);
});

test('a value is told with its place, and a field that is not known by its name', () => {
  const schema = { type: 'object', additionalProperties: false, properties: { count: { minimum: 1 } } };
  expect(judgeValue(schema, { count: 0, 'a/b': 1 })).toEqual({
    kind: 'judged',
    problems: [
      { pointer: '/a~1b', message: '`a/b` is not a field that the schema knows', stray: 'a/b' },
      { pointer: '/count', message: 'expected a number >= 1, got 0' },
    ],
  });
});

test('many parts with functions of their own are compiled once each', () => {
  const properties = Object.fromEntries(
    Array.from({ length: 900 }, (_, at) => [`k${at}`, { type: 'string', pattern: `^a${at}$`, minLength: 1 }]),
  );
  expect(schemaProblem({ properties })).toBeUndefined();
  expect(pointersOf({ properties }, { k7: 'a7', k8: 'a7', k9: '' })).toEqual(['/k8', '/k9', '/k9']);
});
