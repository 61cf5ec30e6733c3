import type { RunId } from '../base/ids.js';
import { limits } from '../base/limits.js';
import { cutToBytes } from '../base/byte-budget.js';
import { type Entry, entriesUpFrom, sessionEntries } from './entry.js';
import type { FoldedSession, Run, RunNode } from './folded-session.js';
import { foldText, wordsOf } from './search-words.js';

/** What a session is called, with what kind of name it is. */
export interface FactName {
  readonly what: 'its id' | 'its key' | 'its title' | 'its tag';
  readonly name: string;
  readonly folded: string;
}

/** What the runs of one session are found by alike. */
export interface SessionFacts {
  readonly sessionId: string;
  readonly names: readonly FactName[];
  /** Oldest first. */
  readonly commits: readonly string[];
  /** Newest first. */
  readonly branches: readonly { readonly name: string; readonly folded: string }[];
}

/** What one place where work stands is ranked by. Whether it comes from a fold or from an index, the same facts rank alike. */
export interface RankingFacts {
  readonly session: SessionFacts;
  readonly runId: RunId | undefined;
  readonly workflowId: string | undefined;
  readonly lastActivity: string;
  /** Whether all of these words stand in one part of its text. Never asked for no word at all. */
  has(words: ReadonlySet<string>, part: TextPart): boolean;
}

/** What was said near the tip; the workflow's names; everything that was ever written down. */
export const textParts = ['tip', 'workflow', 'deep'] as const;
export type TextPart = (typeof textParts)[number];

/** How much text of one candidate a search looks at: near its tip, and in all of its outputs. */
const nearTip = limits.searchNearTip;
const deep = limits.searchDeep;

export function sessionFacts(sessionId: string, session: FoldedSession): SessionFacts {
  const names: readonly (readonly [FactName['what'], string | undefined])[] = [
    ['its id', sessionId],
    ['its key', session.key],
    ['its title', session.title],
    ...session.tags.map((tag) => ['its tag', tag] as const),
  ];
  return {
    sessionId,
    names: names.flatMap(([what, name]) => (name === undefined || name === '' ? [] : [{ what, name, folded: foldText(name) }])),
    commits: session.observations.flatMap(({ commit }) => (commit === undefined ? [] : [commit])),
    branches: session.observations.toReversed().flatMap(({ branch }) => (branch === undefined ? [] : [{ name: branch, folded: foldText(branch) }])),
  };
}

/** The words of one part of what a run, or a session without runs, has to say. */
export function wordsIn(part: TextPart, session: FoldedSession, run: Run | undefined, tip: RunNode | undefined): ReadonlySet<string> {
  switch (part) {
    case 'tip':
      return wordsOf(textOf(tip === undefined ? sessionEntries(session) : entriesUpFrom(session, tip), nearTip));
    case 'workflow':
      return run === undefined ? new Set() : wordsOf(`${run.started.data.workflowId} ${run.started.data.title}`);
    case 'deep':
      return wordsOf(everythingSaid(session, run));
  }
}

export function rankingFacts(facts: SessionFacts, session: FoldedSession, run: Run | undefined, tip: RunNode | undefined): RankingFacts {
  const known = new Map<TextPart, ReadonlySet<string>>();
  return {
    session: facts,
    runId: run?.id,
    workflowId: run?.started.data.workflowId,
    lastActivity: run?.lastAt ?? session.lastAt,
    has(words, part) {
      const there = known.get(part) ?? wordsIn(part, session, run, tip);
      known.set(part, there);
      for (const word of words) if (!there.has(word)) return false;
      return true;
    },
  };
}

/** Everything that was ever written down in the run, whichever branch it is on, and beside the runs of the session. */
function everythingSaid(session: FoldedSession, run: Run | undefined): string {
  const nodes = [...session.nodes.values()].filter((node) => node.run === run?.id);
  const events = nodes.flatMap((node) => [node.madeBy.data, ...node.checkpoints.map(({ data }) => data), ...node.notes.map(({ data }) => data)]);
  const said = events.map((data) => ('output' in data || 'text' in data || 'context' in data ? data : null));
  return cutToBytes(JSON.stringify([session.title, session.notes.map(({ data }) => data), session.checkpoints.map(({ data }) => data), said]), deep);
}

function textOf(entries: Iterable<Entry>, budget: number): string {
  let text = '';
  for (const { title, output } of entries) {
    text += `\n${title}\n${output.notes ?? ''}\n${output.artifacts === undefined ? '' : JSON.stringify(output.artifacts)}`;
    if (text.length > budget) return text.slice(0, budget);
  }
  return text;
}
