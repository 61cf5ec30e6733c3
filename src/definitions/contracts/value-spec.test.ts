import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../base/json-value.js';
import type { ValueSpec } from '../compiled/compiled-workflow.js';
import { checkValue, describeValue, exampleValue, specProblems } from './value-spec.js';

type Keys = { readonly [key: string]: fc.Arbitrary<unknown> };
/** Only keys that say something of the type: what has others is never sound. */
const ofType = (type: ValueSpec['type'], values: fc.Arbitrary<JsonValue>, keys: Keys = {}): fc.Arbitrary<ValueSpec> =>
  fc.record(
    {
      type: fc.constant(type),
      enum: fc.option(fc.array(values, { minLength: 1, maxLength: 3 }), { nil: undefined }),
      example: fc.option(values, { nil: undefined, freq: 2 }),
      ...keys,
    },
    { requiredKeys: ['type'] },
  ) as fc.Arbitrary<ValueSpec>;

const bound = fc.oneof(fc.integer({ min: -9, max: 9 }), fc.double({ noNaN: true, min: -9, max: 9 }));
const patterns = ['^a', 'x', '(', '^[A-Z]+-\\d+$', '(?i)^v\\d(\\.\\d)*$', 'a^b', '^text$', '^\\S{3,}@\\S+$'];
const specs: fc.Arbitrary<ValueSpec> = fc.letrec<{ spec: ValueSpec }>((tie) => ({
  spec: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    ofType('string', fc.string(), { pattern: fc.constantFrom(...patterns) }),
    ofType('number', bound, { minimum: bound, maximum: bound }),
    ofType('integer', fc.integer({ min: -9, max: 9 }), { minimum: bound, maximum: bound }),
    ofType('boolean', fc.boolean()),
    ofType('object', fc.constant({})),
    ofType('any', fc.oneof(fc.string(), fc.integer(), fc.boolean())),
    fc.record({ type: fc.constant('array' as const), items: tie('spec') }),
  ),
})).spec;

const sound = (spec: ValueSpec): boolean =>
  specProblems(spec).length === 0 && (spec.items === undefined || sound(spec.items));

describe('a value spec', () => {
  it('has an example that passes it, whenever nothing is wrong with it', () => {
    fc.assert(
      fc.property(specs.filter(sound), (spec) => {
        expect(checkValue(spec, exampleValue(spec))).toEqual([]);
      }),
    );
  });

  it('needs no example of its author for a pattern that says plainly what it wants', () => {
    const patterned = fc.constantFrom(
      '^[A-Z]+-\\d+$',
      '^/',
      '^[a-z0-9-]{3,20}$',
      '^https?://\\S+$',
      '^\\d{4}-\\d{2}-\\d{2}$',
      '(?i)^(yes|no)$',
      '^\\w+\\.(ts|js)$',
    );
    fc.assert(
      fc.property(patterned, fc.boolean(), (pattern, listed) => {
        const one: ValueSpec = { type: 'string', pattern };
        const spec: ValueSpec = listed ? { type: 'array', items: one } : one;
        expect(specProblems(one)).toEqual([]);
        expect(checkValue(spec, exampleValue(spec))).toEqual([]);
        if (listed) expect(exampleValue(spec)).toHaveLength(1);
      }),
    );
    expect(specProblems({ type: 'string', pattern: 'a^b' })).toMatchObject([
      { key: 'pattern', message: expect.stringContaining('give an `example`') },
    ]);
  });

  it.each<[ValueSpec, string]>([
    [{ type: 'string', enum: ['Small', 'Large'] }, '"Small" or "Large"'],
    [{ type: 'integer', minimum: 0 }, 'a whole number of at least 0'],
    [{ type: 'number', minimum: 0, maximum: 1 }, 'a number from 0 to 1'],
    [{ type: 'array', items: { type: 'string' } }, 'a list, each element text'],
    [{ type: 'string', pattern: '^a' }, 'text that matches `^a`'],
  ])('%j is %s', (spec, words) => {
    expect(describeValue(spec)).toBe(words);
  });

  it('tells where a value is wrong, what was expected and what came', () => {
    expect(checkValue({ type: 'array', items: { type: 'integer' } }, [1, 'two'])).toEqual([
      { pointer: '/1', message: 'expected a whole number, got "two"' },
    ]);
    expect(checkValue({ type: 'integer', minimum: 0 }, -1)).toHaveLength(1);
    expect(checkValue({ type: 'integer' }, 1.5)).toHaveLength(1);
    expect(checkValue({ type: 'object' }, [])).toHaveLength(1);
    expect(checkValue({ type: 'any' }, null)).toEqual([]);
  });
});
