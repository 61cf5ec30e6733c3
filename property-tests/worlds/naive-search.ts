/** A search that knows no index and no bits: every text is cut into words, letter by letter, and compared. */
export interface NaiveText {
  readonly text: string;
  readonly parts: readonly string[];
}

/** A place where work stands, with all that it says and is called. */
export interface NaivePlace {
  readonly session: string;
  readonly run: string;
  readonly lastActivity: string;
  /** Somebody can go on with it. */
  readonly isOpen: boolean;
  readonly workflow: string | undefined;
  readonly title: string | undefined;
  /** Its id, key and tags. */
  readonly names: readonly string[];
  readonly branches: readonly string[];
  readonly texts: readonly NaiveText[];
}

const fold = (text: string): string => text.normalize('NFKC').toLowerCase();
const isUnspaced = (letter: string): boolean =>
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}ー]/u.test(letter);
const isLetter = (letter: string): boolean => /[\p{L}\p{N}\p{M}]/u.test(letter);

/** Pieces of one kind: words between what is none, and runs of scripts that part no words. */
function pieces(text: string): readonly string[] {
  const found: string[] = [];
  let before: string | undefined;
  for (const letter of fold(text)) {
    const kind = isUnspaced(letter) ? 'unspaced' : isLetter(letter) ? 'spaced' : undefined;
    if (kind !== undefined && kind === before) found.push(found.pop()! + letter);
    else if (kind !== undefined) found.push(letter);
    before = kind;
  }
  return found;
}

const pairs = (run: string): readonly string[] => {
  const letters = Array.from(run);
  return letters.flatMap((letter, at) => (at + 1 < letters.length ? [letter + letters[at + 1]!] : []));
};

const naiveWords = (text: string): readonly string[] =>
  pieces(text).flatMap((piece) => (isUnspaced(Array.from(piece)[0]!) ? [...piece, ...pairs(piece)] : [piece]));

/** What is looked for: lists of words that belong together, in the order in which they were typed. */
function naiveTerms(query: string, isFiller: (word: string) => boolean): readonly (readonly string[])[] {
  const terms = query.split(/\s+/u).flatMap((token) => {
    const found = pieces(token);
    const spaced = found.filter((piece) => !isUnspaced(Array.from(piece)[0]!));
    const runs = found.filter((piece) => isUnspaced(Array.from(piece)[0]!));
    const letters = runs.flatMap((run) => (Array.from(run).length === 1 ? [run] : pairs(run)));
    return [...(spaced.length > 0 ? [[...new Set(spaced)]] : []), ...letters.map((one) => [one])];
  });
  const telling = terms.filter((words) => words.length > 1 || !isFiller(words[0]!));
  return telling.length > 0 ? telling : terms;
}

export interface NaiveMatch {
  readonly place: NaivePlace;
  /** Compared number by number: lower is closer. */
  readonly rank: readonly number[];
}

/** The places that match, the closest first, then those that were worked on last. */
export function naiveSearch(
  places: readonly NaivePlace[],
  query: string,
  isFiller: (word: string) => boolean,
): readonly NaiveMatch[] {
  return places
    .flatMap((place) => {
      const rank = rankOf(place, query, isFiller);
      return rank === undefined ? [] : [{ place, rank }];
    })
    .toSorted((a, b) => {
      const differs = a.rank.findIndex((one, at) => one !== b.rank[at]);
      if (differs >= 0) return a.rank[differs]! - b.rank[differs]!;
      const [x, y] = [a.place, b.place];
      if (x.isOpen !== y.isOpen) return x.isOpen ? -1 : 1;
      if (x.lastActivity !== y.lastActivity) return x.lastActivity > y.lastActivity ? -1 : 1;
      return `${x.session} ${x.run}` < `${y.session} ${y.run}` ? -1 : 1;
    });
}

function rankOf(place: NaivePlace, query: string, isFiller: (word: string) => boolean): readonly number[] | undefined {
  const whole = fold(query.trim());
  const tokens = query.split(/\s+/u).map(fold);
  if (place.names.some((name) => fold(name) === whole || tokens.includes(fold(name)))) return [0, 0, 0, 0];
  if (place.title !== undefined && fold(place.title) === whole) return [0, 0, 0, 0];
  if (query !== '' && place.branches.some((branch) => fold(branch) === whole)) return [1, 0, 0, 0];
  const terms = naiveTerms(query, isFiller);
  if (terms.length === 0) return undefined;
  const distinct = [...new Map(terms.map((words) => [words.join(' '), words])).values()];
  const last = terms.at(-1)!.at(-1)!;
  const wordsIn = (part: string): readonly string[] =>
    place.texts.filter(({ parts }) => parts.includes(part)).flatMap(({ text }) => naiveWords(text));
  const hits = (part: string): number => {
    const there = wordsIn(part);
    const isThere = (word: string): boolean =>
      word === last ? there.some((other) => other.startsWith(word)) : there.includes(word);
    return distinct.filter((words) => words.every(isThere)).length;
  };
  const isBegun = (part: string): number => {
    const there = wordsIn(part);
    return !there.includes(last) && there.some((other) => other.startsWith(last)) ? 1 : 0;
  };
  for (const [at, part] of ['title', 'branch', 'tip', 'workflow'].entries())
    if (hits(part) === distinct.length) return [2 + at, 0, isBegun(part), 0];
  const found = hits('deep');
  const onlyFillers = terms.every((words) => words.length === 1 && isFiller(words[0]!));
  const enough = onlyFillers || distinct.length === 1 ? distinct.length : Math.max(2, distinct.length / 2);
  return found >= enough ? [6, distinct.length - found, isBegun('deep'), -hits('title')] : undefined;
}
