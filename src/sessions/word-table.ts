import { type TextPart, textParts } from './ranking-facts.js';

/** Each word has a number; a text is kept as the numbers of its words, with which of its parts each stands in. */
export interface WordTable {
  readonly words: readonly string[];
  /** In order, so that one is found by halving. */
  pack(wordsIn: (part: TextPart) => ReadonlySet<string>): Uint32Array;
  holds(packed: Uint32Array, wanted: ReadonlySet<string>, part: TextPart): boolean;
  /** What another table packed, in the numbers of this one. Words are taken in as they are met. */
  adopt(theirs: readonly string[]): (packed: Uint32Array) => Uint32Array;
}

const partBits = textParts.length;
const bitOf = (part: TextPart): number => 1 << textParts.indexOf(part);

export function openWordTable(): WordTable {
  const words: string[] = [];
  const numbers = new Map<string, number>();
  const numberOf = (word: string): number => {
    const known = numbers.get(word);
    if (known !== undefined) return known;
    words.push(word);
    numbers.set(word, words.length - 1);
    return words.length - 1;
  };
  return {
    words,
    pack(wordsIn) {
      const parts = new Map<number, number>();
      for (const part of textParts) {
        const bit = bitOf(part);
        for (const word of wordsIn(part)) {
          const number = numberOf(word);
          parts.set(number, (parts.get(number) ?? 0) | bit);
        }
      }
      return Uint32Array.from(parts, ([number, bits]) => ((number << partBits) | bits) >>> 0).sort();
    },
    holds(packed, wanted, part) {
      const bit = bitOf(part);
      for (const word of wanted) {
        const number = numbers.get(word);
        if (number === undefined || !holdsNumber(packed, number, bit)) return false;
      }
      return true;
    },
    adopt(theirs) {
      const ours: number[] = [];
      return (packed) => {
        let moved = false;
        const own = packed.map((entry) => {
          const number = (ours[entry >>> partBits] ??= numberOf(theirs[entry >>> partBits]!));
          moved ||= number !== entry >>> partBits;
          return ((number << partBits) | (entry & ((1 << partBits) - 1))) >>> 0;
        });
        return moved ? own.sort() : packed;
      };
    },
  };
}

function holdsNumber(packed: Uint32Array, number: number, bit: number): boolean {
  let [from, to] = [0, packed.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    const entry = packed[middle]!;
    const there = entry >>> partBits;
    if (there === number) return (entry & bit) !== 0;
    if (there < number) from = middle + 1;
    else to = middle;
  }
  return false;
}
