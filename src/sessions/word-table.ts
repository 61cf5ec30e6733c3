import { numberWords } from './number-words.js';
import { type SearchableText, type TextPart, textParts } from './searchable-text.js';
import type { Words } from './word-store.js';

/** The numbers of the words of what was said, each once, and for each the parts that it stands in. */
export interface PackedWords {
  readonly numbers: Uint32Array;
  readonly parts: Uint8Array;
}

/** Each word has a number. */
export interface WordTable {
  pack(said: Iterable<SearchableText>): PackedWords;
  holds(packed: PackedWords, wanted: ReadonlySet<string>, part: TextPart): boolean;
  words(): Words;
  /** What another table packed, in the numbers of this one. Words are taken in as they are met. */
  adopt(theirs: Words): (packed: PackedWords) => PackedWords;
}

const allParts = (1 << textParts.length) - 1;
const bitOf = (part: TextPart): number => 1 << textParts.indexOf(part);

export function openWordTable(secret: Uint8Array): WordTable {
  const numbers = numberWords(secret);
  /** By number, while one text is packed: the parts that the word stands in. */
  let marks = new Uint8Array(1 << 10);
  let asked: Asked = { wanted: new Set(), known: 0, numbers: [] };
  let answered: Answered = { packed: undefined, of: asked, bits: 0 };

  /** A search asks thousands of texts for the same words, and each of them part by part. */
  const bitsIn = (packed: PackedWords, wanted: ReadonlySet<string>): number => {
    if (asked.wanted !== wanted || asked.known !== numbers.count())
      asked = { wanted, known: numbers.count(), numbers: Array.from(wanted, (word) => numbers.find(word)) };
    if (answered.packed !== packed || answered.of !== asked)
      answered = { packed, of: asked, bits: bitsOfAll(packed, asked.numbers) };
    return answered.bits;
  };

  return {
    pack(said) {
      const met: number[] = [];
      for (const { text, parts } of said) {
        const bits = parts.reduce((all, part) => all | bitOf(part), 0);
        numbers.each(text, (number) => {
          if (number >= marks.length) marks = widened(marks, 2 * number);
          const before = marks[number]!;
          if (before === 0) met.push(number);
          marks[number] = before | bits;
        });
      }
      const packed = { numbers: Uint32Array.from(met), parts: new Uint8Array(met.length) };
      for (let at = 0; at < met.length; at += 1) {
        packed.parts[at] = marks[met[at]!]!;
        marks[met[at]!] = 0;
      }
      return packed;
    },
    holds: (packed, wanted, part) => (bitsIn(packed, wanted) & bitOf(part)) !== 0,
    words: () => numbers.words(),
    adopt(theirs) {
      const ours = new Int32Array(theirs.ends.length).fill(-1);
      return (packed) => {
        let moved = false;
        const own = packed.numbers.map((number) => {
          const taken = ours[number]! < 0 ? numbers.take(theirs, number) : ours[number]!;
          ours[number] = taken;
          moved ||= taken !== number;
          return taken;
        });
        return moved ? { numbers: own, parts: packed.parts } : packed;
      };
    },
  };
}

interface Asked {
  readonly wanted: ReadonlySet<string>;
  /** How many words there were then. */
  readonly known: number;
  readonly numbers: readonly (number | undefined)[];
}

interface Answered {
  readonly packed: PackedWords | undefined;
  readonly of: Asked;
  readonly bits: number;
}

function widened(marks: Uint8Array, length: number): Uint8Array<ArrayBuffer> {
  const wider = new Uint8Array(length);
  wider.set(marks);
  return wider;
}

/** The parts in which every one of these stands. */
function bitsOfAll(packed: PackedWords, numbers: readonly (number | undefined)[]): number {
  let bits = allParts;
  for (const number of numbers) {
    bits &= number === undefined ? 0 : bitsOf(packed, number);
    if (bits === 0) return 0;
  }
  return bits;
}

function bitsOf({ numbers, parts }: PackedWords, number: number): number {
  const at = numbers.indexOf(number);
  return at < 0 ? 0 : parts[at]!;
}
