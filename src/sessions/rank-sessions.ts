import { cutToBytes, firstWords } from '../base/byte-budget.js';
import type { SessionId } from '../base/ids.js';
import { limits } from '../base/limits.js';
import { compareEvents } from '../events/event.js';
import { type AskedWords, askedWords } from './asked-words.js';
import { rememberedIn, rememberedUpFrom, sessionEntries } from './entry.js';
import type { FoldedSession, Run, RunNode } from './folded-session.js';
import { recapOf } from './recap.js';
import { rankingFacts, type RankingFacts, sessionFacts } from './ranking-facts.js';
import { type SearchableText, searchableText, type TextPart, textParts } from './searchable-text.js';
import { foldText } from './search-words.js';

export interface Wanted {
  readonly query?: string | undefined;
  readonly gitBranch?: string | undefined;
  readonly gitHead?: string | undefined;
  readonly sessionId?: string | undefined;
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
export function rankSessions(candidates: readonly Candidate[], wanted: Wanted): readonly Ranked[] {
  const places = candidates.map((candidate) => {
    const { sessionId, session, run, tip } = candidate;
    const said = (): readonly SearchableText[] => searchableText(sessionId, session)(run, tip);
    return { candidate, facts: rankingFacts(sessionFacts(sessionId, session), session, run, said) };
  });
  const { best } = rankPlaces(openPlaces(places), wanted, Infinity);
  return best.map(({ place, tier, why }) => ({ ...place.candidate, tier, why: why() }));
}

export interface Place {
  readonly facts: RankingFacts;
}

/** Closer matches have lower tiers. Why it matches is only put into words for those that are shown. */
interface Match {
  readonly tier: number;
  readonly why: () => string;
}

export interface RankedPlace<P extends Place> extends Match {
  readonly place: P;
}

/** Places to be ranked as often as somebody searches, in the order in which they lie in memory. */
export interface Places<P extends Place> {
  readonly all: readonly P[];
  /** Their indexes, that of the place first that was worked on last. */
  readonly byActivity: readonly number[];
}

export const openPlaces = <P extends Place>(all: readonly P[]): Places<P> => ({
  all,
  byActivity: all.map((_, at) => at).toSorted((a, b) => compareActivity(all[a]!, all[b]!)),
});

/** The same ranking over facts alone: the best of them, and how many there are. Where nothing matches, all count, by recency. */
export function rankPlaces<P extends Place>(
  { all, byActivity }: Places<P>,
  wanted: Wanted,
  most: number,
): { readonly best: readonly RankedPlace<P>[]; readonly count: number } {
  const asked = askedOf(wanted);
  const matches = all.map(({ facts }) => matchOf(facts, asked));
  const tiers = new Map<number, RankedPlace<P>[]>();
  let count = 0;
  for (const at of byActivity) {
    const match = matches[at];
    if (match === undefined) continue;
    count += 1;
    const ranked = { place: all[at]!, tier: match.tier, why: match.why };
    const same = tiers.get(match.tier);
    if (same === undefined) tiers.set(match.tier, [ranked]);
    else if (same.length < most) same.push(ranked);
  }
  if (count === 0) {
    const recent = byActivity
      .slice(0, most)
      .map((at) => ({ place: all[at]!, tier: recencyTier, why: () => 'recency' }));
    return { best: recent, count: all.length };
  }
  const best = [...tiers].toSorted(([a], [b]) => a - b).flatMap(([, same]) => same);
  return { best: best.slice(0, most), count };
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
  readonly titles: ReadonlySet<string>;
  readonly heads: readonly string[];
  readonly branches: readonly string[];
  readonly branchStart: string;
  readonly words: AskedWords;
}

function askedOf({ query, gitBranch, gitHead, sessionId }: Wanted): Asked {
  const given = (texts: readonly (string | undefined)[]): readonly string[] =>
    texts.filter((text) => text !== undefined);
  const titles = new Set(given([sessionId, query]).map((text) => foldText(text.trim())));
  return {
    names: new Set([...titles, ...(query ?? '').split(/\s+/u).map(foldText)]),
    titles,
    heads: given([gitHead, query])
      .map((text) => text.trim().toLowerCase())
      .filter((text) => /^[0-9a-f]{7,64}$/u.test(text)),
    branches: given([gitBranch, query])
      .filter((text) => text !== '')
      .map((text) => foldText(text.trim())),
    branchStart: foldText((gitBranch ?? '').trim()),
    words: askedWords(query ?? ''),
  };
}

/** Strictest first. The first that matches decides. */
const matchers: readonly ((facts: RankingFacts, asked: Asked) => (() => string) | undefined)[] = [
  matchName,
  matchCommit,
  matchBranch,
  matchBranchStart,
];

/** Where nothing matches, the most recent work is all there is to offer. */
export const recencyTier = Infinity;

function matchOf(facts: RankingFacts, asked: Asked): Match | undefined {
  for (let step = 0; step < matchers.length; step += 1) {
    const why = matchers[step]!(facts, asked);
    if (why !== undefined) return { tier: tierOf(step, 0, false, 0), why };
  }
  return asked.words.terms.length === 0 ? undefined : matchWords(facts, asked.words);
}

function matchName({ session }: RankingFacts, { names, titles }: Asked): (() => string) | undefined {
  for (const { what, name, folded } of session.names)
    if (names.has(folded) && (what !== 'its title' || titles.has(folded))) return () => `${what} “${name}”`;
  return undefined;
}

function matchCommit({ session }: RankingFacts, { heads }: Asked): (() => string) | undefined {
  const commit =
    heads.length === 0 ? undefined : session.commits.findLast((seen) => heads.some((head) => seen.startsWith(head)));
  return commit === undefined ? undefined : () => `commit ${commit.slice(0, 12)}`;
}

function matchBranch({ session }: RankingFacts, { branches }: Asked): (() => string) | undefined {
  const branch = session.branches.find(({ folded }) => branches.includes(folded));
  return branch && (() => `branch ${branch.name}`);
}

function matchBranchStart({ session }: RankingFacts, { branchStart }: Asked): (() => string) | undefined {
  const branch = branchStart === '' ? undefined : session.branches.find(({ folded }) => folded.startsWith(branchStart));
  return branch && (() => `branch ${branch.name}, which begins so`);
}

/** The parts in which all words may stand together, the closest first, and what is said of it. */
const parts: readonly (readonly [TextPart, (facts: RankingFacts) => string])[] = [
  ['title', () => 'all words in what it is called'],
  ['branch', () => 'all words in its branch or repository'],
  ['tip', () => 'all words in its notes'],
  ['workflow', ({ workflowId }) => `workflow ${workflowId ?? ''}`],
];

function matchWords(facts: RankingFacts, asked: AskedWords): Match | undefined {
  const { terms } = asked;
  const hits = facts.hits(asked);
  for (let step = 0; step < parts.length; step += 1) {
    const [part, why] = parts[step]!;
    const bits = hits[textParts.indexOf(part)]!;
    if (bits === 0 || countIn(bits, terms) < terms.length) continue;
    const isBegun = endsInBeginning(bits, asked);
    return { tier: tierOf(matchers.length + step, 0, isBegun, 0), why: () => why(facts) + begunText(isBegun) };
  }
  const [title, deep] = [hits[textParts.indexOf('title')]!, hits[textParts.indexOf('deep')]!];
  const count = countIn(deep, terms);
  if (count < asked.enough) return undefined;
  const isBegun = endsInBeginning(deep, asked);
  return {
    tier: tierOf(matchers.length + parts.length, terms.length - count, isBegun, countIn(title, terms)),
    why: () =>
      (count === terms.length
        ? 'all words somewhere in what it recorded'
        : `${count} of ${terms.length} words somewhere in what it recorded: ${thoseIn(deep, terms).join(', ')}`) +
      begunText(isBegun),
  };
}

/** In one number: words in one part before words anywhere, more words before fewer, whole ones before a beginning, more of them in the title before fewer. */
const tierOf = (step: number, missed: number, isBegun: boolean, inTitle: number): number =>
  ((step * 32 + missed) * 2 + Number(isBegun)) * 32 + 31 - inTitle;

const thoseIn = (bits: number, terms: AskedWords['terms']): readonly string[] =>
  terms.flatMap(({ text, words }) => ((bits & words) === words ? [text] : []));

function countIn(bits: number, terms: AskedWords['terms']): number {
  let count = 0;
  for (const { words } of terms) if ((bits & words) === words) count += 1;
  return count;
}

const endsInBeginning = (bits: number, { last, lastIsWhole }: AskedWords): boolean =>
  (bits & last) !== 0 && (bits & lastIsWhole) === 0;

const begunText = (isBegun: boolean): string => (isBegun ? ', the last as a beginning' : '');

/** The words to tell one candidate from another by: the newest notes on the way to it. */
export function snippetOf({ session, run, tip }: Candidate): string {
  // What somebody wrote comes before single words, which mostly are defaults.
  const isWord = (value: unknown): boolean => typeof value !== 'string' || /^\S*$/u.test(value);
  const inputs = Object.entries(run?.started.data.inputs ?? {})
    .toSorted(([, a], [, b]) => Number(isWord(a)) - Number(isWord(b)))
    .map(([name, value]) => `${name} = ${firstWords(JSON.stringify(value), 120)}`);
  const about = inputs.length === 0 ? '' : `${firstWords(inputs.join(', '), 300)}\n`;
  const { entries } = recapOf(
    tip === undefined ? rememberedIn(sessionEntries(session).toReversed()) : rememberedUpFrom(session, tip),
    limits.resumeSnippet - 500,
  );
  return cutToBytes(
    about +
      entries
        .filter(({ notes }) => notes !== undefined)
        .map(
          ({ title, notes, cut }) =>
            `${title}: ${notes ?? ''}${cut === undefined ? '' : ` … (${cut.after} bytes more)`}`,
        )
        .join('\n'),
    limits.resumeSnippet,
  );
}

export function lastActivity({ run, session }: Candidate): string {
  return run?.lastAt ?? session.lastAt;
}
