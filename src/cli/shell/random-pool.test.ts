import fc from 'fast-check';
import { expect, test } from 'vitest';
import { randomPool } from './random-pool.js';

test('what is drawn has the length that was asked for, and nothing is drawn twice', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 6, max: 40 }), { minLength: 200, maxLength: 400 }), (counts) => {
      const draw = randomPool();
      const drawn = counts.map((count) => Buffer.from(draw(count)));
      expect(drawn.map(({ length }) => length)).toEqual(counts);
      expect(new Set(drawn.map((bytes) => bytes.toString('hex', 0, 6))).size).toBe(counts.length);
    }),
    { numRuns: 20 },
  );
});

test('a draw stays what it was', () => {
  const draw = randomPool();
  const first = draw(8);
  const before = Buffer.from(first).toString('hex');
  for (let count = 0; count < 500; count += 1) draw(8);
  expect(Buffer.from(first).toString('hex')).toBe(before);
});
