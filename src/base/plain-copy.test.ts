import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson } from './canonical-json.js';
import { plainCopy } from './plain-copy.js';

const scalar = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.double(),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.constant(undefined),
  fc.constant('\ud800'),
);
const key = fc.oneof(fc.string(), fc.constantFrom('__proto__', 'constructor', 'toString', '7', '10'));
const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { maxDepth: 5 },
    scalar,
    fc.array(tie('tree'), { maxLength: 4 }),
    fc.array(fc.tuple(key, tie('tree')), { maxLength: 4 }).map((entries) => Object.fromEntries(entries) as object),
  ),
}));

test('a plain copy is what a round trip through JSON gives, in the same order', () => {
  fc.assert(
    fc.property(tree, (value) => {
      const text = JSON.stringify(value) ?? 'null';
      const copy = plainCopy(value);
      expect(copy).toEqual(JSON.parse(text));
      expect(JSON.stringify(copy)).toBe(text);
      if (value !== undefined) expect(canonicalJson(copy)).toBe(canonicalJson(JSON.parse(text) as never));
    }),
    { numRuns: 2000 },
  );
});

test('a copy shares nothing that can change with what it was made of', () => {
  const inner = { list: [1], object: { a: 1 } };
  const copy = plainCopy(inner) as typeof inner;
  inner.list.push(2);
  inner.object.a = 2;
  expect(copy).toStrictEqual({ list: [1], object: { a: 1 } });
});
