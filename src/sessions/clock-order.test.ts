import { describe, expect, it } from 'vitest';
import type { WriterId } from '../base/ids.js';
import { clockOrder } from './clock-order.js';

const merged = (...events: readonly (readonly [by: string, at: string])[]): readonly boolean[] => {
  const isMerged = clockOrder();
  return events.map(([by, at]) => isMerged({ by: by as WriterId, at: `2026-11-20T${at}Z` }));
};

describe('clockOrder', () => {
  it('finds what another writer wrote earlier by the clock', () => {
    expect(
      merged(
        ['a', '10:00:00.000'],
        ['a', '10:05:00.000'],
        ['b', '09:58:00.000'],
        ['b', '10:04:00.000'],
        ['a', '10:06:00.000'],
      ),
    ).toEqual([false, false, true, true, false]);
  });

  it('takes neither a clock that was set back nor two writers at the same moment for a merge', () => {
    expect(merged(['a', '10:05:00.000'], ['a', '10:00:00.000'])).toEqual([false, false]);
    expect(merged(['a', '10:05:00.500'], ['b', '10:05:00.000'])).toEqual([false, false]);
  });
});
