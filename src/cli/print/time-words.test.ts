import { describe, expect, it } from 'vitest';
import { ago, localTime, readMoment, readSpan } from './time-words.js';

const now = new Date('2026-03-01T12:00:00.000Z');

describe('ago', () => {
  it.each([
    ['2026-03-01T11:59:30.000Z', 'just now'],
    ['2026-03-01T12:30:00.000Z', 'just now'],
    ['2026-03-01T11:01:00.000Z', '59 min ago'],
    ['2026-03-01T10:00:00.000Z', '2 h ago'],
    ['2026-02-28T00:00:00.000Z', '36 h ago'],
    ['2026-02-20T12:00:00.000Z', '9 days ago'],
    ['2025-11-01T12:00:00.000Z', '4 months ago'],
    ['2020-03-01T12:00:00.000Z', '6 years ago'],
    ['', 'at no known time'],
  ])('says of %s: %s', (at, said) => expect(ago(at, now)).toBe(said));
});

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
    ['2026-02-28', '2026-02-28T00:00:00.000Z'],
    ['2026-02-28T10:00:00Z', '2026-02-28T10:00:00.000Z'],
    ['2026-02-31T99:00', undefined],
    ['yesterday', undefined],
  ])('%s', (text, moment) => expect(readMoment(text, now)).toBe(moment));
});

it('tells a moment in the time of a place', () => {
  expect(localTime('2026-03-01T23:30:05.000Z', 'UTC')).toBe('2026-03-01 23:30:05');
  expect(localTime('2026-03-01T23:30:05.000Z', 'Asia/Tokyo')).toBe('2026-03-02 08:30:05');
  expect(localTime('no time', 'UTC')).toBe('no time');
});
