import { describe, expect, test } from 'vitest';
import { compileSource } from '../compile-source.js';

const source = (lines: readonly string[]): string =>
  ['workflow: t.large', 'title: Large', 'description: Each part is within its bounds.', ...lines, ''].join('\n');
const many = (count: number, line: (at: number) => string): readonly string[] =>
  Array.from({ length: count }, (_, at) => line(at));
const spec = (at: number): string => `{type: string, pattern: '(?:a?){300}${at}$', example: '${'a'.repeat(800)}${at}'}`;
const step = (at: number, ...lines: readonly string[]): string =>
  [`  - id: s${at}`, `    prompt: Do it.`, ...lines.map((line) => `    ${line}`)].join('\n');

describe('what is judged of one file ends, and says where', () => {
  test.each<[string, readonly string[], RegExp]>([
    ['inputs', ['inputs:', ...many(60, (at) => `  k${at}: ${spec(at)}`), 'steps:', step(0)], /^\/inputs\/k\d+$/u],
    [
      'keys of context',
      ['steps:', ...many(60, (at) => step(at, 'sets:', `  k${at}: ${spec(at)}`))],
      /^\/steps\/\d+\/sets\/k\d+$/u,
    ],
    [
      'rules with examples',
      [
        'steps:',
        ...many(60, (at) => step(at, `rules: [{matches: '(?:a?){300}${at}$', example: '${'a'.repeat(1500)}${at}'}]`)),
      ],
      /^\/steps\/\d+\/rules$/u,
    ],
    [
      'rules for which notes are looked for',
      ['steps:', ...many(60, (at) => step(at, `rules: [{matches: '^[ab]{900}c${at}$'}, {maxLength: 20000}]`))],
      /^\/steps\/\d+\/rules$/u,
    ],
    [
      'patterns that are too large',
      ['steps:', ...many(200, (at) => step(at, `rules: [{matches: '${'a{1000}'.repeat(280)}${at}'}]`))],
      /^\/steps\/\d+\/rules$/u,
    ],
  ])('of many %s', (_what, lines, place) => {
    const compiled = compileSource(source(['version: 1.0.0', ...lines]), 'large.yaml');
    if (compiled.ok) throw new Error('it was taken');
    const limits = compiled.violations.filter(({ rule }) => rule === 'limit');
    expect(limits).toHaveLength(1);
    expect(limits[0]!.pointer).toMatch(place);
    expect(limits[0]!.message).toContain('too much work');
    expect(limits[0]!.line).toBeGreaterThan(5);
  });

  test('as many of the usual kind as a file may have are judged to the end', () => {
    const usual = many(1999, (at) => `  k${at}: {type: string, pattern: '^[A-Z]{2,5}-${at}$'}`);
    const compiled = compileSource(source(['version: 1.0.0', 'inputs:', ...usual, 'steps:', step(0)]), 'usual.yaml');
    expect(compiled.ok).toBe(true);
  });
});
