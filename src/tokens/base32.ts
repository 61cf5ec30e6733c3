/** Crockford's alphabet: no I, L, O or U, so that nothing looks like anything else. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const values = new Map(Array.from(alphabet).map((letter, value) => [letter, BigInt(value)]));

/** A field of a token: a number and how many bits it takes. */
export type Bits = readonly [value: bigint, width: number];

/** Packs fields, highest first. The widths together must be a multiple of five, so that no bit is left unchecked. */
export function packBase32(fields: readonly Bits[]): string {
  let packed = 0n;
  let width = 0;
  for (const [value, bits] of fields) {
    packed = (packed << BigInt(bits)) | value;
    width += bits;
  }
  let text = '';
  for (let i = 0; i < width / 5; i += 1) {
    text = (alphabet[Number(packed & 31n)] ?? '') + text;
    packed >>= 5n;
  }
  return text;
}

/** Unpacks fields of the given widths, or undefined where a letter is none of the alphabet. Case is folded, nothing else. */
export function unpackBase32(text: string, widths: readonly number[]): readonly bigint[] | undefined {
  let packed = 0n;
  for (const letter of text.toUpperCase()) {
    const value = values.get(letter);
    if (value === undefined) return undefined;
    packed = (packed << 5n) | value;
  }
  const fields: bigint[] = [];
  for (const width of widths.toReversed()) {
    fields.unshift(packed & ((1n << BigInt(width)) - 1n));
    packed >>= BigInt(width);
  }
  return fields;
}

export const isBase32Letter = (letter: string): boolean => values.has(letter.toUpperCase());
