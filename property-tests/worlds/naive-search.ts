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

interface NaiveTerm {
  readonly words: readonly string[];
  readonly isLight: boolean;
}

/** Words as they say something: those that say nothing, and those with which people ask for earlier work. */
export interface WordKinds {
  readonly isFiller: (word: string) => boolean;
  readonly isLight: (word: string) => boolean;
}

const onlyOne = (words: readonly string[], is: (word: string) => boolean): boolean =>
  words.length === 1 && is(words[0]!);

/** What is looked for: lists of words that belong together, in the order in which they were typed. */
function naiveTerms(query: string, { isFiller, isLight }: WordKinds): readonly NaiveTerm[] {
  const all = query.split(/\s+/u).flatMap((token) => {
    const found = pieces(token);
    const spaced = found.filter((piece) => !isUnspaced(Array.from(piece)[0]!));
    const runs = found.filter((piece) => isUnspaced(Array.from(piece)[0]!));
    const letters = runs.flatMap((run) => (Array.from(run).length === 1 ? [run] : pairs(run)));
    return [...(spaced.length > 0 ? [[...new Set(spaced)]] : []), ...letters.map((one) => [one])];
  });
  const meant = all.filter((words) => !onlyOne(words, isFiller));
  const kept = meant.length > 0 ? meant : all;
  const isTelling = meant.some((words) => !onlyOne(words, isLight));
  return kept.map((words) => ({ words, isLight: isTelling && onlyOne(words, isLight) }));
}

/** The word, and its other number where an s makes it. */
function sameWords(word: string): readonly string[] {
  const isEnglish = word.length >= 3 && Array.from(word).every((letter) => letter >= 'a' && letter <= 'z');
  if (!isEnglish || word.endsWith('ss')) return [word];
  return word.endsWith('s') ? [word, word.slice(0, -1)] : [word, word + 's'];
}

export interface NaiveMatch {
  readonly place: NaivePlace;
  /** Compared number by number: lower is closer. */
  readonly rank: readonly number[];
}

const named = ['title', 'branch', 'workflow'];

/** The places that match, the closest first, then those that were worked on last. */
export function naiveSearch(places: readonly NaivePlace[], query: string, kinds: WordKinds): readonly NaiveMatch[] {
  const terms = naiveTerms(query, kinds);
  const distinct = [...new Map(terms.map((term) => [term.words.join(' '), term])).values()];
  const last = terms.at(-1)?.words.at(-1);
  const wordsIn = (place: NaivePlace, parts: readonly string[]): readonly string[] =>
    place.texts
      .filter((text) => text.parts.some((part) => parts.includes(part)))
      .flatMap(({ text }) => naiveWords(text));
  const has = (there: readonly string[], word: string): boolean =>
    sameWords(word).some((same) => there.includes(same)) ||
    (word === last && there.some((other) => other.startsWith(word)));
  const hasTerm = (there: readonly string[], { words }: NaiveTerm): boolean => words.every((word) => has(there, word));
  const telling = distinct.filter(({ isLight }) => !isLight);
  const everywhere = places.map((place) => wordsIn(place, ['deep']));
  const worthOf = new Map(
    telling.map((term) => {
      const having = everywhere.filter((there) => hasTerm(there, term)).length;
      return [term, having === 0 ? 0 : 1 + Math.floor(Math.log2(Math.floor((places.length + 8) / having)))];
    }),
  );
  const worth = (there: readonly string[]): number =>
    telling.filter((term) => hasTerm(there, term)).reduce((sum, term) => sum + worthOf.get(term)!, 0);
  const best = Math.max(0, ...everywhere.map(worth));

  const rankOf = (place: NaivePlace): readonly number[] | undefined => {
    const whole = fold(query.trim());
    const trimmed = (token: string): string => {
      const letters = Array.from(token);
      while (letters.length > 0 && !/[\p{L}\p{N}]/u.test(letters[0]!)) letters.shift();
      while (letters.length > 0 && !/[\p{L}\p{N}\p{M}]/u.test(letters.at(-1)!)) letters.pop();
      return letters.join('');
    };
    const tokens = query
      .split(/\s+/u)
      .map(fold)
      .flatMap((token) => [token, trimmed(token)]);
    if (place.names.some((name) => fold(name) === whole || tokens.includes(fold(name)))) return [0, 0, 0, 0, 0];
    if (place.title !== undefined && fold(place.title) === whole) return [0, 0, 0, 0, 0];
    if (query !== '' && place.branches.some((branch) => fold(branch) === whole)) return [1, 0, 0, 0, 0];
    if (terms.length === 0) return undefined;
    const isBegun = (there: readonly string[]): number =>
      last !== undefined &&
      !sameWords(last).some((same) => there.includes(same)) &&
      there.some((other) => other.startsWith(last))
        ? 1
        : 0;
    const [names, deep] = [wordsIn(place, named), wordsIn(place, ['deep'])];
    const ties = [
      -telling.filter((term) => hasTerm(names, term)).length,
      -distinct.filter((term) => term.isLight && hasTerm(deep, term)).length,
    ];
    for (const [at, part] of ['title', 'branch', 'tip', 'workflow', 'deep'].entries()) {
      const there = wordsIn(place, [part]);
      if (telling.every((term) => hasTerm(there, term))) return [2 + at, 0, isBegun(there), ...ties];
    }
    const score = worth(deep) + worth(names);
    const onlyFillers = terms.every(({ words }) => onlyOne(words, kinds.isFiller));
    return !onlyFillers && worth(deep) >= best / 2 && score > 1 ? [7, -score, isBegun(deep), ...ties] : undefined;
  };

  return places
    .flatMap((place) => {
      const rank = rankOf(place);
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
