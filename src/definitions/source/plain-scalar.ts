import type { JsonValue } from '../../base/json-value.js';

/** A key that needs no quotes wherever it stands, and its colon. */
export const keyPattern = /([A-Za-z_$][\w$./-]{0,99}):/uy;

/** How a text may begin that is written without quotes. */
export const plainPattern = /[^\s\-?:,[\]{}#&*!|>'"%@`]|-(?=[\w.])/uy;

const number = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/u;
const otherNumber = /^(?:0[xo].*|[-+]?\.(?:inf|nan)|~)$/iu;
const words: ReadonlyMap<string, JsonValue> = new Map(
  [
    ['true', 'True', 'TRUE'],
    ['false', 'False', 'FALSE'],
    ['null', 'Null', 'NULL'],
  ].flatMap((ways, at) => ways.map((way) => [way, [true, false, null][at]!] as const)),
);

/** What a text without quotes stands for. Undefined where a number is written in a rarer way, or is too large to be sure of. */
export function plainScalar(text: string): JsonValue | undefined {
  const word = words.get(text);
  if (word !== undefined) return word;
  if (number.test(text)) return text.length > 15 ? undefined : Number(text);
  return otherNumber.test(text) ? undefined : text;
}
