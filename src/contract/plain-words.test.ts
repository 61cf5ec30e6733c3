import fc from 'fast-check';
import { expect, it } from 'vitest';
import { plainWords, shortened, withoutJson } from './plain-words.js';

it.each([
  ['**Wrong:** the tax is `round`ed twice', 'Wrong: the tax is rounded twice'],
  ['# Found\n\n- one\n- *two*\n\n```ts\nconst a = 1;\n```\nend', 'Found one two const a = 1; end'],
  ['see [the log](https://x.test/a_b) and snake_case_names', 'see the log and snake_case_names'],
  ['2 * 3 * 4 and a ** b', '2 * 3 * 4 and a ** b'],
  ['> said\n> twice', 'said twice'],
])('%j', (markdown, words) => expect(plainWords(markdown)).toBe(words));

it('is one line, and keeps every word', () => {
  fc.assert(
    fc.property(
      fc.array(fc.stringMatching(/^[a-z]{1,8}$/u)),
      fc.constantFrom(' ', '\n', '\n\n- ', ' **b** '),
      (words, between) => {
        const told = plainWords(words.join(between));
        expect(told).not.toMatch(/\n/u);
        for (const word of words) expect(told).toContain(word);
      },
    ),
  );
});

it('is cut at the end of a word', () => {
  expect(shortened('412 tests passed on both', 14)).toBe('412 tests …');
  fc.assert(
    fc.property(fc.string(), fc.integer({ min: 1, max: 40 }), (text, most) => shortened(text, most).length <= most + 2),
  );
});

it('reads structured output as words, and leaves other text as it is', () => {
  expect(withoutJson('… {"claim":"late rows","files":["a.ts","b.ts"],"sure":true}')).toBe(
    '… claim: late rows, files: a.ts, b.ts, sure: true',
  );
  expect(withoutJson('{"say":"he said \\"no\\"\\nand left"}')).toBe('say: he said "no" and left');
  for (const text of ['Ran "npm test": 12 passed.', 'a {b} [c]']) expect(withoutJson(text)).toBe(text);
});
