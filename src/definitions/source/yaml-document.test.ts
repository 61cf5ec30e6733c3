import fc from 'fast-check';
import { expect, it } from 'vitest';
import { LineCounter, parseDocument, stringify } from 'yaml';
import { limits } from '../../base/limits.js';
import { yamlDocument } from './yaml-document.js';

const options = { version: '1.2', schema: 'core', uniqueKeys: false, prettyErrors: false } as const;

/** What a document says: its value, and what is wrong with it and where. */
function said(document: ReturnType<typeof yamlDocument>): unknown {
  const problems = [...document.errors, ...document.warnings].map(({ code, pos }) => [code, pos[0]]);
  try {
    return { problems, value: document.errors.length > 0 ? undefined : document.toJS() };
  } catch (cause) {
    // Aliases of nothing, or of too much.
    return { problems, refused: String(cause) };
  }
}

const signs = fc.constantFrom(
  'a',
  'b: ',
  '- ',
  '[',
  ']',
  '{',
  '}',
  ',',
  '\n',
  '\n  ',
  '"',
  "'",
  '&x ',
  '*x',
  '#',
  '---\n',
);
const texts = fc.oneof(
  fc.array(signs, { maxLength: 30 }).map((parts) => parts.join('')),
  fc.jsonValue({ maxDepth: 8 }).map((value) => stringify(value)),
);

it('is what the library says, with each line where it begins', () => {
  fc.assert(
    fc.property(texts, (text) => {
      const [lines, theirs] = [new LineCounter(), new LineCounter()];
      const document = yamlDocument(text, options, lines);
      expect(said(document)).toEqual(said(parseDocument(text, { ...options, lineCounter: theirs })));
      expect(lines.lineStarts).toEqual(theirs.lineStarts);
    }),
    { numRuns: 2000 },
  );
});

const nested: readonly (readonly [string, (depth: number) => string])[] = [
  ['lists', (depth) => `a: ${'['.repeat(depth)}${']'.repeat(depth)}`],
  ['maps', (depth) => `${'{a: '.repeat(depth)}1${'}'.repeat(depth)}`],
  ['elements', (depth) => `${'- '.repeat(depth)}x\n`],
  ['elements that something follows', (depth) => `a:\n ${'- '.repeat(depth)}x\nb: 1\n`],
  ['keys', (depth) => `${'? '.repeat(depth)}x\n`],
  ['lists that are never closed', (depth) => '['.repeat(depth)],
];

// V8 ends the process where a regular expression is compiled as the stack runs out, which it is once it has been used often.
it.each(nested)('ends at a bound where %s are nested, however often it is read', (_, text) => {
  for (const depth of [limits.yamlDepth + 1, 1000, 1500, 20_000])
    for (let times = 0; times < 25; times += 1)
      expect(yamlDocument(text(depth), options).errors.map(({ code }) => code)).toEqual(['RESOURCE_EXHAUSTION']);
});
