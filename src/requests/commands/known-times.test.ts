import fc from 'fast-check';
import { expect, it } from 'vitest';
import { knownTimes } from './known-times.js';

const hour = 3_600_000;
const at = '2026-01-02T12:00:00.000Z';
const said = Date.parse(at);

it('says when something was, and of what seems to be later than now that it is now, and remembers that', () => {
  const timeOf = knownTimes();
  expect(timeOf(at, said + 1)).toBe(said);
  expect(timeOf(at, said - hour)).toBe(said - hour);
  expect(timeOf(at, said - hour + 5000)).toBe(said - hour);
  // Set back once more, and forward again.
  expect(timeOf(at, said - 2 * hour)).toBe(said - 2 * hour);
  expect(timeOf(at, said + hour)).toBe(said - 2 * hour);
});

it('lets nobody wait longer than was meant after a clock was set for the last time, wherever it was set to', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: -100, max: 100 }), { maxLength: 20 }),
      fc.integer({ min: 0, max: 50 }),
      (sets, wait) => {
        const timeOf = knownTimes();
        for (const set of sets) timeOf(at, said + set);
        const last = said + (sets.at(-1) ?? 0);
        expect(timeOf(at, last + wait) + wait).toBeLessThanOrEqual(last + wait);
      },
    ),
  );
});
