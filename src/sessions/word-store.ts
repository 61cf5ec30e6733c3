/** Words by their numbers: the letters of all, one after another, and where each word ends. */
export interface Words {
  readonly letters: Uint16Array;
  readonly ends: Uint32Array;
}

/** A word as it is looked for: no string is made of it. */
export interface Sought {
  letters: Uint16Array;
  length: number;
  hash: number;
}

export interface WordStore {
  count(): number;
  /** Undefined for a word that is not in it. */
  find(word: Sought): number | undefined;
  /** A word that is not in it is put in. */
  take(word: Sought): number;
  words(): Words;
}

const empty = -1;

/** Each word once, by the order in which they came. */
export function openWordStore(): WordStore {
  let letters = new Uint16Array(1 << 14);
  let ends = new Uint32Array(1 << 10);
  /** By hash, in pairs: the number of a word, and its hash. At least half of the places are empty. */
  let slots = new Int32Array(1 << 12).fill(empty);
  let count = 0;

  const startOf = (number: number): number => (number === 0 ? 0 : ends[number - 1]!);
  const placeOf = (hash: number): number => ((hash ^ (hash >>> 15)) << 1) & (slots.length - 1);
  const after = (place: number): number => (place + 2) & (slots.length - 1);

  const isThere = (number: number, { letters: wanted, length }: Sought): boolean => {
    const start = startOf(number);
    if (ends[number]! - start !== length) return false;
    for (let at = 0; at < length; at += 1) if (letters[start + at] !== wanted[at]) return false;
    return true;
  };

  /** Where the word is, or the empty place where it belongs. */
  const seek = (word: Sought): number => {
    for (let place = placeOf(word.hash); ; place = after(place)) {
      const number = slots[place]!;
      if (number === empty || (slots[place + 1] === word.hash && isThere(number, word))) return place;
    }
  };

  const grow = (): void => {
    const before = slots;
    ends = widened(ends, new Uint32Array(2 * ends.length));
    slots = new Int32Array(2 * before.length).fill(empty);
    for (let at = 0; at < before.length; at += 2) {
      if (before[at] === empty) continue;
      let place = placeOf(before[at + 1]!);
      while (slots[place] !== empty) place = after(place);
      slots[place] = before[at]!;
      slots[place + 1] = before[at + 1]!;
    }
  };

  const put = (word: Sought, place: number): number => {
    const number = count;
    const start = startOf(number);
    const end = start + word.length;
    if (end > letters.length) letters = widened(letters, new Uint16Array(2 * end));
    letters.set(word.letters.subarray(0, word.length), start);
    [slots[place], slots[place + 1], ends[number], count] = [number, word.hash, end, count + 1];
    if (count === ends.length) grow();
    return number;
  };

  return {
    count: () => count,
    find(word) {
      const number = slots[seek(word)]!;
      return number === empty ? undefined : number;
    },
    take(word) {
      const place = seek(word);
      const number = slots[place]!;
      return number === empty ? put(word, place) : number;
    },
    words: () => ({ letters: letters.slice(0, startOf(count)), ends: ends.slice(0, count) }),
  };
}

function widened<A extends Uint16Array | Uint32Array>(from: A, to: A): A {
  to.set(from);
  return to;
}
