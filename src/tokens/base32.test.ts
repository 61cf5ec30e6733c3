import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isBase32Letter, packBase32, unpackBase32 } from './base32.js';

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const fields = fc
  .array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 4 })
  .map((widths) => [...widths, 5 - (widths.reduce((sum, width) => sum + width, 0) % 5)])
  .chain((widths) =>
    fc.tuple(
      ...widths.map((width) =>
        fc.bigInt({ min: 0n, max: (1n << BigInt(width)) - 1n }).map((value) => [value, width] as const),
      ),
    ),
  );

test('a letter is five bits, highest first, and the fields come back', () => {
  fc.assert(
    fc.property(fields, (packed) => {
      const values = packed.map(([value]) => value);
      const widths = packed.map(([, width]) => width);
      const text = packBase32(values, widths);
      const bits = packed.map(([value, width]) => value.toString(2).padStart(width, '0')).join('');
      expect(text).toBe((bits.match(/.{5}/gu) ?? []).map((five) => alphabet[Number.parseInt(five, 2)]).join(''));
      expect(unpackBase32(text.toLowerCase(), widths)).toEqual(values);
    }),
  );
});

test('what is no letter of the alphabet is refused', () => {
  for (const letter of ['I', 'l', 'O', 'u', '-', ' ', 'ß', 'ſ', 'ı', '٣', '😀'])
    expect(unpackBase32(`0000${letter}000`, [40])).toBeUndefined();
  expect(['0', 's', 'S', 'ſ', 'ß', 'i'].map(isBase32Letter)).toEqual([true, true, true, false, false, false]);
});
