import fc from 'fast-check';
import { expect, it, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../base/json-value.js';
import { evaluateCondition, type Scope } from './expression.js';
import { unsetReads } from './unset-reads.js';

const scope = (context: JsonObject): Scope => ({ inputs: {}, outputs: {}, names: { item: { size: 1 } }, context });
const is = (key: string, value: JsonValue): string => `wr_equals(wr_get(context, "${key}"), ${JSON.stringify(value)})`;

test.each<[string, JsonObject, readonly string[]]>([
  [is('a', 1), {}, ['a']],
  [is('a', 1), { a: 2 }, []],
  [`${is('a', 1)} && ${is('b', 1)}`, { a: 2 }, []],
  [`${is('a', 1)} && ${is('b', 1)}`, { a: 1 }, ['b']],
  [`${is('a', 1)} || ${is('b', 1)}`, { a: 2 }, ['b']],
  [`${is('a', 1)} || ${is('b', 1)}`, {}, ['a', 'b']],
  [`!(${is('a', 1)})`, {}, ['a']],
  [is('a', null), {}, []],
  [is('a.b', 1), { a: {} }, []],
  [is('a.b', 1), { 'a.b': 2 }, []],
  [is('a.b', 1), {}, ['a']],
  ['wr_gt(wr_get(item, "depth"), 2)', {}, []],
  ['context.a == 1', {}, []],
  ['wr_get(context, "a"', {}, []],
])('%s with %j hangs on %j', (source, context, keys) => {
  expect([...unsetReads(source, scope(context))]).toEqual(keys);
});

it('names no key without which the answer is the same whatever it is', () => {
  const key = fc.constantFrom('a', 'b', 'c');
  const { condition } = fc.letrec<{ condition: string }>((tie) => ({
    condition: fc.oneof(
      { maxDepth: 3 },
      fc.tuple(key, fc.constantFrom(1, 2)).map(([name, value]) => is(name, value)),
      tie('condition').map((of) => `!(${of})`),
      fc.tuple(tie('condition'), tie('condition')).map(([a, b]) => `(${a}) && (${b})`),
      fc.tuple(tie('condition'), tie('condition')).map(([a, b]) => `(${a}) || (${b})`),
    ),
  }));
  const value = fc.constantFrom(1, 2, 3);
  const context = fc.record({ a: value, b: value, c: value }, { requiredKeys: [] });
  fc.assert(
    fc.property(condition, context, fc.record({ a: value, b: value, c: value }), (source, known, more) => {
      const answer = (all: JsonObject): unknown => evaluateCondition(source, scope(all));
      if (unsetReads(source, scope(known)).size === 0) expect(answer({ ...more, ...known })).toEqual(answer(known));
    }),
    { numRuns: 300 },
  );
});
