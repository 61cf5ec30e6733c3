import { idPatterns, type RunId, type SessionId } from '../base/ids.js';
import { compareEvents } from '../events/event.js';
import { type AskedWords, askedWords } from './asked-words.js';
import type { FoldedSession, Run, RunNode } from './folded-session.js';
import { lengthBits, rankingFacts, type RankingFacts, sessionFacts } from './ranking-facts.js';
import { type Hits, type SearchableText, searchableText, type TextPart, textParts } from './searchable-text.js';
import {
  anywhere,
  closeness,
  endsInBeginning,
  hitsOf,
  inBranch,
  inTitle,
  isIn,
  leastClose,
  mostScore,
  partHit,
  type Scale,
  scaleOf,
  scoreOf,
} from './score-words.js';
import { foldText } from '../base/search-words.js';

export interface Wanted {
  readonly query?: string | undefined;
  readonly gitBranch?: string | undefined;
  readonly gitHead?: string | undefined;
  readonly sessionId?: string | undefined;
  /** What a token among the words names. */
  readonly token?: Named | undefined;
  /** Where the one who asks stands in git. */
  readonly here?: Here | undefined;
}

/** Without a run it is the session as a whole. */
export interface Named {
  readonly what: string;
  readonly sessionId: SessionId;
  readonly runId: RunId | undefined;
}

export interface Here {
  readonly branch?: string;
  readonly commit?: string;
  readonly repository?: string;
}

/** One place where work stands: the preferred tip of a run, or a session that holds notes alone. */
export interface Candidate {
  readonly sessionId: SessionId;
  readonly session: FoldedSession;
  readonly run: Run | undefined;
  readonly tip: RunNode | undefined;
}

export interface Ranked extends Candidate {
  readonly tier: number;
  readonly why: string;
}

export function candidatesOf(sessionId: SessionId, session: FoldedSession): readonly Candidate[] {
  const runs = [...session.runs.values()].map((run) => ({ sessionId, session, run, tip: readableTip(session, run) }));
  // A session of which parts are missing may have lost its beginning; it must not seem not to exist.
  return runs.length > 0 ? runs : [{ sessionId, session, run: undefined, tip: undefined }];
}

/** The preferred tip; where what leads to it is missing, the newest node that can be told whole. */
function readableTip(session: FoldedSession, run: Run): RunNode | undefined {
  const tip = session.nodes.get(run.preferredTip);
  if (tip?.whole === true) return tip;
  const whole = [...session.nodes.values()].filter((node) => node.run === run.id && node.whole);
  return whole.toSorted((a, b) => compareEvents(b.touched, a.touched))[0];
}

/** Ranks by the strictest tier a candidate reaches, then by last activity, then by id. A pure function of what is stored. */
export function rankSessions(candidates: readonly Candidate[], wanted: Wanted, scale?: Scale): readonly Ranked[] {
  const places = candidates.map((candidate) => {
    const { sessionId, session, run, tip } = candidate;
    const said = (): readonly SearchableText[] => searchableText(sessionId, session)(run, tip);
    return { candidate, facts: rankingFacts(sessionFacts(sessionId, session), session, run, said) };
  });
  const { best, why } = rankPlaces(openPlaces(places), wanted, Infinity, scale);
  return best.map(({ place, tier }) => ({ ...place.candidate, tier, why: why(place) }));
}

export interface Place {
  readonly facts: RankingFacts;
}

export interface RankedPlace<P extends Place> {
  readonly place: P;
  /** Closer matches have lower tiers. */
  readonly tier: number;
}

/** Places to be ranked as often as somebody searches, in the order in which they lie in memory. */
export interface Places<P extends Place> {
  readonly all: readonly P[];
  /** Their indexes, that of the place first that was worked on last. */
  readonly byActivity: readonly number[];
  /** What each of them has of the words, one after another by its parts. */
  readonly hits: (asked: AskedWords) => Int32Array;
}

export const openPlaces = <P extends Place>(
  all: readonly P[],
  hits: Places<P>['hits'] = (asked) => hitsOf(all, asked),
): Places<P> => ({
  all,
  hits,
  byActivity: all.map((_, at) => at).toSorted((a, b) => compareActivity(all[a]!, all[b]!)),
});

export interface RankedPlaces<P extends Place> {
  readonly best: readonly RankedPlace<P>[];
  readonly count: number;
  readonly scale: Scale;
  /** Put into words only for those that are shown. */
  readonly why: (place: P) => string;
  /** It has less than half of the words: the work that is meant may not be here. */
  readonly isLoose: (place: P) => boolean;
}

/** The same ranking over facts alone: the best of them, and how many there are. Where nothing matches, all count, by recency. */
export function rankPlaces<P extends Place>(
  places: Places<P>,
  wanted: Wanted,
  most: number,
  given?: Scale,
): RankedPlaces<P> {
  const { all, byActivity } = places;
  const asked = askedOf(wanted);
  const hits = places.hits(asked.words);
  const scale = given ?? scaleOf(hits, asked.words);
  const own = new Int32Array(partCount);
  const tiers = Uint32Array.from(all, ({ facts }, at) => {
    for (let part = 0; part < partCount; part += 1) own[part] = hits[at * partCount + part]!;
    return settled(tierFor(facts, asked, own, scale), facts, asked);
  });
  const matched = new Map<number, RankedPlace<P>[]>();
  let count = 0;
  for (const at of byActivity) {
    const tier = tiers[at]!;
    if (tier === noTier) continue;
    count += 1;
    const same = matched.get(tier);
    if (same === undefined) matched.set(tier, [{ place: all[at]!, tier }]);
    else if (same.length < most) same.push({ place: all[at]!, tier });
  }
  if (count === 0) return { ...mostRecent(places, asked, most), scale };
  const best = [...matched].toSorted(([a], [b]) => a - b).flatMap(([, same]) => same);
  return {
    best: best.length > most ? best.slice(0, most) : best,
    count,
    scale,
    why: ({ facts }) => whyMatched(facts, asked),
    isLoose: ({ facts }) => isLoose(facts, asked),
  };
}

/** Where nothing matches. */
function mostRecent<P extends Place>(
  { all, byActivity }: Places<P>,
  asked: Asked,
  most: number,
): Omit<RankedPlaces<P>, 'scale'> {
  const order = all.map(({ facts }) => settled(1, facts, asked));
  const best = byActivity
    .toSorted((a, b) => (order[a]! & 1) - (order[b]! & 1) || order[a]! - order[b]!)
    .slice(0, most)
    .map((at) => ({ place: all[at]!, tier: recencyTier }));
  return {
    best,
    count: all.length,
    why: ({ facts }) => `recency${hereWords(facts, asked)}`,
    isLoose: () => true,
  };
}

/** The last worked on first; no two are equal, in whatever order they were found. */
function compareActivity({ facts: a }: Place, { facts: b }: Place): number {
  if (a.lastActivity !== b.lastActivity) return a.lastActivity < b.lastActivity ? 1 : -1;
  const [idA, idB] = [a.session.sessionId, b.session.sessionId];
  if (idA !== idB) return idA < idB ? -1 : 1;
  const [runA, runB] = [a.runId ?? '', b.runId ?? ''];
  return runA === runB ? 0 : runA < runB ? -1 : 1;
}

/** What is looked for, folded once for all that is looked at. */
interface Asked {
  /** What is asked for by its name; an id, key or tag among the words of a longer query is as good as alone. */
  readonly names: ReadonlySet<string>;
  readonly nameLengths: number;
  readonly isOfRun: boolean;
  readonly titles: ReadonlySet<string>;
  readonly heads: readonly string[];
  readonly branches: readonly string[];
  readonly branchStart: string;
  readonly words: AskedWords;
  readonly token: Named | undefined;
  readonly here: Here;
  /** Who has none of the words in its names or branches is not called so either. */
  readonly isOfWords: boolean;
}

function askedOf({ query, gitBranch, gitHead, sessionId, token, here = {} }: Wanted): Asked {
  const given = (texts: readonly (string | undefined)[]): readonly string[] =>
    texts.filter((text) => text !== undefined);
  const titles = new Set(given([sessionId, query]).map((text) => foldText(text.trim())));
  const heads = given([gitHead, query])
    .map((text) => text.trim().toLowerCase())
    .filter((text) => /^[0-9a-f]{7,64}$/u.test(text));
  const words = askedWords(query ?? '');
  const names = new Set([...titles, ...(query ?? '').split(/\s+/u).map(foldText).flatMap(withoutSigns)]);
  const isOfRun = [...names].some(isRunId);
  const isOtherwise =
    sessionId !== undefined || gitBranch !== undefined || heads.length > 0 || token !== undefined || isOfRun;
  return {
    names,
    nameLengths: lengthBits(names),
    isOfRun,
    titles,
    heads,
    branches: given([gitBranch, query])
      .filter((text) => text !== '')
      .map((text) => foldText(text.trim())),
    branchStart: foldText((gitBranch ?? '').trim()),
    words,
    token,
    here,
    isOfWords: words.isAll && !isOtherwise,
  };
}

/** A name in a sentence may stand before a comma or in brackets. */
const withoutSigns = (token: string): readonly string[] => [
  token,
  token.replace(/^[^\p{L}\p{N}]+/u, '').replace(/(?<=[\p{L}\p{N}])[^\p{L}\p{M}\p{N}]+$/u, ''),
];

const isRunId = (name: string): boolean => idPatterns.run.test(name);

/** What is asked for by a name of its own, the strictest first; each says why a place matches. */
const matchers: readonly ((facts: RankingFacts, asked: Asked) => string | undefined)[] = [
  matchToken,
  matchName,
  matchCommit,
  matchBranch,
  matchBranchStart,
];

const partCount = textParts.length;
const noTier = 0;
/** Where nothing matches, the most recent work is all there is to offer. */
export const recencyTier = Infinity;

/** Among matches that are as close, what can be gone on with comes before what has ended, and then what was done where the one who asks stands. */
const settled = (tier: number, facts: RankingFacts, asked: Asked): number =>
  tier === noTier ? noTier : (tier * 2 + Number(!facts.isOpen)) * 2 + Number(isHere(facts, asked) === undefined);

/** The first that matches decides. */
function tierFor(facts: RankingFacts, asked: Asked, hits: Hits, scale: Scale): number {
  if (!asked.isOfWords || hits[inTitle] !== 0 || hits[inBranch] !== 0)
    for (let step = 0; step < matchers.length; step += 1)
      if (matchers[step]!(facts, asked) !== undefined) return tierOf(step, 0, 1);
  const { words } = asked;
  const part = partHit(hits, words);
  if (part >= 0) return tierOf(matchers.length + part, 0, closeness(hits, part, words));
  const score = scoreOf(hits, words, scale);
  if (score < 0) return noTier;
  return tierOf(matchers.length + textParts.length, mostScore - score, closeness(hits, anywhere, words));
}

function whyMatched(facts: RankingFacts, asked: Asked): string {
  for (const matcher of matchers) {
    const why = matcher(facts, asked);
    if (why !== undefined) return why + hereWords(facts, asked);
  }
  const { words } = asked;
  const hits = facts.hits(words);
  const part = partHit(hits, words);
  const bits = hits[part < 0 ? anywhere : part]!;
  const there = words.terms.filter((term) => isIn(bits, term));
  const texts = there.flatMap(({ text, isLight }) => (isLight ? [] : [text]));
  const some = there.length === words.terms.length ? 'all words' : texts.join(', ');
  const where: Readonly<Record<TextPart, string>> = {
    title: `${some} in what it is called`,
    branch: `${some} in its branch or repository`,
    tip: `${some} in its notes`,
    workflow: `workflow ${facts.workflowId ?? ''}`,
    deep: `${some} somewhere in what it recorded`,
  };
  const matched =
    part < 0
      ? `${texts.length} of ${words.terms.filter(({ isLight }) => !isLight).length} words somewhere in what it recorded: ${texts.join(', ')}`
      : where[textParts[part]!];
  return matched + (endsInBeginning(bits, words) ? ', the last as a beginning' : '') + hereWords(facts, asked);
}

function isLoose(facts: RankingFacts, asked: Asked): boolean {
  const { words } = asked;
  if (matchers.some((matcher) => matcher(facts, asked) !== undefined)) return false;
  const hits = facts.hits(words);
  const telling = words.terms.filter(({ isLight }) => !isLight);
  return partHit(hits, words) < 0 && 2 * telling.filter((term) => isIn(hits[anywhere]!, term)).length < telling.length;
}

function matchToken({ session, runId }: RankingFacts, { token }: Asked): string | undefined {
  const isIt = token?.sessionId === session.sessionId && (token.runId === undefined || token.runId === runId);
  return isIt ? token?.what : undefined;
}

function matchName(
  { session, runId }: RankingFacts,
  { names, titles, nameLengths, isOfRun }: Asked,
): string | undefined {
  if (isOfRun && runId !== undefined && names.has(runId)) return `its run “${runId}”`;
  if ((session.nameLengths & nameLengths) === 0) return undefined;
  for (const { what, name, folded } of session.names)
    if (names.has(folded) && (what !== 'its title' || titles.has(folded))) return `${what} “${name}”`;
  return undefined;
}

function matchCommit({ session }: RankingFacts, { heads }: Asked): string | undefined {
  const commit =
    heads.length === 0 ? undefined : session.commits.findLast((seen) => heads.some((head) => seen.startsWith(head)));
  return commit === undefined ? undefined : `commit ${commit.slice(0, 12)}`;
}

function matchBranch({ session }: RankingFacts, { branches }: Asked): string | undefined {
  const branch = session.branches.find(({ folded }) => branches.includes(folded));
  return branch && `branch ${branch.name}`;
}

function matchBranchStart({ session }: RankingFacts, { branchStart }: Asked): string | undefined {
  const branch = branchStart === '' ? undefined : session.branches.find(({ folded }) => folded.startsWith(branchStart));
  return branch && `branch ${branch.name}, which begins so`;
}

/** What it has in common with where the one who asks stands: the commit, or the branch of the same repository. */
function isHere({ session }: RankingFacts, { here }: Asked): string | undefined {
  const { branch, commit, repository } = here;
  if (commit !== undefined && session.commits.includes(commit)) return `commit ${commit.slice(0, 12)}`;
  const isSame = (of: string | undefined): boolean => of === undefined || repository === undefined || of === repository;
  return branch !== undefined && session.branches.some((seen) => seen.name === branch && isSame(seen.repository))
    ? `branch ${branch}`
    : undefined;
}

function hereWords(facts: RankingFacts, asked: Asked): string {
  const same = isHere(facts, asked);
  return same === undefined ? '' : `, at ${same} as this workspace is`;
}

/** In one number: what is asked for by its name, then words in one part, then those that are worth more before less. */
const tierOf = (step: number, missed: number, close: number): number =>
  (step * (mostScore + 1) + missed) * leastClose + close;

export function lastActivity({ run, session }: Candidate): string {
  return run?.lastAt ?? session.lastAt;
}
