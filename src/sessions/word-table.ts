import { numberWords } from './number-words.js';
import { type Said, type TextPart, textParts } from './said.js';
import type { Words } from './word-store.js';

/** Each word has a number; what was said is kept as the numbers of its words, with which parts each stands in. */
export interface WordTable {
  /** In order, so that one is found by halving. */
  pack(said: Iterable<Said>): Uint32Array;
  holds(packed: Uint32Array, wanted: ReadonlySet<string>, part: TextPart): boolean;
  words(): Words;
  /** What another table packed, in the numbers of this one. Words are taken in as they are met. */
  adopt(theirs: Words): (packed: Uint32Array) => Uint32Array;
}

const partBits = textParts.length;
const allParts = (1 << partBits) - 1;
const bitOf = (part: TextPart): number => 1 << textParts.indexOf(part);

export function openWordTable(secret: Uint8Array): WordTable {
  const numbers = numberWords(secret);
  /** By number, while one text is packed: the parts that the word stands in. */
  let marks = new Uint8Array(1 << 10);
  let asked: Asked = { wanted: new Set(), known: 0, numbers: [] };
  let answered: Answered = { packed: new Uint32Array(), of: asked, bits: 0 };

  /** A search asks thousands of texts for the same words, and each of them part by part. */
  const bitsIn = (packed: Uint32Array, wanted: ReadonlySet<string>): number => {
    if (asked.wanted !== wanted || asked.known !== numbers.count()) asked = { wanted, known: numbers.count(), numbers: Array.from(wanted, (word) => numbers.find(word)) };
    if (answered.packed !== packed || answered.of !== asked) answered = { packed, of: asked, bits: bitsOfAll(packed, asked.numbers) };
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
      const packed = new Uint32Array(met.length);
      for (let at = 0; at < met.length; at += 1) {
        const number = met[at]!;
        packed[at] = (number << partBits) | marks[number]!;
        marks[number] = 0;
      }
      return packed.sort();
    },
    holds: (packed, wanted, part) => (bitsIn(packed, wanted) & bitOf(part)) !== 0,
    words: () => numbers.words(),
    adopt(theirs) {
      const ours = new Int32Array(theirs.ends.length).fill(-1);
      return (packed) => {
        let moved = false;
        const own = packed.map((entry) => {
          const number = entry >>> partBits;
          const taken = ours[number]! < 0 ? numbers.take(theirs, number) : ours[number]!;
          ours[number] = taken;
          moved ||= taken !== number;
          return ((taken << partBits) | (entry & allParts)) >>> 0;
        });
        return moved ? own.sort() : packed;
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
  readonly packed: Uint32Array;
  readonly of: Asked;
  readonly bits: number;
}

function widened(marks: Uint8Array, length: number): Uint8Array<ArrayBuffer> {
  const wider = new Uint8Array(length);
  wider.set(marks);
  return wider;
}

/** The parts in which every one of these stands. */
function bitsOfAll(packed: Uint32Array, numbers: readonly (number | undefined)[]): number {
  let bits = allParts;
  for (const number of numbers) {
    bits &= number === undefined ? 0 : bitsOf(packed, number);
    if (bits === 0) return 0;
  }
  return bits;
}

function bitsOf(packed: Uint32Array, number: number): number {
  let [from, to] = [0, packed.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    const entry = packed[middle]!;
    const there = entry >>> partBits;
    if (there === number) return entry & allParts;
    if (there < number) from = middle + 1;
    else to = middle;
  }
  return 0;
}
