import { describe, expect, it } from 'vitest';
import { ago, dayWords, localTime } from './time-words.js';

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
    ['', 'at an unknown time'],
  ])('says of %s: %s', (at, said) => expect(ago(at, now)).toBe(said));
});

it('tells a moment in the time of a place', () => {
  expect(localTime('2026-03-01T23:30:05.000Z', 'UTC')).toBe('2026-03-01 23:30:05');
  expect(localTime('2026-03-01T23:30:05.000Z', 'Asia/Tokyo')).toBe('2026-03-02 08:30:05');
  expect(localTime('no time', 'UTC')).toBe('no time');
});

it.each([
  ['2026-03-01T00:00:00.000Z', 'Today'],
  ['2026-02-28T23:59:00.000Z', 'Yesterday'],
  ['2026-02-25T10:00:00.000Z', 'Wednesday'],
  ['2026-02-22T10:00:00.000Z', '2026-02-22'],
  ['2026-03-02T10:00:00.000Z', '2026-03-02'],
  ['', 'Unknown date'],
])('the day of %s is %s', (at, said) => expect(dayWords(at, now, 'UTC')).toBe(said));
