import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type TextPiece, wordDifference } from './word-difference.js';

const texts = fc
  .array(fc.constantFrom('the', 'fix', 'ran', 'on', 'staging', '`rows[0]`', '\n', '\n\n', ' ', '.', 'é', '🚂'), {
    maxLength: 40,
  })
  .map((words) => words.join(' '));

const whole = (pieces: readonly TextPiece[]): string => pieces.map(({ text }) => text).join('');
const common = (pieces: readonly TextPiece[]): string =>
  pieces.flatMap(({ text, changed }) => (changed ? [] : [text])).join('');

describe('the difference of two texts', () => {
  it('loses nothing of either, and what has not changed is the same in both', () => {
    fc.assert(
      fc.property(texts, texts, (a, b) => {
        const told = wordDifference(a, b);
        expect(told && [whole(told.a), whole(told.b)]).toEqual([a, b]);
        expect(common(told?.a ?? [])).toBe(common(told?.b ?? []));
        expect(told?.alike).toBe(a === b ? 1 : common(told?.a ?? []).length / Math.max(a.length, b.length));
      }),
    );
  });

  it('is words, and the space between two of them goes with them', () => {
    const told = wordDifference('It ran on staging data.', 'It ran from old logs.');
    expect(told?.a).toEqual([
      { text: 'It ran ', changed: false },
      { text: 'on staging data', changed: true },
      { text: '.', changed: false },
    ]);
    expect(told?.b[1]).toEqual({ text: 'from old logs', changed: true });
  });

  it('is left out where the texts are long or have nothing in common', () => {
    expect(wordDifference('a '.repeat(20_000), 'b '.repeat(20_000))).toBeUndefined();
    const words = (of: string): string => Array.from({ length: 2500 }, (_, index) => `${of}${index}`).join(' ');
    expect(wordDifference(words('a'), words('b'))).toBeUndefined();
  });
});
