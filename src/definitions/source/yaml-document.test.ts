import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LineCounter, parseDocument } from 'yaml';
import { yamlDocument } from './yaml-document.js';

const options = { version: '1.2', schema: 'core', uniqueKeys: false, prettyErrors: false } as const;

/** Words of YAML in any order: most are wrong, and many are several documents. */
const pieces = [
  'a',
  ': ',
  '- ',
  '\n',
  '\n  ',
  '[',
  ']',
  '{',
  '}',
  ', ',
  '"b"',
  "'c'",
  '&x ',
  '*x',
  '# d',
  '---\n',
  '? ',
];
const texts = fc.array(fc.constantFrom(...pieces, '...\n', '|\n', '!!str ', '1'), { maxLength: 30 });

/** A document with errors cannot be written, nor one with an alias to nothing. */
function written(document: { readonly toString: () => string }): string {
  try {
    return document.toString();
  } catch (cause) {
    return String(cause);
  }
}

it('is what the library reads, with the same errors at the same places', () => {
  fc.assert(
    fc.property(texts, (words) => {
      const text = words.join('');
      const [lines, theirLines] = [new LineCounter(), new LineCounter()];
      const document = yamlDocument(text, { ...options, lineCounter: lines });
      const theirs = parseDocument(text, { ...options, lineCounter: theirLines });
      const told = ({ errors, warnings }: Pick<typeof theirs, 'errors' | 'warnings'>) =>
        [...errors, ...warnings].map(({ code, pos }) => [code, pos[0]]);
      expect(told(document)).toEqual(told(theirs));
      expect(lines.lineStarts).toEqual(theirLines.lineStarts);
      expect(written(document)).toBe(written(theirs));
    }),
    { numRuns: 500 },
  );
});

describe('what nests too deep', () => {
  const around = (open: string, close: string) => (count: number) => `a: ${open.repeat(count)}1${close.repeat(count)}`;
  it.each<[string, (count: number) => string]>([
    ['lists', around('[', ']')],
    ['lists that never end', around('[', '')],
    ['objects', around('{a: ', '}')],
    ['keys that are objects', around('{? ', ': 1}')],
    ['dashes', (count) => `${'- '.repeat(count)}1`],
    ['marks of keys', (count) => `${'? '.repeat(count)}1`],
    ['lines', (count) => `${Array.from({ length: count }, (_, at) => `${' '.repeat(at)}a:`).join('\n')} 1`],
  ])('is not composed: %s', (_, nested) => {
    const codes = (count: number) => yamlDocument(nested(count), options).errors.map(({ code }) => code);
    for (const count of [400, 3_000]) expect(codes(count)).toContain('RESOURCE_EXHAUSTION');
    expect(codes(100)).not.toContain('RESOURCE_EXHAUSTION');
  });

  it('is told where it gets too deep', () => {
    const [error] = yamlDocument(around('[', ']')(1_000_000), options).errors;
    expect(error!.pos[0]).toBeLessThan(400);
  });
});
