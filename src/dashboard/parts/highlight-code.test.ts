import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { highlightCode } from './highlight-code.js';

describe('highlighted code', () => {
  it('is the code itself, whatever it is and whatever it says it is', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 200 }),
        fc.constantFrom('ts', 'sh', 'json', 'yaml', 'html', 'md', 'diff', 'toml', 'constructor', '__proto__', ''),
        (text, language) => {
          expect(
            highlightCode(text, language)
              .map((token) => token.text)
              .join(''),
          ).toBe(text);
        },
      ),
    );
  });

  it('tells words of the language from texts and comments', () => {
    const tokens = highlightCode("const a = '<b>'; // why", 'ts');
    expect(tokens.find(({ text }) => text === 'const')?.kind).toBe('keyword');
    expect(tokens.find(({ text }) => text === "'<b>'")?.kind).toBe('string');
    expect(tokens.find(({ text }) => text === '// why')?.kind).toBe('comment');
  });

  it('is plain where the language is not known, or there is too much of it', () => {
    expect(highlightCode('const a', 'klingon')).toEqual([{ text: 'const a' }]);
    expect(highlightCode('x'.repeat(50_000), 'ts')).toHaveLength(1);
  });
});
