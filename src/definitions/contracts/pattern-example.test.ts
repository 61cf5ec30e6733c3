import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linearPattern } from '../expression/linear-pattern.js';
import { patternExample } from './pattern-example.js';

describe('patternExample', () => {
  it.each([
    ['^[A-Z]+-\\d+$', 'A-0'],
    ['(?i)next', 'next'],
    ['^v?\\d+(?:\\.\\d+){2}$', '0.0.0'],
    ['\\bRisk: (low|high)\\b', 'Risk: low'],
    ['^(?P<year>\\d{4})-(?<month>\\d\\d)$', '0000-00'],
    ['\\Qa.b\\E\\x41\\u{42}', 'a.bAB'],
    ['^[^a-zA-Z0-9 -]$', '_'],
    ['^\\p{Greek}$', 'Ω'],
    ['^[[:upper:]]\\w*$', 'A'],
    ['^[^]x$', 'ax'],
    ['^a{2,}?b??$', 'aa'],
    ['^foo\\b.bar$', 'foo bar'],
    ['(?s)^.{3}$', 'aaa'],
    ['', ''],
  ])('of %s is %s', (source, text) => {
    expect(patternExample(source)).toBe(text);
  });

  it.each(['a^b', '$a', '(?=a)', '(', '^[^\\x00-\\x{10FFFF}]$'])('is none of %s', (source) => {
    expect(patternExample(source)).toBeUndefined();
  });

  const atom = fc.oneof(
    fc.stringMatching(/^[a-z0-9 :_-]$/u),
    fc.constantFrom(
      '\\d',
      '\\w',
      '\\s',
      '\\S',
      '\\W',
      '\\D',
      '.',
      '[a-f]',
      '[^a-z]',
      '[A-Z_]',
      '\\.',
      '\\n',
      '\\pL',
      '\\x2f',
      '[[:punct:]]',
      '😀',
    ),
  );
  const pattern = fc.letrec<{ all: string }>((tie) => ({
    all: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      atom,
      fc.tuple(tie('all'), tie('all')).map((parts) => parts.join('')),
      fc.tuple(tie('all'), tie('all')).map(([a, b]) => `(${a}|${b})`),
      fc
        .tuple(tie('all'), fc.constantFrom('*', '+', '?', '{2}', '{1,3}', '*?', '+?'))
        .map(([a, times]) => `(?:${a})${times}`),
    ),
  })).all;

  it('is there for every pattern that asks for one thing after the other, anchored or not', () => {
    fc.assert(
      fc.property(pattern, fc.constantFrom('', '^', '(?i)^'), fc.constantFrom('', '$'), (inner, from, to) => {
        const source = `${from}(?:${inner})${to}`;
        const known = linearPattern(source);
        fc.pre(known.ok);
        const text = patternExample(source);
        expect(text).toBeDefined();
        expect(known.ok && known.value.test(text!)).toBe(true);
      }),
    );
  });

  it('never throws, and gives nothing that does not match', () => {
    const nasty = fc
      .array(
        fc.constantFrom(
          '(',
          ')',
          '[',
          ']',
          '\\',
          '^',
          '$',
          '?',
          '*',
          '{',
          '}',
          '|',
          'a',
          '1',
          ',',
          ':',
          'Q',
          'x',
          'p',
          'P<',
          '\uD800',
        ),
        { maxLength: 14 },
      )
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(nasty, (source) => {
        const text = patternExample(source);
        const known = linearPattern(source);
        if (text !== undefined) expect(known.ok && known.value.test(text)).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });
});
