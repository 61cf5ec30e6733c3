import fc from 'fast-check';

const wholeCharacters = [
  'a',
  'Z',
  ' ',
  '\n',
  '\t',
  '"',
  '\\',
  'ß',
  'é',
  'e\u0301',
  '漢',
  '\u{1F600}',
  '\u{1F468}\u200D\u{1F469}\u200D\u{1F467}',
  '\u0000',
  '\u001F',
  '\u2028',
  '\uFEFF',
  '\u200F',
  '…',
];
const brokenCharacters = ['\uD800', '\uDFFF', '\uDE00\uD83D'];

function textOf(characters: readonly string[], most: number): fc.Arbitrary<string> {
  return fc
    .array(fc.oneof(fc.constantFrom(...characters), fc.string({ unit: 'grapheme', maxLength: 3 })), { maxLength: most })
    .map((parts) => parts.join(''));
}

/** Text with everything in it that breaks programs, and whole characters only. */
export const oddText = (most = 40): fc.Arbitrary<string> => textOf(wholeCharacters, most);

/** The same with halves of characters, which JSON can carry and UTF-8 cannot. */
export const brokenText = (most = 40): fc.Arbitrary<string> => textOf([...wholeCharacters, ...brokenCharacters], most);

/** Short mostly, and sometimes as long as notes may be. */
export const notesText: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: oddText(40) },
  { weight: 2, arbitrary: oddText(600) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom(...wholeCharacters), fc.integer({ min: 1000, max: 16_000 }))
      .map(([character, times]) => character.repeat(times).slice(0, 20_000)),
  },
);

/** Whether a text survives being written as UTF-8: no half of a character in it. */
export function isWhole(text: string): boolean {
  return Buffer.from(text, 'utf8').toString('utf8') === text;
}
