import { closestName } from '../base/closest-name.js';
import { own } from '../base/own.js';
import { readSpan } from '../base/read-span.js';

/** What a session may be filtered by, with what it takes. */
export const searchKeys = ['is', 'workflow', 'branch', 'label', 'since', 'before', 'sort'] as const;
export type SearchKey = (typeof searchKeys)[number];

/** How a session stands; several hold at once. */
export const statusWords = ['open', 'waiting', 'running', 'complete', 'failed', 'canceled', 'gaps', 'damaged'] as const;
export type StatusWord = (typeof statusWords)[number];

export const sortWords = ['newest', 'oldest', 'waiting', 'longest', 'longest-step'] as const;
export type SortWord = (typeof sortWords)[number];

const keyAliases: Readonly<Record<string, SearchKey>> = { status: 'is', tag: 'label' };
/** As answers and lists call them. */
const statusAliases: Readonly<Record<string, StatusWord>> = {
  'in-progress': 'open',
  in_progress: 'open',
  blocked: 'waiting',
  cancelled: 'canceled',
  'with-gaps': 'gaps',
};

/** One piece of a search, as it was typed. */
export type SearchTerm =
  | { readonly kind: 'words'; readonly text: string }
  | { readonly kind: 'filter'; readonly text: string; readonly key: SearchKey; readonly value: string }
  /** Left out of the search, and why. */
  | { readonly kind: 'wrong'; readonly text: string; readonly says: string };

/** A search taken apart: what is typed on the page, on the command line and in an address is read by this alone. */
export interface SessionSearch {
  readonly terms: readonly SearchTerm[];
  /** What is looked for in titles, notes and names. */
  readonly words: string;
  /** What looks like a filter and is searched for as a word. */
  readonly notes: readonly string[];
}

// Letters and a colon, then a value in quotes or up to the next space; words in quotes; or what stands between two spaces.
// A quote that is not closed goes on to the end, a backslash there included: nothing after it could be told from it.
const pieces = /([A-Za-z]+):(?:"((?:\\.|[^"\\]|\\$)*)"?|([^\s]*))|"[^"]*"|[^\s]+/gsuy;

export function parseSearch(text: string): SessionSearch {
  const terms: SearchTerm[] = [];
  const notes: string[] = [];
  for (const [piece, name = '', quoted, bare] of piecesOf(text)) {
    const key = keyOf(name);
    if (key === undefined) {
      terms.push({ kind: 'words', text: piece });
      if (name !== '' && /^[a-z]{2,12}:[^/:\s]/u.test(piece)) notes.push(unknownKey(name, piece));
    } else terms.push(filterTerm(key, quoted?.replaceAll(/\\(["\\])/gu, '$1') ?? bare ?? '', piece));
  }
  const isPlain = terms.every(({ kind }) => kind === 'words');
  return { terms, words: isPlain ? text : wordsOf(terms), notes };
}

function piecesOf(text: string): readonly RegExpMatchArray[] {
  const found: RegExpMatchArray[] = [];
  for (let at = 0; at < text.length;) {
    if (/\s/u.test(text.charAt(at))) {
      at += 1;
      continue;
    }
    pieces.lastIndex = at;
    const match = pieces.exec(text);
    if (match === null) break;
    found.push(match);
    at = pieces.lastIndex;
  }
  return found;
}

const keyOf = (name: string): SearchKey | undefined => {
  const folded = name.toLowerCase();
  return searchKeys.find((key) => key === folded) ?? own(keyAliases, folded);
};

function filterTerm(key: SearchKey, given: string, text: string): SearchTerm {
  const value = given.trim();
  const wrong = (says: string): SearchTerm => ({ kind: 'wrong', text, says });
  if (value === '') return wrong(`${key}: needs a value, such as ${examples[key]}`);
  if (key === 'is' || key === 'sort') {
    const folded = value.toLowerCase();
    const known: readonly string[] = key === 'is' ? statusWords : sortWords;
    const alias = key === 'is' ? own(statusAliases, folded) : undefined;
    const meant = alias ?? known.find((word) => word === folded);
    if (meant !== undefined) return { kind: 'filter', text, key, value: meant };
    return wrong(`${key}:${value} is unknown${meantInstead(folded, known)}; known: ${known.join(', ')}`);
  }
  if ((key === 'since' || key === 'before') && !isMoment(value))
    return wrong(`${key}:${value} is not a time; write ${key}:2h, ${key}:3d, ${key}:today or ${key}:2026-11-01`);
  return { kind: 'filter', text, key, value };
}

const examples: Readonly<Record<SearchKey, string>> = {
  is: 'is:waiting',
  workflow: 'workflow:wr.coding_task',
  branch: 'branch:fix/login',
  label: 'label:docs',
  since: 'since:2d',
  before: 'before:2026-11-01',
  sort: 'sort:oldest',
};

/** Whether it reads as a moment; a border with a clock says which. */
const isMoment = (value: string): boolean =>
  readSpan(value) !== undefined || /^(?:today|yesterday|\d{4}-\d{2}-\d{2}(?:[T ].*)?)$/iu.test(value);

const meantInstead = (given: string, known: readonly string[]): string => {
  const meant = closestName(given, known);
  return meant === undefined ? '' : `; did you mean ${meant}?`;
};

const unknownKey = (name: string, piece: string): string =>
  `no filter named ${name}${meantInstead(name, searchKeys)}; the filters are ${searchKeys.join(', ')}. “${piece}” is searched as text`;

const wordsOf = (terms: readonly SearchTerm[]): string =>
  terms
    .filter(({ kind }) => kind === 'words')
    .map(({ text }) => text)
    .join(' ');

/** A filter as it is typed: what could not stand there bare is in quotes. */
export const writeFilter = (key: SearchKey, value: string): string =>
  /^[^\s"]+$/u.test(value) ? `${key}:${value}` : `${key}:"${value.replaceAll(/["\\]/gu, '\\$&')}"`;

/** The same search with a filter more: of a key that holds one value, the new one takes the place of the one before. */
export function withFilter(text: string, key: SearchKey, value: string): string {
  const { terms } = parseSearch(text);
  const added = writeFilter(key, value);
  const rest = terms.filter(
    (term) =>
      term.kind !== 'filter' || term.key !== key || (!isSingle(key) && writeFilter(term.key, term.value) !== added),
  );
  const typed = rest.map((term) => term.text);
  const last = [...typed, added].join(' ');
  // A quote that stands open before it would take it in: then it goes first.
  return valuesOf(parseSearch(last), key).includes(value) ? last : [added, ...typed].join(' ');
}

/** The same search without one of its terms. */
export const withoutTerm = (text: string, index: number): string =>
  parseSearch(text)
    .terms.filter((_, at) => at !== index)
    .map((term) => term.text)
    .join(' ');

const isSingle = (key: SearchKey): boolean => key === 'sort' || key === 'since' || key === 'before';

/** What a search of several values of a key says. */
export const valuesOf = ({ terms }: SessionSearch, key: SearchKey): readonly string[] =>
  terms.flatMap((term) => (term.kind === 'filter' && term.key === key ? [term.value] : []));

/** The order that is asked for; without one it is the closest match, or the newest work. */
export const sortOf = (search: SessionSearch): SortWord | undefined =>
  valuesOf(search, 'sort').at(-1) as SortWord | undefined;

/** Whether it asks for what took longest, so that each session tells its longest step. */
export const isByTook = (search: SessionSearch): boolean => sortOf(search)?.startsWith('longest') === true;

/** Whether what it finds is sorted by time, so that it can be grouped by days. */
export function isByTime(search: SessionSearch): boolean {
  const sort = sortOf(search);
  return sort === undefined ? search.words.trim() === '' : sort === 'newest' || sort === 'oldest';
}
