import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { jsonTest } from './json-test.js';
import { isJsonObject } from '../base/json-value.js';

const schemas: { readonly [name: string]: z.ZodType } = {
  texts: z.strictObject({
    any: z.string(),
    short: z.string().max(3),
    long: z.string().min(2).exactOptional(),
    like: z.string().regex(/^a+$/u).optional(),
  }),
  numbers: z.strictObject({
    any: z.number(),
    whole: z.number().int(),
    least: z.number().int().min(1).exactOptional(),
    more: z.number().gt(2).exactOptional(),
  }),
  sets: z.strictObject({
    one: z.literal(true),
    word: z.enum(['a', 'b']),
    either: z.union([z.literal(''), z.number()]),
  }),
  lists: z
    .array(z.strictObject({ a: z.boolean().exactOptional(), b: z.array(z.string()).min(1).exactOptional() }))
    .min(1),
  own: z.strictObject({ object: z.custom(isJsonObject), nothing: z.custom().optional() }),
  'left to zod': z.strictObject({
    record: z.record(z.string().regex(/^[a-z]+$/u), z.string()).exactOptional(),
    loose: z.looseObject({ a: z.string() }).exactOptional(),
    start: z.string().startsWith('a').exactOptional(),
    refined: z
      .string()
      .refine((text) => text.includes('b'))
      .exactOptional(),
    nullable: z.string().nullable().exactOptional(),
    tuple: z.tuple([z.string()]).exactOptional(),
    most: z.number().max(3).exactOptional(),
  }),
};
const names = [
  'a',
  'b',
  'any',
  'short',
  'long',
  'like',
  'whole',
  'least',
  'more',
  'one',
  'word',
  'either',
  'object',
  'nothing',
  'record',
  'loose',
  'start',
  'refined',
  'nullable',
  'tuple',
  'most',
  '__proto__',
  'toString',
  'hasOwnProperty',
];
const scalars = ['', 'a', 'aa', 'ab', 'abc', 'aaaa', true, false, null, 0, 1, 2, 3, 1.5, -1, 2 ** 53, 1e308];
const scalar = fc.constantFrom(...scalars);
/** As a text, since only `JSON.parse` makes `__proto__` a key like others. */
const json = fc.letrec<{ readonly value: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalar.map((value) => JSON.stringify(value)),
    fc.constant('1e999'),
    fc.array(tie('value'), { maxLength: 3 }).map((items) => `[${items.join(',')}]`),
    fc
      .uniqueArray(fc.tuple(fc.constantFrom(...names), tie('value')), { maxLength: 4, selector: ([key]) => key })
      .map((fields) => `{${fields.map(([key, value]) => `${JSON.stringify(key)}:${value}`).join(',')}}`),
  ),
})).value;
const samples = ['{}', '{"a":"b"}', '[]', '["a"]', ...scalars.map((value) => JSON.stringify(value))];
/** What has the fields of a schema, and mostly with what they allow. */
function near(shape: { readonly [key: string]: z.ZodType }): fc.Arbitrary<string> {
  const fields = Object.entries(shape).map(([key, field]) => {
    const right = fc.constantFrom(...samples.filter((sample) => field.safeParse(JSON.parse(sample)).success));
    return fc
      .option(fc.oneof({ arbitrary: right, weight: 9 }, json), { nil: undefined, freq: 9 })
      .map((value) => (value === undefined ? [] : [`${JSON.stringify(key)}:${value}`]));
  });
  return fc.tuple(...fields).map((told) => `{${told.flat().join(',')}}`);
}

describe('jsonTest', () => {
  test.each(Object.entries(schemas))('says of any JSON what the schema says: %s', (_name, schema) => {
    const quick = jsonTest(schema);
    const seen = { true: 0, false: 0 };
    const texts =
      schema instanceof z.ZodObject
        ? fc.oneof({ arbitrary: near(schema.shape), weight: 5 }, json)
        : fc.oneof(
            json,
            fc.array(near({ a: z.boolean(), b: z.array(z.string()).min(1) })).map((items) => `[${items.join(',')}]`),
          );
    fc.assert(
      fc.property(texts, (text) => {
        const value: unknown = JSON.parse(text);
        const verdict = schema.safeParse(value).success;
        expect(quick(value)).toBe(verdict);
        seen[`${verdict}`] += 1;
      }),
      { numRuns: 3000 },
    );
    expect(seen.true).toBeGreaterThan(0);
    expect(seen.false).toBeGreaterThan(0);
  });

  test('a pattern that remembers where it was is left to zod', () => {
    const quick = jsonTest(z.string().regex(/a/gu));
    expect([quick('a'), quick('a'), quick('b')]).toEqual([true, true, false]);
  });
});
