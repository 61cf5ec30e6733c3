import { foldText, isPlain, wordsOf } from '../base/search-words.js';

/** The words of a name or a text, each in its stem and as often as it stands there: `listForOrg` and `list_for_orgs` are alike. */
export function operationWords(text: string): readonly string[] {
  const spaced = /\p{Lu}/u.test(text) ? text.replaceAll(insideNames, ' ') : text;
  if (isPlain(spaced)) return stemsOf(spaced.toLowerCase().match(/[a-z0-9]+/gu) ?? []);
  const words = foldText(spaced).match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  return stemsOf(words.flatMap((word) => (isPlain(word) ? [word] : [...wordsOf(word)])));
}

/** Between the words of `listForOrg`, `APIKey` and `v1Pod`. */
const insideNames = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu;

const stemsOf = (words: readonly string[]): readonly string[] =>
  words.flatMap((word) => (fillers.has(word) ? [] : [stemOf(word)]));

/** They say nothing of what an operation does. */
const fillers = new Set(
  `a about an and any are as at be by can do does every for from give has have how i in into is it its of on or our
  out please so some somebody someone that the their them there these they this those to use using via want was we what when where
  which who will with would you your`.split(/\s+/u),
);

/** A word without its ending, as far as English has rules: for comparing, not for reading. */
export function stemOf(word: string): string {
  if (!/^[a-z]{4,}$/u.test(word)) return word;
  const single = singularOf(word);
  const bare = single.length > 5 ? single.replace(/(?<=[a-z]{3})(?:ing|ed|(?<!ss)ion)$/u, '') : single;
  // `stopped` and `stop`; but `calling` and `call`.
  const undoubled = bare === single ? bare : bare.replace(/([bdgmnprt])\1$/u, '$1');
  const open = undoubled.length > 3 ? undoubled.replace(/e$/u, '') : undoubled;
  // `invitation` and `invite`.
  return open !== word && open.length > 5 ? open.replace(/at$/u, '') : open;
}

function singularOf(word: string): string {
  if (/(?:ss|us|is)$/u.test(word)) return word;
  if (/[^aeiou]ies$/u.test(word)) return word.replace(/ies$/u, 'y');
  if (/(?:ss|sh|ch|x|us)es$/u.test(word)) return word.replace(/es$/u, '');
  return word.replace(/s$/u, '');
}
