import fc from 'fast-check';
import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { LineCounter, parseDocument } from 'yaml';
import { isJsonObject, type JsonValue } from '../../src/base/json-value.js';
import { plainPlaces } from '../../src/definitions/source/plain-places.js';
import { readPlainYaml } from '../../src/definitions/source/plain-yaml.js';
import { sourcePlaces } from '../../src/definitions/source/source-places.js';
import type { SourcePath } from '../../src/definitions/source/source-path.js';
import { patience, runs } from '../worlds/runs-of-law.js';

// Plain YAML has a reader of its own. Whatever it reads, it reads as the YAML parser does; the rest it leaves to that parser.

const bundled = new URL('../../workflows/', import.meta.url);
const files = readdirSync(bundled)
  .filter((name) => name.endsWith('.yaml'))
  .map((name) => readFileSync(new URL(name, bundled), 'utf8'));

/** What the YAML parser makes of a text; undefined where it has something to say against it. */
function byParser(text: string): unknown {
  const document = parseDocument(text, {
    version: '1.2',
    schema: 'core',
    merge: false,
    stringKeys: true,
    prettyErrors: false,
  });
  return document.errors.length + document.warnings.length > 0 ? undefined : document.toJS();
}

/** Both find the same places: of each value, its key, its words, and of what is not there. */
function findAlike(text: string): void {
  const lines = new LineCounter();
  const theirs = sourcePlaces(
    text,
    lines,
    parseDocument(text, {
      version: '1.2',
      schema: 'core',
      merge: false,
      stringKeys: true,
      uniqueKeys: false,
      prettyErrors: false,
      lineCounter: lines,
    }),
  );
  const ours = plainPlaces(text, theirs);
  const found: unknown[] = [];
  const expected: unknown[] = [];
  const walk = (value: JsonValue, path: SourcePath): void => {
    const words =
      typeof value === 'string'
        ? value
            .split(/\s+/u)
            .slice(0, 3)
            .map((word) => ({ text: word }))
        : [];
    for (const of of [undefined, 'key', ...words] as const) {
      found.push([path, of, ours(path, of)]);
      expected.push([path, of, theirs(path, of)]);
    }
    for (const [key, inner] of Object.entries(value ?? {}))
      if (typeof value === 'object') walk(inner as JsonValue, [...path, Array.isArray(value) ? Number(key) : key]);
    if (isJsonObject(value)) walk(null, [...path, 'not there']);
  };
  walk(readPlainYaml(text)!, []);
  expect({ text, found }).toEqual({ text, found: expected });
}

/** Both readers say the same, and find it in the same places; counts how many texts were read at all, for a law about none would hold too. */
function agreement(): { readonly texts: number; readonly read: number; holds(text: string): void } {
  return {
    texts: 0,
    read: 0,
    holds(this: { texts: number; read: number }, text) {
      const plain = readPlainYaml(text);
      this.texts += 1;
      if (plain === undefined) return;
      this.read += 1;
      expect({ text, value: plain }).toStrictEqual({ text, value: byParser(text) });
      findAlike(text);
    },
  };
}

const values = [
  'true',
  'True',
  'TRUE',
  'tRUE',
  'false',
  'False',
  'FALSE',
  'null',
  'Null',
  'NULL',
  'nULL',
  '~',
  '~x',
  'yes',
  'no',
  'on',
  'Off',
  'y',
  '0',
  '-0',
  '+0',
  '12',
  '007',
  '0b1',
  '0o17',
  '0x1F',
  '0xg',
  '1_000',
  '1.2.0',
  '1.',
  '.5',
  '-.5',
  '+.5e-3',
  '1e3',
  '1E+3',
  '1e',
  'e3',
  '.',
  '.e1',
  '-',
  '--',
  '+',
  '1:30',
  '12345678901234567',
  '1e999',
  '.inf',
  '-.Inf',
  '.NAN',
  '.nan.',
  '2026-11-18',
  'a:b',
  'a#b',
  'a #b',
  'a: b',
  'a:',
  ':a',
  '#a',
  '- a',
  '-a',
  '?a',
  '? a',
  '&a',
  '*a',
  '!a',
  '|',
  '>',
  '%a',
  '@a',
  '`a`',
  '<<',
  '=',
  '[a',
  'a]',
  '{a',
  'a}',
  'a, b',
  '"a',
  '"a"',
  '"a" b',
  "'a'",
  "'a''b'",
  "'a' b",
  '"\\n\\/"',
  '"\\u0041"',
  '"\\x41"',
  "it's",
  'a"b"',
  '😀',
  '\u00A0',
  'a\u00A0',
  '\u2028',
  '\u0085',
  '\u0007',
  '\uFEFF',
  'a  b ',
  '"a b"  # c',
  'a # c',
];
const places: readonly ((one: string) => string)[] = [
  (one) => `k: ${one}\n`,
  (one) => `k: ${one}`,
  (one) => `k:\n- ${one}\n`,
  (one) => `k: [${one}]\n`,
  (one) => `k: [b, ${one}, c]\n`,
  (one) => `k: { b: ${one} }\n`,
  (one) => `k: {b: ${one}, c: d}\n`,
  (one) => `k: b\n  ${one}\n`,
  (one) => `k: |\n  ${one}\n`,
  (one) => `${one}: b\n`,
  (one) => `k: { ${one}: b }\n`,
];

it('reads every bundled workflow', () => {
  const all = agreement();
  for (const text of files) all.holds(text);
  expect(all.read).toBe(files.length);
});

it('says what the parser says of each kind of value, in each place', () => {
  const all = agreement();
  for (const text of values) for (const put of places) all.holds(put(text));
  expect(all.read).toBeGreaterThan(all.texts / 3);
});

it('says what the parser says of any text that it reads', { timeout: patience }, () => {
  const all = agreement();
  fc.assert(
    fc.property(documentText, fc.boolean(), (text, carriage) =>
      all.holds(carriage ? text.replaceAll('\n', '\r\n') : text),
    ),
    runs(1500),
  );
  expect(all.read).toBeGreaterThan(all.texts / 8);
});

it('says what the parser says of a workflow file that was damaged', { timeout: patience }, () => {
  const all = agreement();
  const change = fc.tuple(fc.nat(), fc.nat(3), sign);
  fc.assert(
    fc.property(fc.constantFrom(...pieces), fc.array(change, { minLength: 1, maxLength: 4 }), (piece, changes) => {
      let text = piece;
      for (const [place, cut, put] of changes) {
        const at = place % (text.length + 1);
        text = text.slice(0, at) + put + text.slice(at + cut);
      }
      all.holds(text);
    }),
    runs(1500),
  );
  expect(all.read).toBeGreaterThan(all.texts / 8);
});

/** Two steps of a file: enough for anything to go wrong in, and read at once. */
const pieces = files.flatMap((text) => {
  const [, ...steps] = text.split(/\n(?= {2}- id: )/u);
  return steps.map((step) => `steps:\n${step}\n`);
});

const sign = fc.constantFrom(
  '',
  ' ',
  '  ',
  '\n',
  '\n\n',
  '\n ',
  '\n  ',
  '\n    ',
  '- ',
  '-',
  ':',
  ': ',
  '? ',
  '#',
  ' #',
  '"',
  "'",
  '[',
  ']',
  '{',
  '}',
  ', ',
  ',',
  '|',
  '|-',
  '>',
  '>-',
  '|+',
  '|1',
  '&a ',
  '*a',
  '!',
  '%',
  '@',
  '`',
  '~',
  '\\',
  '\\n',
  '\\u0041',
  '0',
  '1.0',
  '1e3',
  '0x1F',
  '.5',
  '-1',
  '+2',
  '-0',
  '.inf',
  'null',
  'true',
  'No',
  'a',
  'é',
  '😀',
  '\u00A0',
  '\u2028',
  '\u0085',
  '\r\n',
  '\t',
  '---',
  '...',
  '$',
  '<<: ',
  '=',
);
const word = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom('a', 'read', 'it’s', "don't", 'a-b', 'x.y') },
  {
    weight: 12,
    arbitrary: fc.constantFrom(
      '1.2.0',
      '12',
      '-3',
      '4.50',
      '007',
      '1e3',
      '.5',
      '5.',
      '+1',
      '0x1F',
      '0o17',
      '0b1',
      '1_000',
      'true',
      'False',
      'NULL',
      'no',
      '~',
      '~x',
      '.inf',
      '-.5',
      'a#b',
      'a:b',
      'http://x/y?z=1&w',
      '(x)',
      '<y>',
      '=',
      '==',
      '$',
      '${{',
      '}}',
      '*b*',
      '12345678901234567',
      'a,b',
      '[x]',
      '1:30',
      '2026-11-18',
      '😀',
    ),
  },
  { weight: 1, arbitrary: sign },
);
const phrase = fc.array(word, { minLength: 1, maxLength: 2 }).map((words) => words.join(' '));
const space = fc.constantFrom('', '', '', '', '', '', '', '', ' ', '  ', ' # why', '\n', '\n# why', '\n  # why');

/** Texts that are nearly always YAML, in many ways of writing it. */
const written = fc.letrec<{ value: readonly string[]; flow: string; entry: readonly string[] }>((tie) => {
  const scalar = fc.oneof(
    { weight: 4, arbitrary: phrase },
    { weight: 1, arbitrary: phrase.map((text) => JSON.stringify(text)) },
    { weight: 1, arbitrary: phrase.map((text) => `'${text.replaceAll("'", "''")}'`) },
  );
  const key = fc.constantFrom(
    'a',
    'b',
    'id',
    'if',
    'prompt',
    '$schema',
    'x-y',
    'true',
    'title',
    'steps',
    'goal',
    'with',
    'null',
    '"q r"',
  );
  const lines = fc.array(fc.oneof(phrase, fc.constantFrom('', '', ' ', '   ', '  in', '- x', 'k: v', '# no comment')), {
    minLength: 1,
    maxLength: 4,
  });
  const indented = (texts: readonly string[], by: number): readonly string[] =>
    texts.map((line) => (line === '' ? line : ' '.repeat(by) + line));
  return {
    flow: fc.oneof(
      { depthSize: 'small' },
      scalar,
      fc
        .tuple(
          fc.array(tie('flow'), { maxLength: 3 }),
          fc.constantFrom(', ', ',', ' , ', ',\n      '),
          fc.constantFrom('', ',', ' '),
        )
        .map(([parts, comma, last]) => `[${parts.join(comma)}${last}]`),
      fc
        .tuple(
          fc.uniqueArray(fc.tuple(key, tie('flow')), { maxLength: 3, selector: ([name]) => name }),
          fc.constantFrom(', ', ',\n        '),
          fc.constantFrom(': ', ':'),
        )
        .map(([parts, comma, colon]) => `{ ${parts.map(([name, value]) => name + colon + value).join(comma)} }`),
    ),
    /** The rest of the line, and the lines below it. */
    value: fc.oneof(
      { depthSize: 'medium' },
      tie('flow').chain((text) => space.map((end) => [` ${text}${end}`])),
      fc
        .tuple(fc.constantFrom(' |', ' >', ' |-', ' >-', ' |+', ' | # why', ' |2'), lines, fc.constantFrom(1, 2, 4))
        .map(([header, texts, by]) => [header, ...indented(texts, by)]),
      fc
        .tuple(phrase, fc.array(phrase, { minLength: 1, maxLength: 2 }))
        .map(([first, more]) => [` ${first}`, ...indented(more, 3)]),
      fc
        .tuple(
          space,
          fc.uniqueArray(fc.tuple(key, tie('value')), { minLength: 1, maxLength: 3, selector: ([name]) => name }),
          fc.constantFrom(1, 2, 3),
        )
        .map(([end, entries, by]) => [
          end,
          ...indented(
            entries.flatMap(([name, [head = '', ...rest]]) => [`${name}:${head}`, ...rest]),
            by,
          ),
        ]),
      fc
        .tuple(space, fc.array(tie('value'), { minLength: 1, maxLength: 3 }), fc.constantFrom(0, 2))
        .map(([end, items, by]) => [
          end,
          ...indented(
            items.flatMap(([head = '', ...rest]) => [`-${head}`, ...indented(rest, 2)]),
            by,
          ),
        ]),
      fc
        .tuple(fc.array(fc.tuple(key, tie('value')), { minLength: 1, maxLength: 2 }), fc.constantFrom('', '\n'))
        .map(([entries, gap]) => [
          '',
          ...entries.flatMap(([name, [head = '', ...rest]], at) => [
            `${at === 0 ? '- ' : '  '}${name}:${head}`,
            ...indented(rest, 2),
            gap,
          ]),
        ]),
    ),
    entry: fc.tuple(key, tie('value')).map(([name, [head = '', ...rest]]) => [`${name}:${head}`, ...rest]),
  };
});
const documentText = fc
  .tuple(
    fc.constantFrom('', '', '# why\n\n'),
    fc.array(written.entry, { minLength: 1, maxLength: 3 }),
    fc.constantFrom('\n', '\n', '', '\n\n'),
  )
  .map(([before, entries, end]) => before + entries.flat().join('\n') + end);
