import { limits } from '../base/limits.js';
import { foldText, formsOf, unspacedRuns, wordsOf } from '../base/search-words.js';

/** One of the things that are looked for: a word, or words that were written as one, as `comma-parser` is. */
export interface Term {
  readonly text: string;
  /** By a bit for each of its words. */
  readonly words: number;
  /** It says how somebody asks rather than for what: it settles between matches that are as close, and makes none. */
  readonly isLight: boolean;
}

/** What is looked for, taken apart once for all that is looked at. */
export interface AskedWords {
  /** Each word once; its place is its bit. */
  readonly words: readonly string[];
  /** For each of them, the forms that count as it. */
  readonly forms: readonly (readonly string[])[];
  readonly terms: readonly Term[];
  /** They are no more than fillers, so that some of them without the others are a coincidence. */
  readonly isEmpty: boolean;
  /** Nothing was left out, so that whatever is called as one of these was typed has a word of them in its names. */
  readonly isAll: boolean;
  /** The bit of the word that may still be being typed: it stands for every word that begins so. */
  readonly last: number;
  /** The bit beside it that says that the word stands there as it is. */
  readonly lastIsWhole: number;
}

const listOf = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/u));

/** Words that say nothing of what a sentence is about. They count where there are no others. */
const fillers = listOf(
  `a about after all also am an and any anything are as at be because been before being but by can could did do does doing
  everything for from had has have how i if in into is it its just me my no nobody not nothing of off on once one or our
  out over should so some something stuff than that the their them then there these they thing this those to too up us was
  we were what when where which while who whose why will with would you your`,
);

/** Words with which people ask for earlier work. They mean something only beside others, or where there are no others. */
const light = listOf(
  `again back begun chat continue continued earlier ended find found go going gone last leave left let lets lost middle
  need old pick please previous recent resume session sessions start started stopped task today want went work
  worked working yesterday`,
);

const isOneOf = (words: ReadonlySet<string>, term: { readonly words: readonly string[] }): boolean =>
  term.words.length === 1 && words.has(term.words[0]!);

export function askedWords(query: string): AskedWords {
  const tokens = withoutGenitives(foldText(query)).trim().split(/\s+/u).map(termsOf);
  const all = tokens.flat();
  const meant = all.filter((term) => !isOneOf(fillers, term));
  const isTelling = meant.some((term) => !isOneOf(light, term));
  const bits = new Map<string, number>();
  const terms = new Map<string, Term>();
  let last = 0;
  let isAll = meant.length === all.length && tokens.every(({ length }) => length > 0);
  for (const term of meant.length > 0 ? meant : all) {
    const { text, words } = term;
    if (new Set([...bits.keys(), ...words]).size > limits.searchWords) {
      isAll = false;
      break;
    }
    for (const word of words) if (!bits.has(word)) bits.set(word, 1 << bits.size);
    const of = words.reduce((sum, word) => sum | bits.get(word)!, 0);
    terms.set(text, { text, words: of, isLight: isTelling && isOneOf(light, term) });
    last = bits.get(words.at(-1)!)!;
  }
  return {
    words: [...bits.keys()],
    forms: [...bits.keys()].map(formsOf),
    terms: [...terms.values()],
    isEmpty: meant.length === 0,
    isAll,
    last,
    lastIsWhole: 1 << bits.size,
  };
}

const withoutGenitives = (text: string): string => text.replaceAll(/(?<=\p{L})['’]s(?![\p{L}\p{N}])/gu, '');

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
