import { sha256Hex } from '../base/digest.js';
import { isPlain, wordsOf } from './search-words.js';
import { openWordStore, type Sought, type Words } from './word-store.js';

export interface NumberedWords {
  count(): number;
  /** Undefined for a word that has not been met. */
  find(word: string): number | undefined;
  /** Every word of a text by its number, as often as it stands there. */
  each(text: string, met: (number: number) => void): void;
  /** Our number of a word that has another elsewhere. */
  take(from: Words, number: number): number;
  words(): Words;
}

/** By its code: the letter or digit as it is compared, or nothing. */
const plainLetters = Uint8Array.from({ length: 128 }, (_, code) => (/[a-z0-9]/iu.test(String.fromCharCode(code)) ? String.fromCharCode(code).toLowerCase().charCodeAt(0) : 0));
const fnvPrime = 16_777_619;

/**
 * Gives each word a number. Most texts are looked through letter by letter, and no word becomes a string: of thousands of
 * sessions there are millions. Who does not know the secret cannot write words that all fall into one place.
 */
export function numberWords(secret: Uint8Array): NumberedWords {
  const seed = parseInt(sha256Hex(secret).slice(0, 8), 16) | 0;
  const store = openWordStore();
  const sought: Sought = { letters: new Uint16Array(64), length: 0, hash: seed };

  const seek = (length: number, letterAt: (at: number) => number): Sought => {
    if (length > sought.letters.length) sought.letters = new Uint16Array(2 * length);
    let hash = seed;
    for (let at = 0; at < length; at += 1) {
      const letter = letterAt(at);
      sought.letters[at] = letter;
      hash = Math.imul(hash ^ letter, fnvPrime);
    }
    sought.length = length;
    sought.hash = hash;
    return sought;
  };
  const seekWord = (word: string): Sought => seek(word.length, (at) => word.charCodeAt(at));

  const eachPlain = (text: string, met: (number: number) => void): void => {
    if (text.length > sought.letters.length) sought.letters = new Uint16Array(2 * text.length);
    const { letters } = sought;
    let length = 0;
    let hash = seed;
    for (let at = 0; at <= text.length; at += 1) {
      const letter = at === text.length ? 0 : plainLetters[text.charCodeAt(at)]!;
      if (letter !== 0) {
        letters[length] = letter;
        length += 1;
        hash = Math.imul(hash ^ letter, fnvPrime);
      } else if (length > 0) {
        sought.length = length;
        sought.hash = hash;
        met(store.take(sought));
        length = 0;
        hash = seed;
      }
    }
  };

  return {
    count: () => store.count(),
    find: (word) => store.find(seekWord(word)),
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
