import { limits } from '../base/limits.js';
import { foldText, unspacedRuns, wordsOf } from './search-words.js';

/** One of the things that are looked for: a word, or words that were written as one, as `comma-parser` is. */
export interface Term {
  readonly text: string;
  /** By a bit for each of its words. */
  readonly words: number;
}

/** What is looked for, taken apart once for all that is looked at. */
export interface AskedWords {
  /** Each word once; its place is its bit. */
  readonly words: readonly string[];
  readonly terms: readonly Term[];
  /** So many of them have to be there. */
  readonly enough: number;
  /** Nothing was left out, so that whatever is called as one of these was typed has a word of them in its names. */
  readonly isAll: boolean;
  /** The bit of the word that may still be being typed: it stands for every word that begins so. */
  readonly last: number;
  /** The bit beside it that says that the word stands there as it is. */
  readonly lastIsWhole: number;
}

/** Words that say nothing of what a sentence is about. They count where there are no others. */
const fillers = new Set(
  `a about after all also am an and any anything are as at be because been before being but by can could did do does doing
  everything for from had has have how i if in into is it its just me my no nobody not nothing of off on once one or our
  out over should so some something stuff than that the their them then there these they thing this those to too up us was
  we were what when where which while who whose why will with would you your`.split(/\s+/u),
);

export function askedWords(query: string): AskedWords {
  const tokens = foldText(query).trim().split(/\s+/u).map(termsOf);
  const all = tokens.flat();
  const telling = all.filter(({ words }) => words.length > 1 || !fillers.has(words[0]!));
  const bits = new Map<string, number>();
  const terms = new Map<string, Term>();
  let last = 0;
  let isAll = telling.length === all.length && tokens.every(({ length }) => length > 0);
  for (const { text, words } of telling.length > 0 ? telling : all) {
    if (new Set([...bits.keys(), ...words]).size > limits.searchWords) {
      isAll = false;
      break;
    }
    for (const word of words) if (!bits.has(word)) bits.set(word, 1 << bits.size);
    terms.set(text, { text, words: words.reduce((sum, word) => sum | bits.get(word)!, 0) });
    last = bits.get(words.at(-1)!)!;
  }
  return {
    words: [...bits.keys()],
    terms: [...terms.values()],
    // One of several words is a coincidence, and so is the smaller half of a sentence.
    enough: telling.length > 0 ? Math.min(terms.size, Math.max(2, terms.size / 2)) : terms.size,
    isAll,
    last,
    lastIsWhole: 1 << bits.size,
  };
}

/** Scripts without spaces are looked for by each pair of letters, as if there were a space between any two. */
function termsOf(token: string): readonly { readonly text: string; readonly words: readonly string[] }[] {
  const spaced = [...wordsOf(token.replaceAll(unspacedRuns, ' '))];
  const pairs = (token.match(unspacedRuns) ?? []).flatMap((run) => {
    const letters = Array.from(run);
    return letters.length === 1 ? letters : letters.slice(1).map((letter, at) => letters[at]! + letter);
  });
  return [
    ...(spaced.length === 0 ? [] : [{ text: spaced.join(' '), words: spaced }]),
    ...pairs.map((pair) => ({ text: pair, words: [pair] })),
  ];
}
