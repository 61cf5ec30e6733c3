import { cutToBytes, firstWords } from '../base/byte-budget.js';
import type { SessionId } from '../base/ids.js';
import { limits } from '../base/limits.js';
import { compareEvents } from '../events/event.js';
import { type Entry, entriesUpFrom, sessionEntries } from './entry.js';
import type { FoldedSession, Run, RunNode } from './folded-session.js';
import { recapOf } from './recap.js';
import { foldText, hasAllWords, wordsOf } from './search-words.js';

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

/** How much text of one candidate a search looks at: near its tip, and in all of its outputs. */
const nearTip = 16 * 1024;
const deep = 1024 * 1024;

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
  const ranked = candidates.flatMap((candidate): Ranked[] => {
    const match = matchOf(candidate, wanted);
    return match === undefined ? [] : [{ ...candidate, ...match }];
  });
  if (ranked.length > 0) return ranked.toSorted(compareRanked);
  return candidates.map((candidate) => ({ ...candidate, tier: recencyTier, why: 'recency' })).toSorted(compareRanked);
}

type Matcher = (candidate: Candidate, wanted: Wanted) => string | undefined;

/** Strictest first. The first that matches decides. */
const tiers: readonly Matcher[] = [matchName, matchCommit, matchBranch, matchBranchStart, matchTip, matchWorkflow, matchDeep];

/** Where nothing matches, the most recent work is all there is to offer. */
export const recencyTier = tiers.length;

function matchOf(candidate: Candidate, wanted: Wanted): { readonly tier: number; readonly why: string } | undefined {
  for (const [tier, match] of tiers.entries()) {
    const why = match(candidate, wanted);
    if (why !== undefined) return { tier, why };
  }
  return undefined;
}

function matchName({ sessionId, session }: Candidate, { query, sessionId: id }: Wanted): string | undefined {
  const names: readonly (readonly [string, string | undefined])[] = [
    ['its id', sessionId],
    ['its key', session.key],
    ['its title', session.title],
    ...session.tags.map((tag) => ['its tag', tag] as const),
  ];
  const asked = [id, query].filter((text) => text !== undefined).map((text) => foldText(text.trim()));
  // An id or key among the words of a longer query is as good as the id alone.
  const among = new Set((query ?? '').split(/\s+/u).map(foldText));
  for (const [what, name] of names) {
    if (name === undefined || name === '') continue;
    const folded = foldText(name);
    if (asked.includes(folded) || (what !== 'its title' && among.has(folded))) return `${what} “${name}”`;
  }
  return undefined;
}

function matchCommit({ session }: Candidate, { gitHead, query }: Wanted): string | undefined {
  const heads = [gitHead, query].map((text) => text?.trim().toLowerCase()).filter((text) => text !== undefined && /^[0-9a-f]{7,64}$/u.test(text));
  const commit = session.observations.findLast((seen) => heads.some((head) => head !== undefined && seen.commit?.startsWith(head) === true))?.commit;
  return commit === undefined ? undefined : `commit ${commit.slice(0, 12)}`;
}

function branchesOf(session: FoldedSession): readonly string[] {
  return session.observations.toReversed().flatMap(({ branch }) => (branch === undefined ? [] : [branch]));
}

function matchBranch({ session }: Candidate, { gitBranch, query }: Wanted): string | undefined {
  const asked = [gitBranch, query].filter((text) => text !== undefined && text !== '').map((text) => foldText((text ?? '').trim()));
  const branch = branchesOf(session).find((name) => asked.includes(foldText(name)));
  return branch === undefined ? undefined : `branch ${branch}`;
}

function matchBranchStart({ session }: Candidate, { gitBranch }: Wanted): string | undefined {
  const asked = foldText((gitBranch ?? '').trim());
  const branch = asked === '' ? undefined : branchesOf(session).find((name) => foldText(name).startsWith(asked));
  return branch === undefined ? undefined : `branch ${branch}, which begins so`;
}

function matchTip({ session, tip }: Candidate, { query }: Wanted): string | undefined {
  const words = wordsOf(query ?? '');
  const text = textOf(tip === undefined ? sessionEntries(session) : entriesUpFrom(session, tip), nearTip);
  return hasAllWords(words, text) ? 'all words in its notes' : undefined;
}

function matchWorkflow({ run }: Candidate, { query }: Wanted): string | undefined {
  if (run === undefined) return undefined;
  const { workflowId, title } = run.started.data;
  return hasAllWords(wordsOf(query ?? ''), `${workflowId} ${title}`) ? `workflow ${workflowId}` : undefined;
}

/** Everything that was ever written down in the run, whichever branch it is on, and beside the runs of the session. */
function matchDeep({ session, run }: Candidate, { query }: Wanted): string | undefined {
  const words = wordsOf(query ?? '');
  if (words.size === 0) return undefined;
  const nodes = [...session.nodes.values()].filter((node) => node.run === run?.id);
  const events = nodes.flatMap((node) => [node.madeBy.data, ...node.checkpoints.map(({ data }) => data), ...node.notes.map(({ data }) => data)]);
  const said = events.map((data) => ('output' in data || 'text' in data || 'context' in data ? data : null));
  const text = cutToBytes(JSON.stringify([session.title, session.notes.map(({ data }) => data), session.checkpoints.map(({ data }) => data), said]), deep);
  return hasAllWords(words, text) ? 'all words somewhere in what it recorded' : undefined;
}

function textOf(entries: Iterable<Entry>, budget: number): string {
  let text = '';
  for (const { title, output } of entries) {
    text += `\n${title}\n${output.notes ?? ''}\n${output.artifacts === undefined ? '' : JSON.stringify(output.artifacts)}`;
    if (text.length > budget) return text.slice(0, budget);
  }
  return text;
}

/** The words to tell one candidate from another by: the newest notes on the way to it. */
export function snippetOf({ session, run, tip }: Candidate): string {
  const inputs = Object.entries(run?.started.data.inputs ?? {}).map(([name, value]) => `${name} = ${firstWords(JSON.stringify(value), 120)}`);
  const about = inputs.length === 0 ? '' : `${firstWords(inputs.join(', '), 300)}\n`;
  const { entries } = recapOf(tip === undefined ? sessionEntries(session).toReversed() : entriesUpFrom(session, tip), limits.resumeSnippet - 500);
  return cutToBytes(about + entries.filter(({ notes }) => notes !== undefined).map(({ title, notes, cut }) => `${title}: ${notes ?? ''}${cut === undefined ? '' : ` … (${cut.after} bytes more)`}`).join('\n'), limits.resumeSnippet);
}

export function lastActivity({ run, session }: Candidate): string {
  return run?.lastAt ?? session.lastAt;
}

function compareRanked(a: Ranked, b: Ranked): number {
  if (a.tier !== b.tier) return a.tier - b.tier;
  const [atA, atB] = [lastActivity(a), lastActivity(b)];
  if (atA !== atB) return atA < atB ? 1 : -1;
  if (a.sessionId !== b.sessionId) return a.sessionId < b.sessionId ? -1 : 1;
  return (a.run?.id ?? '') < (b.run?.id ?? '') ? -1 : 1;
}
