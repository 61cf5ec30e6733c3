import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { parseDocument } from './parse-document.js';

const problem = (text: string, file: string) => {
  const parsed = parseDocument(text, file);
  return parsed.ok ? undefined : parsed.error[0];
};

describe('the text of a document', () => {
  it('is JSON or YAML, with or without a mark at its start', () => {
    for (const [text, file] of [
      ['{"openapi": "3.0.0", "x": {"y": [1]}}', 'a.json'],
      ['\uFEFF{"openapi": "3.0.0", "x": {"y": [1]}}', 'pasted'],
      ['openapi: "3.0.0"\nx: &x\n  y: [1]\n', 'a.yaml'],
      ['{openapi: "3.0.0", x: {y: [1]}}', 'a.yml'],
    ] as const)
      expect(parseDocument(text, file)).toMatchObject({
        ok: true,
        value: { value: { openapi: '3.0.0', x: { y: [1] } } },
      });
  });

  it('has texts for keys, and merges what is to be merged', () => {
    const text = 'base: &base {a: 1, b: 2}\nresponses:\n  200:\n    <<: *base\n    b: 3\n';
    expect(parseDocument(text, 'a.yaml')).toMatchObject({
      value: { value: { responses: { '200': { a: 1, b: 3 } } }, doubts: [] },
    });
  });

  it.each([
    ['{"a": 1', 'a.json', 'json', 1],
    ['{"a": 1\n"b": 2}', 'pasted', 'json', 2],
    ['<html>\n<body>', 'a.json', 'json', 1],
    ['a: 1\n b: 2\n', 'a.yaml', 'yaml', 1],
    ['a: [1, 2\nb: 3\n', 'a.yaml', 'yaml', 2],
  ])('%j is refused where it goes wrong', (text, file, rule, line) => {
    expect(problem(text, file)).toMatchObject({ rule, line, column: expect.any(Number) });
  });

  it.each([
    [`${'['.repeat(100_000)}`, 'a.json', 'depth'],
    [`${'['.repeat(100_000)}${']'.repeat(100_000)}`, 'a.json', 'depth'],
    [`${'['.repeat(100_000)}${']'.repeat(100_000)}`, 'a.yaml', 'depth'],
    [`a: ${'['.repeat(10_000)}${']'.repeat(10_000)}`, 'a.yaml', 'depth'],
    ['a: &a [*a]', 'a.yaml', 'depth'],
    ['a: .inf', 'a.yaml', 'type'],
    ['{"a": 1e999}', 'a.json', 'number'],
  ])('%.20s… as %s ends', (text, file, rule) => {
    expect(problem(text, file)?.rule).toBe(rule);
  });

  it('may have long texts and long lists', () => {
    for (const letters of ['x'.repeat(12_000_000), '\\n'.repeat(6_000_000)])
      for (const more of ['', '"a": 1, "a": 2, '])
        expect(parseDocument(`{${more}"d": "${letters}"}`, 'a.json').ok).toBe(true);
    expect(parseDocument(`{"d": [${'0,'.repeat(500_000)}0]}`, 'a.json')).toMatchObject({
      ok: true,
      value: { doubts: [] },
    });
  });

  it('in which aliases multiply is refused', () => {
    const lines = Array.from(
      { length: 12 },
      (_, at) => `a${at + 1}: &a${at + 1} [${Array(10).fill(`*a${at}`).join()}]`,
    );
    expect(problem(`a0: &a0 [x]\n${lines.join('\n')}`, 'a.yaml')).toMatchObject({ rule: 'yaml_aliases' });
  });

  it('tells keys that stand in it twice', () => {
    const doubts = (text: string, file: string) => {
      const parsed = parseDocument(text, file);
      return parsed.ok
        ? parsed.value.doubts.map(({ rule, line, column, severity }) => [rule, line, column, severity])
        : undefined;
    };
    const twice = ['duplicate_key', 3, 3, 'warning'];
    expect(doubts('{\n  "/a": {"x": 1},\n  "/a": {"y": ["x:", {"x": 1}]}\n}', 'a.json')).toEqual([twice]);
    expect(doubts('paths:\n  /a: {x: 1}\n  /a: {y: 1}\n', 'a.yaml')).toEqual([twice]);
  });

  it('is refused where it is nested too deep, in each form and whatever else is wrong', () => {
    const deep = (open: string, close: string): string => `${open.repeat(100_000)}1${close.repeat(100_000)}`;
    for (const [text, file] of [
      [deep('[', ']'), 'a.json'],
      [`{"openapi":"3.0.3","x":${deep('{"a":', '}')}}`, 'a.json'],
      [`{"x":1,"x":${deep('[', ']')}}`, 'a.json'],
      [`a: ${deep('[', ']')}`, 'a.yaml'],
    ] as const) {
      const parsed = parseDocument(text, file);
      expect(parsed.ok ? [] : parsed.error.map(({ rule }) => rule)).toEqual(['depth']);
    }
  });

  it('is the same value in both, and each value is found again', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.stringMatching(/^[a-z/{}]{1,6}$/u), fc.jsonValue({ maxDepth: 2 }), { noNullPrototype: true }),
        (value) => {
          const plain = JSON.parse(JSON.stringify(value)) as object;
          // In YAML this key takes in another object.
          fc.pre(!JSON.stringify(plain).includes('"<<":'));
          const [json, yaml] = [
            parseDocument(JSON.stringify(plain, null, 2), 'a.json'),
            parseDocument(stringify(plain), 'a.yaml'),
          ];
          if (!json.ok || !yaml.ok) throw new Error(JSON.stringify([json, yaml]));
          expect(json.value.value).toEqual(plain);
          expect(yaml.value.value).toEqual(plain);
          for (const key of Object.keys(plain))
            expect([json.value.place!([key]).pointer, yaml.value.place!([key]).line]).toEqual([
              expect.any(String),
              expect.any(Number),
            ]);
        },
      ),
    );
  });

  it('that is any text is read or refused', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.constantFrom('a.json', 'a.yaml', 'x'), (text, file) => {
        const parsed = parseDocument(text, file);
        if (!parsed.ok) expect(parsed.error.length).toBeGreaterThan(0);
      }),
      { numRuns: 300 },
    );
  });
});
