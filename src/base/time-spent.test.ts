import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { msBetween, tookWords } from './time-spent.js';

const moment = fc.date({
  min: new Date('1970-01-01T00:00:00.000Z'),
  max: new Date('2999-12-31T23:59:59.999Z'),
  noInvalidDate: true,
});

describe('time spent', () => {
  it('is what the calendar says, and never less than nothing', () => {
    fc.assert(
      fc.property(moment, moment, (a, b) => {
        expect(msBetween(a.toISOString(), b.toISOString())).toBe(Math.max(0, b.getTime() - a.getTime()));
      }),
    );
    expect(msBetween('yesterday', '2026-01-01T00:00:00.000Z')).toBeUndefined();
  });

  it('tells waiting apart', () => {
    expect(tookWords(720_000, 0)).toBe('12 min');
    expect(tookWords(720_000, 480_000)).toBe('12 min, 8 min of it waiting for a person');
    expect(tookWords(undefined, 0)).toBe('');
  });
});
