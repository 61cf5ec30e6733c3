import type { AskedWords } from './asked-words.js';
import { type NumberedWords, numberWords } from './number-words.js';
import { type Hits, type SearchableText, type TextPart, textParts } from './searchable-text.js';
import type { Words } from './word-store.js';

/**
 * Which words were said, each once. Those of alike first letters stand together, so that a search for words and those
 * that begin so looks through one or two such groups; before all of them stands where each group begins, and the last ends.
 * A word is its number and, in the lowest bits, the parts that it stands in.
 */
export type PackedWords = Uint32Array;

/** Each word has a number. */
export interface WordTable {
  pack(said: Iterable<SearchableText>): PackedWords;
  /** To be read before the next is asked for. */
  hits(packed: PackedWords, asked: AskedWords): Hits;
  /** The same of many texts that stay as they are, one after another. */
  hitsIn(texts: readonly (PackedWords | undefined)[]): (asked: AskedWords) => Int32Array;
  words(): Words;
  /** What another table packed, in the numbers of this one. Words are taken in as they are met. */
  adopt(theirs: Words): (packed: PackedWords) => PackedWords;
}

const groups = 32;
const head = groups + 1;
const groupOf = (letter: number): number => letter % groups;
const partBits = textParts.length;
const allParts = (1 << partBits) - 1;
const bitOf = (part: TextPart): number => 1 << textParts.indexOf(part);

export function openWordTable(secret: Uint8Array): WordTable {
  const numbers = numberWords(secret);
  /** By number: the parts that the word stands in, while one text is packed; above them one more than its group, once that is known. */
  let marks = new Uint16Array(1 << 10);
  /** A search asks thousands of texts for the same words. */
  let search: Search | undefined;
  const searchFor = (asked: AskedWords): Search =>
    search?.asked === asked && search.known === numbers.count() ? search : (search = newSearch(asked, numbers));

  return {
    pack(said) {
      const met: number[] = [];
      for (const { text, parts } of said) {
        const bits = parts.reduce((all, part) => all | bitOf(part), 0);
        numbers.each(text, (number) => {
          if (number >= marks.length) marks = widened(marks, 2 * number);
          const before = marks[number]!;
          if ((before & allParts) === 0) met.push(number);
          marks[number] = before | bits;
        });
      }
      return inGroups(met, marks, numbers);
    },
    hits(packed, asked) {
      const sought = searchFor(asked);
      lookThrough(packed, sought);
      return sought.hits;
    },
    hitsIn(texts) {
      const gathered = new Map<number, GroupGathered>();
      return (asked) => {
        const sought = searchFor(asked);
        const hits = new Int32Array(texts.length * partBits);
        for (const group of sought.groups) {
          const known = gathered.get(group) ?? gatherGroup(texts, group);
          gathered.set(group, known);
          lookThroughGroup(known, sought, hits);
        }
        return hits;
      };
    },
    words: () => numbers.words(),
    adopt(theirs) {
      const ours = new Int32Array(theirs.ends.length).fill(-1);
      return (packed) => {
        const own = packed.slice();
        for (let at = head; at < own.length; at += 1) {
          const word = own[at]!;
          const number = word >>> partBits;
          if (ours[number]! < 0) ours[number] = numbers.take(theirs, number);
          own[at] = (ours[number]! << partBits) | (word & allParts);
        }
        return own;
      };
    },
  };
}

/** Takes the parts away that were marked, and leaves the groups for the next text. */
function inGroups(met: readonly number[], marks: Uint16Array, words: NumberedWords): PackedWords {
  const packed = new Uint32Array(head + met.length);
  for (const number of met) {
    if (marks[number]! <= allParts) marks[number]! |= (1 + groupOf(words.firstLetter(number))) << partBits;
    packed[marks[number]! >>> partBits]! += 1;
  }
  packed[0] = head;
  for (let group = 1; group < head; group += 1) packed[group]! += packed[group - 1]!;
  const next = packed.slice(0, groups);
  for (const number of met) {
    const mark = marks[number]!;
    const group = (mark >>> partBits) - 1;
    packed[next[group]!] = (number << partBits) | (mark & allParts);
    next[group]! += 1;
    marks[number] = mark & ~allParts;
  }
  return packed;
}

interface Search {
  readonly asked: AskedWords;
  /** How many words there were then. */
  readonly known: number;
  /** Those in which the words are that are asked for. */
  readonly groups: readonly number[];
  /** By number: which of `meanings` the word has; most have the first, which is none. */
  readonly meaningOf: Uint8Array;
  /** What a word says that it is, by the bits of those asked for. */
  readonly meanings: readonly number[];
  readonly hits: Int32Array;
}

function newSearch(asked: AskedWords, numbers: NumberedWords): Search {
  const bits = new Map<number, number>();
  const add = (number: number, bit: number): void => void bits.set(number, (bits.get(number) ?? 0) | bit);
  for (const [at, word] of asked.words.entries()) {
    const isLast = asked.last === 1 << at;
    if (isLast) for (const number of numbers.beginningWith(word)) add(number, asked.last);
    for (const form of asked.forms[at]!) {
      const number = numbers.find(form);
      if (number !== undefined) add(number, isLast ? asked.last | asked.lastIsWhole : 1 << at);
    }
  }
  const meanings = [0, ...new Set(bits.values())];
  const meaningOf = new Uint8Array(numbers.count());
  for (const [number, meaning] of bits) meaningOf[number] = meanings.indexOf(meaning);
  return {
    asked,
    known: numbers.count(),
    groups: [...new Set(asked.words.map((word) => groupOf(word.charCodeAt(0))))],
    meaningOf,
    meanings,
    hits: new Int32Array(partBits),
  };
}

function lookThrough(packed: PackedWords, { groups: asked, meaningOf, meanings, hits }: Search): void {
  hits.fill(0);
  for (const group of asked) {
    const end = packed[group + 1]!;
    for (let at = packed[group]!; at < end; at += 1) {
      const word = packed[at]!;
      const meaning = meaningOf[word >>> partBits]!;
      if (meaning === 0) continue;
      for (let part = 0; part < partBits; part += 1) if ((word & (1 << part)) !== 0) hits[part]! |= meanings[meaning]!;
    }
  }
}

/** One group of many texts, side by side: ten thousand that lie apart in memory take longer to reach than to look through. */
interface GroupGathered {
  readonly words: Uint32Array;
  /** Where that of each text ends. */
  readonly ends: Uint32Array;
}

function gatherGroup(texts: readonly (PackedWords | undefined)[], group: number): GroupGathered {
  const ends = new Uint32Array(texts.length);
  let length = 0;
  for (const [text, packed] of texts.entries()) {
    if (packed !== undefined) length += packed[group + 1]! - packed[group]!;
    ends[text] = length;
  }
  const words = new Uint32Array(length);
  let to = 0;
  for (const packed of texts) {
    if (packed === undefined) continue;
    const end = packed[group + 1]!;
    for (let at = packed[group]!; at < end; at += 1) words[to++] = packed[at]!;
  }
  return { words, ends };
}

function lookThroughGroup({ words, ends }: GroupGathered, { meaningOf, meanings }: Search, hits: Int32Array): void {
  let at = 0;
  for (let text = 0; text < ends.length; text += 1) {
    for (const end = ends[text]!; at < end; at += 1) {
      const word = words[at]!;
      const meaning = meaningOf[word >>> partBits]!;
      if (meaning === 0) continue;
      for (let part = 0; part < partBits; part += 1)
        if ((word & (1 << part)) !== 0) hits[text * partBits + part]! |= meanings[meaning]!;
    }
  }
}

function widened(marks: Uint16Array, length: number): Uint16Array<ArrayBuffer> {
  const wider = new Uint16Array(length);
  wider.set(marks);
  return wider;
}
