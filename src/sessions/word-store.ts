/** Words by their numbers: the letters of all, one after another, and where each word ends. */
export interface Words {
  readonly letters: Uint16Array;
  readonly ends: Uint32Array;
}

/**
 * A word as it is looked for: no string is made of it. Its key is in two halves. Where the second is not negative no other
 * word has that key; else it is a hash, and the letters tell.
 */
export interface Sought {
  letters: Uint16Array;
  length: number;
  low: number;
  high: number;
}

export interface WordStore {
  count(): number;
  /** Undefined for a word that is not in it. */
  find(word: Sought): number | undefined;
  /** The same, of a key that no other word has. */
  findKey(low: number, high: number): number | undefined;
  firstLetter(number: number): number;
  /** Those that begin as this one does, itself among them. */
  beginningWith(word: Sought): readonly number[];
  /** A word that is not in it is put in. */
  take(word: Sought): number;
  words(): Words;
}

const empty = -1;

/** Each word once, by the order in which they came. Who does not know the seed cannot write words that all fall into one place. */
export function openWordStore(seed: number): WordStore {
  let letters = new Uint16Array(1 << 14);
  let ends = new Uint32Array(1 << 10);
  /** By key, in threes: the number of a word, and its key. At least half of the places are empty. */
  let slots = new Int32Array(3 << 11).fill(empty);
  let lastPlace = (1 << 11) - 1;
  let count = 0;

  const startOf = (number: number): number => (number === 0 ? 0 : ends[number - 1]!);
  const placeOf = (low: number, high: number): number => {
    let mixed = Math.imul(low ^ seed, 0x9e3779b1);
    mixed = Math.imul(mixed ^ (mixed >>> 15) ^ high, 0x85ebca77);
    return (mixed ^ (mixed >>> 13)) & lastPlace;
  };

  const begins = (number: number, { letters: wanted, length }: Sought): boolean => {
    const start = startOf(number);
    if (ends[number]! - start < length) return false;
    for (let at = 0; at < length; at += 1) if (letters[start + at] !== wanted[at]) return false;
    return true;
  };
  const isThere = (number: number, word: Sought): boolean =>
    ends[number]! - startOf(number) === word.length && begins(number, word);

  /** Where the word is, or the empty place where it belongs. */
  const seek = (word: Sought): number => {
    const { low, high } = word;
    for (let place = placeOf(low, high); ; place = (place + 1) & lastPlace) {
      const at = 3 * place;
      const number = slots[at]!;
      if (number === empty || (slots[at + 1] === low && slots[at + 2] === high && (high >= 0 || isThere(number, word))))
        return at;
    }
  };

  const grow = (): void => {
    const before = slots;
    ends = widened(ends, new Uint32Array(2 * ends.length));
    slots = new Int32Array(2 * before.length).fill(empty);
    lastPlace = 2 * lastPlace + 1;
    for (let at = 0; at < before.length; at += 3) {
      if (before[at] === empty) continue;
      let place = placeOf(before[at + 1]!, before[at + 2]!);
      while (slots[3 * place] !== empty) place = (place + 1) & lastPlace;
      slots.set(before.subarray(at, at + 3), 3 * place);
    }
  };

  const put = (word: Sought, at: number): number => {
    const number = count;
    const start = startOf(number);
    const end = start + word.length;
    if (end > letters.length) letters = widened(letters, new Uint16Array(2 * end));
    letters.set(word.letters.subarray(0, word.length), start);
    slots.set([number, word.low, word.high], at);
    ends[number] = end;
    count += 1;
    if (count === ends.length) grow();
    return number;
  };

  return {
    count: () => count,
    find(word) {
      const number = slots[seek(word)]!;
      return number === empty ? undefined : number;
    },
    findKey(low, high) {
      for (let at = 3 * placeOf(low, high); ; at = at === 3 * lastPlace ? 0 : at + 3) {
        const number = slots[at]!;
        if (number === empty) return undefined;
        if (slots[at + 1] === low && slots[at + 2] === high) return number;
      }
    },
    firstLetter: (number) => letters[startOf(number)]!,
    beginningWith(word) {
      const found: number[] = [];
      for (let number = 0; number < count; number += 1) if (begins(number, word)) found.push(number);
      return found;
    },
    take(word) {
      const at = seek(word);
      const number = slots[at]!;
      return number === empty ? put(word, at) : number;
    },
    words: () => ({ letters: letters.slice(0, startOf(count)), ends: ends.slice(0, count) }),
  };
}

function widened<A extends Uint16Array | Uint32Array>(from: A, to: A): A {
  to.set(from);
  return to;
}
