import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { quoteNotes, shortNotes } from './quote-notes.js';

describe('quoteNotes', () => {
  it.each([
    ['plain words\n\n- a\n- b', '> plain words\n>\n> - a\n> - b'],
    ['# One\n## Two\n##### Five', '> ##### One\n> ###### Two\n> ##### Five'],
    ['One\n===', '> ##### One\n> '],
    ['two\nlines\n---', '> two\n> lines\n> \\---'],
    ['a <b>bold</b> word', '> a &lt;b>bold&lt;/b> word'],
    ['`<b>` and a < b', '> `<b>` and a < b'],
    // A slash in an unquoted value: one reader takes this for text, another for a tag.
    ['C <script src=http://evil/s.js></script> D', '> C &lt;script src=http://evil/s.js>&lt;/script> D'],
    ['A <img src=http://evil/y> B <a href=//x>', '> A &lt;img src=http://evil/y> B &lt;a href=//x>'],
    ['<div>\n\n`<b>`', '> &lt;div>\n>\n> `<b>`'],
    ['![chart](https://example.org/a.png)', '> \\![chart](https://example.org/a.png)'],
    [
      '[a](https://example.org) [b](src/a.ts) [c](javascript:x)',
      '> [a](https://example.org) [b](src/a.ts) [c\\](javascript:x)',
    ],
    ['[a]: https://example.org', '> \\[a]: https://example.org'],
    ['&amp; &lrm; &#x202e; &#65;', '> &amp; &amp;lrm; &amp;#x202e; &#65;'],
    ['```\nnever closed\n# x', '> ```\n> never closed\n> # x'],
    ['\ta tab\u001B[2J', '>     a tab␛[2J'],
  ])('%j', (notes, quoted) => {
    expect(quoteNotes(notes).join('\n')).toBe(quoted);
  });

  it('shows a text that would tie a reader up as it stands, in a fence that it cannot close', () => {
    expect(quoteNotes(`${'>'.repeat(20)} deep\n\`\`\`\``)).toEqual([
      '> `````',
      `> ${'>'.repeat(20)} deep`,
      '> ````',
      '> `````',
    ]);
  });
});

const lines = fc
  .array(fc.constantFrom('Some words of a sentence that goes on.', '', '```ts', '```', 'const a = 1;', '- one', '🚂'), {
    maxLength: 120,
  })
  .map((all) => all.join('\n'));

describe('the beginning of notes', () => {
  it('is short, begins as they do, and leaves no block of code open', () => {
    fc.assert(
      fc.property(lines, (notes) => {
        const { shown, isCut } = shortNotes(notes);
        expect(shown.length).toBeLessThan(910);
        expect(isCut).toBe(notes.trim().length > 900);
        if (isCut && !shown.endsWith('…')) {
          expect(notes.trim().startsWith(shown)).toBe(true);
          expect((shown.match(/^```/gmu) ?? []).length % 2).toBe(0);
        }
      }),
    );
  });

  it('is whole paragraphs where there are some', () => {
    const first = 'First paragraph.\n\nSecond.';
    expect(shortNotes(`${first}\n\n${'word '.repeat(300)}`).shown).toBe(first);
    expect(shortNotes('word '.repeat(300)).shown).toMatch(/word …$/u);
  });
});
