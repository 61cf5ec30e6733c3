import { cutToBytes, firstWords } from '../base/byte-budget.js';
import type { SessionId } from '../base/ids.js';
import { limits } from '../base/limits.js';
import { compareEvents } from '../events/event.js';
import { rememberedIn, rememberedUpFrom, sessionEntries } from './entry.js';
import type { FoldedSession, Run, RunNode } from './folded-session.js';
import { recapOf } from './recap.js';
import { rankingFacts, type RankingFacts, sessionFacts, type SessionFacts } from './ranking-facts.js';
import { searchableText } from './searchable-text.js';
import { foldText, wordsOf } from './search-words.js';

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
  const known = new Map<
    FoldedSession,
    { readonly facts: SessionFacts; readonly say: ReturnType<typeof searchableText> }
  >();
  const places = candidates.map((candidate) => {
    const { sessionId, session, run, tip } = candidate;
    const { facts, say } = known.get(session) ?? {
      facts: sessionFacts(sessionId, session),
      say: searchableText(session),
    };
    known.set(session, { facts, say });
    return { candidate, facts: rankingFacts(facts, session, run, () => say(run, tip)) };
  });
  return rankFacts(places, wanted, Infinity).best.map(({ place, tier, why }) => ({ ...place.candidate, tier, why }));
}

export interface RankedPlace<P> {
  readonly place: P;
  readonly tier: number;
  readonly why: string;
}

/** The same ranking over facts alone: the best of them, and how many there are. Where nothing matches, all count, by recency. */
export function rankFacts<P extends { readonly facts: RankingFacts }>(
  places: readonly P[],
  wanted: Wanted,
  most: number,
): { readonly best: readonly RankedPlace<P>[]; readonly count: number } {
  const asked = askedOf(wanted);
  const matched: RankedPlace<P>[] = [];
  for (const place of places) {
    const match = matchOf(place.facts, asked);
    if (match !== undefined) matched.push({ place, ...match });
  }
  const ranked = matched.length > 0 ? matched : places.map((place) => ({ place, tier: recencyTier, why: 'recency' }));
  return { best: bestOf(ranked, most), count: ranked.length };
}

/** Sorting thousands to show five would cost more than looking at each. */
function bestOf<P extends { readonly facts: RankingFacts }>(
  ranked: readonly RankedPlace<P>[],
  most: number,
): readonly RankedPlace<P>[] {
  if (ranked.length <= most * 4) return ranked.toSorted(compareRanked).slice(0, most);
  const best: RankedPlace<P>[] = [];
  for (const one of ranked) {
    if (best.length === most && compareRanked(one, best.at(-1)!) >= 0) continue;
    const at = best.findIndex((other) => compareRanked(one, other) < 0);
    best.splice(at < 0 ? best.length : at, 0, one);
    if (best.length > most) best.pop();
  }
  return best;
}

/** What is looked for, folded once for all that is looked at. */
interface Asked {
  readonly names: readonly string[];
  /** An id or key among the words of a longer query is as good as the id alone. */
  readonly among: ReadonlySet<string>;
  readonly heads: readonly string[];
  readonly branches: readonly string[];
  readonly branchStart: string;
  readonly words: ReadonlySet<string>;
}

function askedOf({ query, gitBranch, gitHead, sessionId }: Wanted): Asked {
  const given = (texts: readonly (string | undefined)[]): readonly string[] =>
    texts.filter((text) => text !== undefined);
  return {
    names: given([sessionId, query]).map((text) => foldText(text.trim())),
    among: new Set((query ?? '').split(/\s+/u).map(foldText)),
    heads: given([gitHead, query])
      .map((text) => text.trim().toLowerCase())
      .filter((text) => /^[0-9a-f]{7,64}$/u.test(text)),
    branches: given([gitBranch, query])
      .filter((text) => text !== '')
      .map((text) => foldText(text.trim())),
    branchStart: foldText((gitBranch ?? '').trim()),
    words: wordsOf(query ?? ''),
  };
}

type Matcher = (facts: RankingFacts, asked: Asked) => string | undefined;

/** Strictest first. The first that matches decides. */
const tiers: readonly Matcher[] = [
  matchName,
  matchCommit,
  matchBranch,
  matchBranchStart,
  matchTip,
  matchWorkflow,
  matchDeep,
];

/** Where nothing matches, the most recent work is all there is to offer. */
export const recencyTier = tiers.length;

function matchOf(facts: RankingFacts, asked: Asked): { readonly tier: number; readonly why: string } | undefined {
  for (let tier = 0; tier < tiers.length; tier += 1) {
    const why = tiers[tier]!(facts, asked);
    if (why !== undefined) return { tier, why };
  }
  return undefined;
}

function matchName({ session }: RankingFacts, { names, among }: Asked): string | undefined {
  const found = session.names.find(
    ({ what, folded }) => names.includes(folded) || (what !== 'its title' && among.has(folded)),
  );
  return found === undefined ? undefined : `${found.what} “${found.name}”`;
}

function matchCommit({ session }: RankingFacts, { heads }: Asked): string | undefined {
  const commit =
    heads.length === 0 ? undefined : session.commits.findLast((seen) => heads.some((head) => seen.startsWith(head)));
  return commit === undefined ? undefined : `commit ${commit.slice(0, 12)}`;
}

function matchBranch({ session }: RankingFacts, { branches }: Asked): string | undefined {
  const branch = session.branches.find(({ folded }) => branches.includes(folded));
  return branch === undefined ? undefined : `branch ${branch.name}`;
}

function matchBranchStart({ session }: RankingFacts, { branchStart }: Asked): string | undefined {
  const branch = branchStart === '' ? undefined : session.branches.find(({ folded }) => folded.startsWith(branchStart));
  return branch === undefined ? undefined : `branch ${branch.name}, which begins so`;
}

function matchTip(facts: RankingFacts, { words }: Asked): string | undefined {
  return words.size > 0 && facts.has(words, 'tip') ? 'all words in its notes' : undefined;
}

function matchWorkflow(facts: RankingFacts, { words }: Asked): string | undefined {
  return facts.workflowId !== undefined && words.size > 0 && facts.has(words, 'workflow')
    ? `workflow ${facts.workflowId}`
    : undefined;
}

function matchDeep(facts: RankingFacts, { words }: Asked): string | undefined {
  return words.size > 0 && facts.has(words, 'deep') ? 'all words somewhere in what it recorded' : undefined;
}

function compareRanked<P extends { readonly facts: RankingFacts }>(a: RankedPlace<P>, b: RankedPlace<P>): number {
  if (a.tier !== b.tier) return a.tier - b.tier;
  const [one, other] = [a.place.facts, b.place.facts];
  if (one.lastActivity !== other.lastActivity) return one.lastActivity < other.lastActivity ? 1 : -1;
  const [idA, idB] = [one.session.sessionId, other.session.sessionId];
  if (idA !== idB) return idA < idB ? -1 : 1;
  const [runA, runB] = [one.runId ?? '', other.runId ?? ''];
  return runA === runB ? 0 : runA < runB ? -1 : 1;
}

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
