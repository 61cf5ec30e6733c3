import { sha256Hex } from '../base/digest.js';
import { isPlain, wordsOf } from '../base/search-words.js';
import { openWordStore, type Sought, type Words } from './word-store.js';

export interface NumberedWords {
  count(): number;
  /** Undefined for a word that has not been met. */
  find(word: string): number | undefined;
  /** Of every word that begins so. */
  beginningWith(word: string): readonly number[];
  firstLetter(number: number): number;
  /** Every word of a text by its number, as often as it stands there. */
  each(text: string, met: (number: number) => void): void;
  /** Our number of a word that has another elsewhere. */
  take(from: Words, number: number): number;
  words(): Words;
}

const shown = (code: number): string => String.fromCharCode(code);
/** By its code: the letter or digit as it is compared, or nothing. */
const plainLetters = Uint8Array.from({ length: 128 }, (_, code) =>
  /[a-z0-9]/iu.test(shown(code)) ? shown(code).toLowerCase().charCodeAt(0) : 0,
);
/** The same, counted from one: they take six bits each. */
const places = Uint8Array.from(plainLetters, (letter) =>
  letter === 0 ? 0 : 1 + '0123456789abcdefghijklmnopqrstuvwxyz'.indexOf(shown(letter)),
);
/** How many of them one half of a key takes. */
const half = 5;
const fnvPrime = 16_777_619;

/**
 * Gives each word a number. Most texts are looked through letter by letter, and no word becomes a string: of thousands of
 * sessions there are millions.
 */
export function numberWords(secret: Uint8Array): NumberedWords {
  const seed = parseInt(sha256Hex(secret).slice(0, 8), 16) | 0;
  const store = openWordStore(seed);
  const sought: Sought = { letters: new Uint16Array(64), length: 0, low: 0, high: 0 };

  const makeRoom = (length: number): void => {
    if (length > sought.letters.length) sought.letters = new Uint16Array(2 * length);
  };

  /** A word that is longer than a key, or has other letters. */
  const keyByHash = (): void => {
    sought.low = seed;
    for (let at = 0; at < sought.length; at += 1) sought.low = Math.imul(sought.low ^ sought.letters[at]!, fnvPrime);
    sought.high = ~sought.length;
  };

  const seek = (length: number, letterAt: (at: number) => number): Sought => {
    makeRoom(length);
    Object.assign(sought, { length, low: 0, high: 0 });
    let isShort = length <= 2 * half;
    for (let at = 0; at < length; at += 1) {
      const letter = letterAt(at);
      const place = places[letter] ?? 0;
      isShort &&= place !== 0;
      sought.letters[at] = letter;
      if (at < half) sought.low = (sought.low << 6) | place;
      else sought.high = (sought.high << 6) | place;
    }
    if (!isShort) keyByHash();
    return sought;
  };
  const takeFrom = (text: string, start: number, length: number): number =>
    store.take(seek(length, (at) => plainLetters[text.charCodeAt(start + at)]!));
  const seekWord = (word: string): Sought => seek(word.length, (at) => word.charCodeAt(at));

  const eachPlain = (text: string, met: (number: number) => void): void => {
    let [length, low, high] = [0, 0, 0];
    for (let at = 0; at <= text.length; at += 1) {
      const place = at === text.length ? 0 : places[text.charCodeAt(at)]!;
      if (place !== 0) {
        if (length < half) low = (low << 6) | place;
        else high = (high << 6) | place;
        length += 1;
      } else if (length > 0) {
        met((length > 2 * half ? undefined : store.findKey(low, high)) ?? takeFrom(text, at - length, length));
        [length, low, high] = [0, 0, 0];
      }
    }
  };

  return {
    count: () => store.count(),
    find: (word) => store.find(seekWord(word)),
    firstLetter: (number) => store.firstLetter(number),
    beginningWith: (word) => store.beginningWith(seekWord(word)),
    each(text, met) {
      if (isPlain(text)) eachPlain(text, met);
      else for (const word of wordsOf(text)) met(store.take(seekWord(word)));
    },
    take(from, number) {
      const start = number === 0 ? 0 : from.ends[number - 1]!;
      return store.take(seek(from.ends[number]! - start, (at) => from.letters[start + at]!));
    },
    words: () => store.words(),
  };
}
