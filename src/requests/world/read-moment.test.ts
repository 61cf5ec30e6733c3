import { describe, expect, it } from 'vitest';
import { readSpan } from '../../base/read-span.js';
import { readMoment } from './read-moment.js';

const now = new Date('2026-03-01T12:00:00.000Z');

describe('readSpan and readMoment', () => {
  it.each([
    ['90d', 90 * 86_400_000],
    ['2h', 7_200_000],
    ['30min', 1_800_000],
    ['2 w', 1_209_600_000],
    ['3m', undefined],
    ['d', undefined],
    ['-3d', undefined],
    ['1e9d', undefined],
  ])('%s', (text, length) => expect(readSpan(text)).toBe(length));

  it.each([
    ['2h', '2026-03-01T10:00:00.000Z'],
    ['2026-02-28', new Date(2026, 1, 28).toISOString()],
    ['2026-02-28T10:00', new Date(2026, 1, 28, 10).toISOString()],
    ['today', new Date(2026, 2, 1).toISOString()],
    ['Yesterday', new Date(2026, 1, 28).toISOString()],
    ['2026-02-28T10:00:00Z', '2026-02-28T10:00:00.000Z'],
    ['2026-02-31T99:00', undefined],
    ['2026-13-01', undefined],
    ['tomorrow', undefined],
  ])('%s', (text, moment) => expect(readMoment(text, now)).toBe(moment));
});
