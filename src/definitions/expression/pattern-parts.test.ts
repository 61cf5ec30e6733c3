import fc from 'fast-check';
import { RE2JS } from 're2js';
import { expect, it } from 'vitest';
import { linearPattern } from './linear-pattern.js';
import { patternParts } from './pattern-parts.js';

it.each([
  ['', 0],
  ['abc', 3],
  ['a{1000}', 1001],
  ['(?:ab){10}c', 42],
  ['[{9}]{3}', 4],
  ['[^]a{9}]{2}', 14],
  ['\\Qa{9}\\E', 4],
  ['\\p{Greek}{5}\\{9}', 9],
  ['a{3,}|b{2,7}', 13],
  ['(?:(?:\\Q{3}\\E){3,}){3,}', 55],
])('%s is about %i instructions', (source, parts) => {
  expect(patternParts(source)).toBe(parts);
});

const { all: pattern } = fc.letrec<{ all: string }>((tie) => ({
  all: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom('a', '\\d', '.', '[a-f]', '[^{2}]', '\\pL', '\\{', '\\x2f', '😀', '\\Q{3}\\E', '[[:punct:]]'),
    fc.tuple(tie('all'), tie('all')).map((parts) => parts.join('')),
    fc.tuple(tie('all'), tie('all')).map(([a, b]) => `(${a}|${b})`),
    fc.tuple(tie('all'), fc.constantFrom('*', '+?', '?', '{2}', '{1,3}', '{3,}')).map(([a, b]) => `(?:${a})${b}`),
  ),
}));

it('what is written out is told from the text, near enough', () => {
  fc.assert(
    fc.property(pattern, (source) => {
      const size = RE2JS.compile(RE2JS.translateRegExp(source)).programSize();
      expect(patternParts(source)).toBeGreaterThan(size / 4 - 4);
      expect(patternParts(source)).toBeLessThan(size * 4 + 8);
    }),
  );
});

it('a few letters that would write out a million are refused without being tried', () => {
  expect(linearPattern('a{1000}'.repeat(290))).toMatchObject({
    error: expect.stringContaining('too large: with its repetitions written out it has more than 4000 parts'),
  });
});
