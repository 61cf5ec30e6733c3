import { cutToBytes, firstWords } from '../base/byte-budget.js';
import type { SessionId } from '../base/ids.js';
import { limits } from '../base/limits.js';
import { compareEvents } from '../events/event.js';
import { type AskedWords, askedWords } from './asked-words.js';
import { rememberedIn, rememberedUpFrom, sessionEntries } from './entry.js';
import type { FoldedSession, Run, RunNode } from './folded-session.js';
import { recapOf } from './recap.js';
import { rankingFacts, type RankingFacts, sessionFacts } from './ranking-facts.js';
import { type Hits, type SearchableText, searchableText, type TextPart, textParts } from './searchable-text.js';
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

export interface RankedPlace<P extends Place> {
  readonly place: P;
  /** Closer matches have lower tiers. */
  readonly tier: number;
  /** Put into words only for those that are shown. */
  readonly why: () => string;
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
  const tiers = Uint32Array.from(all, ({ facts }) => openFirst(tierFor(facts, asked), facts));
  const matched = new Map<number, P[]>();
  let count = 0;
  for (const at of byActivity) {
    const tier = tiers[at]!;
    if (tier === noTier) continue;
    count += 1;
    const same = matched.get(tier);
    if (same === undefined) matched.set(tier, [all[at]!]);
    else if (same.length < most) same.push(all[at]!);
  }
  if (count === 0) {
    const recent = [true, false]
      .flatMap((isOpen) => byActivity.filter((at) => all[at]!.facts.isOpen === isOpen))
      .slice(0, most)
      .map((at) => ({ place: all[at]!, tier: recencyTier, why: () => 'recency' }));
    return { best: recent, count: all.length };
  }
  const best = [...matched]
    .toSorted(([a], [b]) => a - b)
    .flatMap(([tier, same]) => same.map((place) => ({ place, tier, why: () => whyMatched(place.facts, asked) })));
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
  /** Who has none of the words in its names or branches is not called so either. */
  readonly isOfWords: boolean;
}

function askedOf({ query, gitBranch, gitHead, sessionId }: Wanted): Asked {
  const given = (texts: readonly (string | undefined)[]): readonly string[] =>
    texts.filter((text) => text !== undefined);
  const titles = new Set(given([sessionId, query]).map((text) => foldText(text.trim())));
  const heads = given([gitHead, query])
    .map((text) => text.trim().toLowerCase())
    .filter((text) => /^[0-9a-f]{7,64}$/u.test(text));
  const words = askedWords(query ?? '');
  return {
    names: new Set([...titles, ...(query ?? '').split(/\s+/u).map(foldText)]),
    titles,
    heads,
    branches: given([gitBranch, query])
      .filter((text) => text !== '')
      .map((text) => foldText(text.trim())),
    branchStart: foldText((gitBranch ?? '').trim()),
    words,
    isOfWords: words.isAll && sessionId === undefined && gitBranch === undefined && heads.length === 0,
  };
}

/** What is asked for by a name of its own, the strictest first; each says why a place matches. */
const matchers: readonly ((facts: RankingFacts, asked: Asked) => string | undefined)[] = [
  matchName,
  matchCommit,
  matchBranch,
  matchBranchStart,
];

const noTier = 0;
/** Where nothing matches, the most recent work is all there is to offer. */
export const recencyTier = Infinity;

/** What can be gone on with comes before what has ended, among matches that are as close. */
const openFirst = (tier: number, { isOpen }: RankingFacts): number =>
  tier === noTier ? noTier : tier * 2 + Number(!isOpen);

/** The first that matches decides. */
function tierFor(facts: RankingFacts, asked: Asked): number {
  const hits = asked.words.terms.length === 0 ? undefined : facts.hits(asked.words);
  if (!asked.isOfWords || hits === undefined || hits[inTitle] !== 0 || hits[inBranch] !== 0)
    for (let step = 0; step < matchers.length; step += 1)
      if (matchers[step]!(facts, asked) !== undefined) return tierOf(step, 0, false, 0);
  const part = hits === undefined ? -1 : partHit(hits, asked.words);
  if (hits === undefined || part < 0) return noTier;
  const { terms } = asked.words;
  const missed = terms.length - countIn(hits[part]!, terms);
  const titled = part === anywhere ? countIn(hits[inTitle]!, terms) : 0;
  return tierOf(matchers.length + part, missed, endsInBeginning(hits[part]!, asked.words), titled);
}

function whyMatched(facts: RankingFacts, asked: Asked): string {
  for (const matcher of matchers) {
    const why = matcher(facts, asked);
    if (why !== undefined) return why;
  }
  const hits = facts.hits(asked.words);
  const part = partHit(hits, asked.words);
  const bits = hits[part]!;
  const there = asked.words.terms.flatMap(({ text, words }) => ((bits & words) === words ? [text] : []));
  const all = asked.words.terms.length;
  const where: Readonly<Record<TextPart, string>> = {
    title: 'all words in what it is called',
    branch: 'all words in its branch or repository',
    tip: 'all words in its notes',
    workflow: `workflow ${facts.workflowId ?? ''}`,
    deep:
      there.length === all
        ? 'all words somewhere in what it recorded'
        : `${there.length} of ${all} words somewhere in what it recorded: ${there.join(', ')}`,
  };
  return where[textParts[part]!] + (endsInBeginning(bits, asked.words) ? ', the last as a beginning' : '');
}

function matchName({ session }: RankingFacts, { names, titles }: Asked): string | undefined {
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

const inTitle = textParts.indexOf('title');
const inBranch = textParts.indexOf('branch');
const anywhere = textParts.indexOf('deep');

/** The closest part that has all of the words, or the last if there are enough of them anywhere; negative where there are not. */
function partHit(hits: Hits, { terms, enough }: AskedWords): number {
  for (let part = 0; part < anywhere; part += 1)
    if (hits[part] !== 0 && countIn(hits[part]!, terms) === terms.length) return part;
  return countIn(hits[anywhere]!, terms) >= enough ? anywhere : -1;
}

/** In one number: words in one part before words anywhere, more words before fewer, whole ones before a beginning, more of them in the title before fewer. */
const tierOf = (step: number, missed: number, isBegun: boolean, titled: number): number =>
  ((step * 32 + missed) * 2 + Number(isBegun)) * 32 + 31 - titled;

function countIn(bits: number, terms: AskedWords['terms']): number {
  let count = 0;
  for (const { words } of terms) if ((bits & words) === words) count += 1;
  return count;
}

const endsInBeginning = (bits: number, { last, lastIsWhole }: AskedWords): boolean =>
  (bits & last) !== 0 && (bits & lastIsWhole) === 0;

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
