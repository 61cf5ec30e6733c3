import type { RunId } from '../base/ids.js';
import { oncePerObject } from '../base/once-per-object.js';
import type { FoldedSession, Run } from './folded-session.js';
import { type Hits, type SearchableText, textParts } from './searchable-text.js';
import { isOpen } from './run-status.js';
import type { AskedWords } from './asked-words.js';
import { foldText, wordsOf } from '../base/search-words.js';

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
  /** Of how many letters they are, a bit each: most are told from what is asked for without a look at them. */
  readonly nameLengths: number;
  /** Oldest first. */
  readonly commits: readonly string[];
  /** Newest first. */
  readonly branches: readonly {
    readonly name: string;
    readonly folded: string;
    readonly repository?: string | undefined;
  }[];
}

/** What one place where work stands is ranked by. Whether it comes from a fold or from an index, the same facts rank alike. */
export interface RankingFacts {
  readonly session: SessionFacts;
  readonly runId: RunId | undefined;
  readonly workflowId: string | undefined;
  readonly lastActivity: string;
  /** Somebody can go on with it: no run that has ended. */
  readonly isOpen: boolean;
  /** To be read before the next place is asked. */
  hits(asked: AskedWords): Hits;
}

export function sessionFacts(sessionId: string, session: FoldedSession): SessionFacts {
  const names: readonly (readonly [FactName['what'], string | undefined])[] = [
    ['its id', sessionId],
    ['its key', session.key],
    ['its title', session.title],
    ...session.tags.map((tag) => ['its tag', tag] as const),
  ];
  const told = names.flatMap(([what, name]) =>
    name === undefined || name === '' ? [] : [{ what, name, folded: foldText(name) }],
  );
  return {
    sessionId,
    names: told,
    nameLengths: lengthBits(told.map(({ folded }) => folded)),
    commits: session.observations.flatMap(({ commit }) => (commit === undefined ? [] : [commit])),
    branches: session.observations
      .toReversed()
      .flatMap(({ branch, repository }) =>
        branch === undefined ? [] : [{ name: branch, folded: foldText(branch), repository }],
      ),
  };
}

/** Lengths that differ by 32 share one. */
export function lengthBits(texts: Iterable<string>): number {
  let bits = 0;
  for (const { length } of texts) bits |= 1 << (length & 31);
  return bits;
}

export function rankingFacts(
  facts: SessionFacts,
  session: FoldedSession,
  run: Run | undefined,
  said: () => readonly SearchableText[],
): RankingFacts {
  return {
    session: facts,
    runId: run?.id,
    workflowId: run?.started.data.workflowId,
    lastActivity: run?.lastAt ?? session.lastAt,
    isOpen: run === undefined || isOpen(session, run),
    hits: oncePerObject((asked) => {
      const hits = textParts.map(() => 0);
      for (const { text, parts } of said()) {
        const bits = bitsIn(text, asked);
        if (bits !== 0) for (const part of parts) hits[textParts.indexOf(part)]! |= bits;
      }
      return hits;
    }),
  };
}

/** Which of the words stand in a text, by their bits. */
export function bitsIn(text: string, { words, forms, last, lastIsWhole }: AskedWords): number {
  const folded = foldText(text);
  // Most texts have none of the words, and to look for them is cheaper than to take it apart.
  if (!forms.some((same) => same.some((form) => folded.includes(form)))) return 0;
  const there = wordsOf(text);
  let bits = 0;
  for (const [at, word] of words.entries()) {
    const isLast = last === 1 << at;
    if (forms[at]!.some((form) => there.has(form))) bits |= isLast ? last | lastIsWhole : 1 << at;
    else if (isLast && [...there].some((other) => other.startsWith(word))) bits |= last;
  }
  return bits;
}
