import fc from 'fast-check';
import { expect, it } from 'vitest';
import { nearestTo, placesOf } from './moment.js';

const marksAt = (times: readonly number[]): Parameters<typeof placesOf>[0] =>
  times.map((at, seq) => ({ seq, event: `${seq}`, at, kind: 'note_added', says: '' }));

it('places marks in their order, from end to end, whatever their clocks say', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 1e9 }), { minLength: 2 }), fc.boolean(), (times, byTime) => {
      const places = placesOf(marksAt(times), byTime);
      expect(places.length).toBe(times.length);
      expect([places[0], places.at(-1)]).toEqual([0, 1]);
      for (const [index, place] of places.entries()) {
        expect(place).toBeGreaterThanOrEqual(places[index - 1] ?? 0);
        expect(places[nearestTo(places, place)]).toBe(place);
      }
    }),
  );
});

it('places them as far apart as in time', () => {
  expect(placesOf(marksAt([0, 10, 40, 100]), true)).toEqual([0, 0.1, 0.4, 1]);
});
