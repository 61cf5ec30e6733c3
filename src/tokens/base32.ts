/** Crockford's alphabet: no I, L, O or U, so that nothing looks like anything else. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
/** Both cases, and no other character that some language folds into a letter. */
const values: ReadonlyMap<string, number> = new Map(
  Array.from(alphabet).flatMap(
    (letter, value) =>
      [
        [letter, value],
        [letter.toLowerCase(), value],
      ] as const,
  ),
);
/** By the character that a digit of base 32 is in JavaScript. */
const letterOf: readonly string[] = Array.from({ length: 128 }, (_, code) =>
  String(alphabet[Number.parseInt(String.fromCharCode(code), 32)]),
);
/** Ten letters make a number that is exact. */
const atOnce = 10;

/** Packs fields of the given widths, highest first. The widths together must be a multiple of five, so that no bit is left unchecked. */
export function packBase32(fields: readonly bigint[], widths: readonly number[]): string {
  const packed = fields.reduce((before, value, at) => (before << BigInt(widths[at]!)) | value, 0n);
  const letters = widths.reduce((sum, width) => sum + width, 0) / 5;
  const digits = packed.toString(32).padStart(letters, '0');
  let text = '';
  for (let at = 0; at < digits.length; at += 1) text += letterOf[digits.charCodeAt(at)];
  return text;
}

/** Unpacks fields of the given widths, or undefined where a letter is none of the alphabet. Case is folded, nothing else. */
export function unpackBase32(text: string, widths: readonly number[]): readonly bigint[] | undefined {
  let packed = 0n;
  let some = 0;
  let letters = 0;
  for (const letter of text) {
    const value = values.get(letter);
    if (value === undefined) return undefined;
    some = some * 32 + value;
    letters += 1;
    if (letters < atOnce) continue;
    packed = (packed << BigInt(5 * letters)) | BigInt(some);
    [some, letters] = [0, 0];
  }
  packed = (packed << BigInt(5 * letters)) | BigInt(some);
  const fields: bigint[] = [];
  for (const width of widths.toReversed()) {
    fields.unshift(BigInt.asUintN(width, packed));
    packed >>= BigInt(width);
  }
  return fields;
}

export const isBase32Letter = (letter: string): boolean => values.has(letter);
