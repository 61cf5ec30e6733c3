import type { AskedWords, Term } from './asked-words.js';
import type { RankingFacts } from './ranking-facts.js';
import { type Hits, textParts } from './searchable-text.js';

/** What the words that are asked for are worth, by all the places that were looked through together. */
export interface Scale {
  /** By term: the fewer places have it, the more; nothing where none has. */
  readonly worth: readonly number[];
  /** Who has words of less worth than half of the best does not match. */
  readonly least: number;
  /** What no place has. */
  readonly unknown: readonly string[];
}

export const inTitle = textParts.indexOf('title');
export const inBranch = textParts.indexOf('branch');
const inWorkflow = textParts.indexOf('workflow');
export const anywhere = textParts.indexOf('deep');

/** As if there were so many places more that have none of the words: where there are few, one that has a word is still worth something. */
const strangers = 8;
/** One word that most have is a coincidence. */
const coincidence = 1;
/** Thirty words, each in one of a million places, and all of them in names. */
export const mostScore = 1320;

/** What each place has of the words, one after another by its parts: of ten thousand places there are no ten thousand objects. */
export function hitsOf(places: readonly { readonly facts: RankingFacts }[], asked: AskedWords): Int32Array {
  const all = new Int32Array(places.length * textParts.length);
  if (asked.terms.length === 0) return all;
  let from = 0;
  for (const { facts } of places) {
    all.set(facts.hits(asked), from);
    from += textParts.length;
  }
  return all;
}

export function scaleOf(hits: Int32Array, { terms }: AskedWords): Scale {
  const places = hits.length / textParts.length;
  const having = new Map<number, number>();
  for (let at = anywhere; at < hits.length; at += textParts.length)
    having.set(hits[at]!, (having.get(hits[at]!) ?? 0) + 1);
  const worth = terms.map((term) => {
    if (term.isLight) return 0;
    let count = 0;
    for (const [bits, times] of having) if (isIn(bits, term)) count += times;
    return count === 0 ? 0 : 32 - Math.clz32(Math.floor((places + strangers) / count));
  });
  let best = 0;
  for (const bits of having.keys()) best = Math.max(best, sumOf(bits, terms, worth));
  const unknown = terms.flatMap(({ text, isLight }, at) => (isLight || worth[at] !== 0 ? [] : [text]));
  return { worth, least: best / 2, unknown };
}

/** How much a place has of what is asked for, where not all of it stands in one part; negative where that is too little to match. */
export function scoreOf(hits: Hits, { terms, isEmpty }: AskedWords, { worth, least }: Scale): number {
  if (isEmpty) return -1;
  const base = sumOf(hits[anywhere]!, terms, worth);
  const score = base + sumOf(namedBits(hits), terms, worth);
  return base < least || score <= coincidence ? -1 : Math.min(score, mostScore);
}

export function sumOf(bits: number, terms: readonly Term[], worth: readonly number[]): number {
  let sum = 0;
  if (bits !== 0) for (const [at, term] of terms.entries()) if (isIn(bits, term)) sum += worth[at]!;
  return sum;
}

/** The closest part that has all of what is asked for; negative where none has. */
export function partHit(hits: Hits, { terms }: AskedWords): number {
  const isThere = (bits: number): boolean => bits !== 0 && terms.every((term) => term.isLight || isIn(bits, term));
  for (let part = 0; part < textParts.length; part += 1) if (isThere(hits[part]!)) return part;
  return -1;
}

/** Among those that have the same, whole words come before a beginning, more of them in names before fewer, and then those that have the words of asking. */
export function closeness(hits: Hits, part: number, asked: AskedWords): number {
  const named = countIn(namedBits(hits), asked.terms, false);
  const lightly = countIn(hits[anywhere]!, asked.terms, true);
  return (Number(endsInBeginning(hits[part]!, asked)) * 32 + 31 - named) * 32 + 31 - lightly;
}
/** Less than this. */
export const leastClose = 2 * 32 * 32;

const namedBits = (hits: Hits): number => hits[inTitle]! | hits[inBranch]! | hits[inWorkflow]!;

export const isIn = (bits: number, { words }: Term): boolean => (bits & words) === words;

function countIn(bits: number, terms: readonly Term[], isLight: boolean): number {
  let count = 0;
  for (const term of terms) if (term.isLight === isLight && isIn(bits, term)) count += 1;
  return count;
}

export const endsInBeginning = (bits: number, { last, lastIsWhole }: AskedWords): boolean =>
  (bits & last) !== 0 && (bits & lastIsWhole) === 0;
