import fc from 'fast-check';
import { expect, test } from 'vitest';
import { oddText, brokenText } from '../../../property-tests/worlds/nasty-text.js';
import { printable } from './printable.js';

const tricks = [
  '\u001b[31m',
  '\u001b]0;owned\u0007',
  '\u009b2J',
  '\r',
  '\r\n',
  '\b',
  '\u007f',
  '\u0085',
  '\u200b',
  '\u200c',
  '\u200d',
  '\u200e',
  '\u202e',
  '\u2066',
  '\u2069',
  '\u2028',
  '\u00ad',
  '\u{E0041}',
  '\u3164',
  '\ufe0f',
  '\u{1F469}\u200d\u{1F4BB}',
  'e' + '\u0301'.repeat(40),
  '漢',
];
const naughty = fc
  .array(fc.oneof(fc.constantFrom(...tricks), oddText(6), brokenText(6), fc.string({ unit: 'binary', maxLength: 4 })), {
    maxLength: 12,
  })
  .map((parts) => parts.join(''));

/** All that moves, hides or reorders; a line end only where it was asked for. */
const forbidden =
  /[^\P{Control}\n]|[\u200b\u200e\u200f\u202a-\u202e\u2028\u2029\u2060-\u206f\ufeff\u00ad\u061c\u{E0000}-\u{E0FFF}]|\p{Surrogate}/u;

test('whatever is printed, nothing of it moves the cursor, colours, reorders or hides', () => {
  fc.assert(
    fc.property(naughty, (text) => {
      for (const shown of [printable(text), printable(text, 'lines')]) {
        expect(shown).not.toMatch(forbidden);
      }
      expect(printable(text)).not.toContain('\n');
      // What was made printable stays as it is.
      expect(printable(printable(text))).toBe(printable(text));
      expect(printable(printable(text, 'lines'), 'lines')).toBe(printable(text, 'lines'));
    }),
    { numRuns: 2000 },
  );
});

test('ordinary text of any language stays as it is', () => {
  for (const text of [
    'Plain words, 100% of them.',
    'Grüße aus Köln',
    '日本語のテキスト',
    'नमस्ते क्‍ष',
    'می‌خواهم',
    'שלום',
    '👩‍💻 👨‍👩‍👧 ❤️ 👍🏽',
    'Tiếng Việt',
    '| a | b |',
    'e\u0301',
  ])
    expect(printable(text)).toBe(text);
});

test('what was hidden is seen', () => {
  expect(printable('a\u001b[31mred')).toBe('a␛[31mred');
  expect(printable('user\u202Egpj.exe')).toBe('user[U+202E]gpj.exe');
  expect(printable('a\u200bb\u{E0041}c')).toBe('abc');
  expect(printable('two\r\nlines\rhere', 'lines')).toBe('two\nlines␍here');
  expect(printable('two\nlines')).toBe('two lines');
  expect(printable('z' + '\u0301'.repeat(100))).toBe('z' + '\u0301'.repeat(4));
});
