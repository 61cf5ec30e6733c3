import { escapePattern } from '../base/escape-pattern.js';
import { writtenPattern } from './known-secrets.js';

/** What makes a longer word or number of a text that stands beside it. */
const wordsOwn = String.raw`[\p{L}\p{M}\p{N}_-]`;
/** An escape that stands before a text is no part of it, though it ends with a letter or a digit. */
const escapeBefore = String.raw`(?<=%[0-9A-Fa-f]{2}|\\[bfnrtu]|\\u[0-9A-Fa-f]{4})`;

/** Takes texts out of another where each stands as a whole: never a part of a word or of a number. */
export function withoutValues(values: readonly string[], instead: string): (text: string) => string {
  // The longest first: one may be a part of another.
  const patterns = [...values]
    .toSorted((a, b) => b.length - a.length)
    .map((value) => {
      const before = startsInside.test(value) ? String.raw`(?:${escapeBefore}|(?<!${wordsOwn}|\p{N}\.))` : '';
      const after = endsInside.test(value) ? String.raw`(?!${wordsOwn}|\.\p{N})` : '';
      const written = value.length > longest ? longPattern(value) : writtenPattern(value);
      return new RegExp(`${before}(?:${written})${after}`, 'gu');
    });
  return (text) => patterns.reduce((left, pattern) => left.replaceAll(pattern, instead), text);
}

/** Every way to write each sign of a longer one would make too long a pattern. */
const longest = 500;

function longPattern(value: string): string {
  const encoded = /\p{Surrogate}/u.test(value) ? [] : [encodeURIComponent(value)];
  return [value, JSON.stringify(value).slice(1, -1), ...encoded].map(escapePattern).join('|');
}

const startsInside = new RegExp(`^${wordsOwn}`, 'u');
const endsInside = new RegExp(`${wordsOwn}$`, 'u');
