import fc from 'fast-check';
import { expect, it, test } from 'vitest';
import { linearPattern } from '../expression/linear-pattern.js';
import { schemaPattern } from './schema-pattern.js';

function matches(source: string, text: string): boolean {
  const pattern = linearPattern(schemaPattern(source));
  if (!pattern.ok) throw new Error(pattern.error);
  return pattern.value.test(text);
}

it.each([
  '^\\s$',
  '^\\S$',
  '^[\\s]$',
  '^[^\\s]$',
  '^[\\S]$',
  '^[^\\S]$',
  '^[a\\sb]$',
  '^\\\\s$',
  '^[\\]\\s]$',
  '^\\p{Letter}$',
  '^\\P{L}$',
  '^\\p{Decimal_Number}$',
  '^\\p{Script=Greek}$',
  '^[\\p{Lowercase_Letter}_]$',
  '^\\p{General_Category=Punctuation}$',
])('%s matches what ECMAScript matches by it', (source) => {
  const known = new RegExp(source, 'u');
  const letter = fc.oneof(
    fc.constantFrom(
      ...Array.from('\t\n\v\f\r \u00a0\u1680\u180e\u2003\u200b\u2028\u2029\u202f\u205f\u3000\ufeffaBß1٣ωΩ_-].\\s'),
    ),
    fc.string({ minLength: 1, maxLength: 1, unit: 'binary' }),
  );
  fc.assert(
    fc.property(letter, (text) => {
      // What neither counts as a character.
      fc.pre(!/[\ud800-\udfff]/.test(text) || /^[\ud800-\udbff][\udc00-\udfff]$/.test(text));
      expect(matches(source, text)).toBe(known.test(text));
    }),
    { numRuns: 400 },
  );
});

test('what it has no word for is refused, as before', () => {
  expect(linearPattern(schemaPattern('\\p{Nothing}')).ok).toBe(false);
  expect(linearPattern(schemaPattern('(?=a)')).ok).toBe(false);
});
