import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../base/json-value.js';
import { limits } from '../../base/limits.js';
import { checkArtifact } from './output-contract.js';
import { schemaProblem } from './schema-judge.js';

const times = <T>(count: number, make: (at: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, at) => make(at));
const named = (count: number, make: (at: number) => JsonValue): JsonObject =>
  Object.fromEntries(times(count, (at) => [`d${at}`, make(at)]));
const nested = (count: number, around: (inner: JsonValue) => JsonValue, innermost: JsonValue = 1): JsonValue =>
  times(count, () => 0).reduce<JsonValue>((inner) => around(inner), innermost);
/** Each part refers to the next. */
const chain = (count: number, make: (next: JsonObject) => JsonObject): JsonObject => ({
  $ref: '#/$defs/d0',
  $defs: { ...named(count, (at) => make({ $ref: `#/$defs/d${at + 1}` })), [`d${count}`]: { type: 'object' } },
});
const check = (schema: JsonObject, artifact: JsonObject): ReturnType<typeof checkArtifact> =>
  checkArtifact({ kind: 't.k', required: true, schema, example: {} }, artifact);

describe('what a schema costs is counted before it is compiled', () => {
  it.each(['allOf', 'anyOf', 'oneOf'])('references that multiply under `%s`', (keyword) => {
    const problem = schemaProblem(chain(40, (next) => ({ [keyword]: [next, next] })));
    expect(problem).toMatchObject({ message: expect.stringContaining('multiply') });
    expect(problem?.pointer).toMatch(new RegExp(`^/\\$defs/d\\d+/${keyword}/1$`, 'u'));
  });

  it('references that multiply on the way into a value', () => {
    const schema = chain(40, (next) => ({ allOf: [{ properties: { a: next } }, { properties: { a: next } }] }));
    expect(schemaProblem(schema)?.message).toContain('multiply');
    expect(check(schema, nested(40, (a) => ({ a })) as JsonObject)[0]?.message).toContain('cannot be used at /$defs/');
  });

  it.each<[string, JsonObject, string]>([
    ['allOf', { allOf: [{ $ref: '#/$defs/a' }], $defs: { a: { not: { $ref: '#/$defs/a' } } } }, '/$defs/a/not/$ref'],
    [
      'two references',
      { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } },
      '/$defs/b/$ref',
    ],
    ['if', { if: { $ref: '#' } }, '/if/$ref'],
    ['dependentSchemas', { dependentSchemas: { a: { $ref: '#' } } }, '/dependentSchemas/a/$ref'],
    ['an anchor', { $dynamicAnchor: 'x', $dynamicRef: '#x' }, '/$dynamicRef'],
  ])('a schema that comes back to itself through %s', (_, schema, pointer) => {
    expect(schemaProblem(schema)).toMatchObject({ pointer, message: expect.stringContaining('comes back to itself') });
  });

  it.each<[string, JsonObject]>([
    ['fields', { properties: named(limits.schemaParts + 1, () => ({ type: 'string' })) }],
    ['dependencies', { dependentRequired: named(limits.schemaParts + 1, () => ['a']) }],
    [
      'one part under many names',
      {
        $defs: { abcdefgh: { allOf: times(100, () => ({ type: 'object' })) } },
        properties: named(256, (at) => ({
          $ref: `#/$defs/${Array.from('abcdefgh')
            .map((one, bit) => ((at >> bit) & 1 ? `%${one.charCodeAt(0).toString(16)}` : one))
            .join('')}`,
        })),
      },
    ],
  ])('too many %s', (_, schema) => {
    expect(schemaProblem(schema)?.message).toContain('too large');
  });

  it('references that go too deep', () => {
    expect(schemaProblem(chain(limits.schemaDepth + 1, (next) => ({ items: next })))?.message).toContain('deep');
    expect(schemaProblem(chain(limits.schemaDepth / 4, (next) => ({ items: next })))).toBeUndefined();
  });

  it.each(['#/$defs/none', '#nothing', 'other.json', '#/const', '#/constructor', 'constructor', '#/%', 'http://[/'])(
    'a reference to `%s`, where no schema is',
    ($ref) => {
      const schema = { properties: { a: { $ref } }, const: { not: {} } };
      expect(schemaProblem(schema)).toMatchObject({ pointer: '/properties/a/$ref' });
    },
  );

  it.each(['$async', 'constructor', 'toString', '__proto__'])('a keyword `%s`', (keyword) => {
    expect(schemaProblem({ properties: { a: Object.fromEntries([[keyword, true]]) } })).toMatchObject({
      pointer: `/properties/a/${keyword}`,
      message: expect.stringContaining('not a JSON Schema keyword'),
    });
  });

  it('a field `__proto__`, which would not be looked at', () => {
    const schema = { properties: Object.fromEntries([['__proto__', { type: 'string' }]]) };
    expect(schemaProblem(schema)).toMatchObject({ pointer: '/properties/__proto__' });
  });

  it('lets pass what recurs through the value, and what is referred to often', () => {
    const tree = {
      $ref: '#/$defs/node',
      $defs: {
        node: {
          required: ['name'],
          properties: { name: { type: 'string' }, inner: { items: { $ref: '#/$defs/node' } } },
        },
      },
    };
    expect(schemaProblem(tree)).toBeUndefined();
    expect(check(tree, nested(20, (one) => ({ name: 'x', inner: [one] }), { name: 'x' }) as JsonObject)).toEqual([]);
    expect(check(tree, { name: 'x', inner: [{ name: 'y', inner: [{ name: 1 }] }] })).toMatchObject([
      { pointer: '/inner/0/inner/0/name' },
    ]);
    const often = { $defs: { a: { type: 'string' } }, properties: named(300, () => ({ $ref: '#/$defs/a' })) };
    expect(schemaProblem(often)).toBeUndefined();
  });
});

describe('judging ends', () => {
  const tooMuch = [{ pointer: '', message: expect.stringContaining('too much work') }];
  const branches = (keyword: string): JsonObject => ({
    $ref: '#/$defs/e',
    $defs: { e: { [keyword]: times(4, (at) => ({ properties: { l: { $ref: '#/$defs/e' }, op: { const: at } } })) } },
  });

  it.each(['anyOf', 'oneOf'])('where alternatives of `%s` recur on a deep value', (keyword) => {
    expect(schemaProblem(branches(keyword))).toBeUndefined();
    const value = nested(50, (l) => ({ op: 9, l }), { op: 3 }) as JsonObject;
    expect(check(branches(keyword), value)).toEqual(tooMuch);
    expect(check(branches(keyword), { op: 3, l: { op: 2, l: { op: 1 } } })).toEqual([]);
  });

  it('where a pattern is dear and the text long', () => {
    const schema = { properties: { a: { pattern: '([ab]*a[ab]{400})x' } } };
    expect(check(schema, { a: 'a'.repeat(250_000) })).toEqual(tooMuch);
    expect(check(schema, { a: 'a'.repeat(1_000) })).toHaveLength(1);
  });

  it('where errors are many, with the first of them', () => {
    const schema = { properties: { a: { items: { $ref: '#/$defs/x' } } }, $defs: { x: { type: 'string' } } };
    expect(check(schema, { a: times(100_000, () => 1) })).toEqual([
      { pointer: '/a/0', message: 'expected string, got 1' },
    ]);
    expect(check(schema, { a: times(100_000, () => 'x') })).toEqual([]);
    expect(check({ required: times(50_000, (at) => `k${at}`) }, {})).toHaveLength(limits.violations);
  });

  it.each<[string, JsonObject, JsonValue]>([
    ['equal elements are looked for among many', { uniqueItems: true }, times(60_000, (at) => at)],
    ['an element is one of many', { items: { enum: times(20_000, (a) => ({ a })) } }, times(20_000, (a) => ({ a }))],
  ])('where %s, and says so', (_, schema, a) => {
    expect(check({ properties: { a: schema } }, { a })).toEqual([]);
  });

  it('where an anchor is never met', () => {
    expect(check({ allOf: [{ $dynamicRef: '#q' }], $defs: { z: { $dynamicAnchor: 'q' } } }, {})).toEqual(tooMuch);
  });
});
