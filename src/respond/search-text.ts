import { limits } from '../base/limits.js';
import type { FoldedSession } from '../sessions/folded-session.js';
import { foldText } from '../sessions/search-words.js';

/** What a session is searched by, folded once, so that a search reads no session. */
export interface SearchText {
  /** Id, key, title and tags, each with what it is. */
  readonly names: readonly (readonly [what: string, name: string])[];
  readonly branches: string;
  readonly workflows: string;
  /** Everything that was written down, the newest first, up to a bound. */
  readonly said: string;
}

export interface TextMatch {
  /** Lower is closer. */
  readonly tier: number;
  readonly why: string;
}

export function searchText(sessionId: string, session: FoldedSession): SearchText {
  const { key, title, tags, observations, runs } = session;
  const names: readonly (readonly [string, string | undefined])[] = [
    ['its id', sessionId],
    ['its key', key],
    ['its title', title],
    ...tags.map((tag) => ['its tag', tag] as const),
  ];
  return {
    names: names.flatMap(([what, name]) =>
      name === undefined || name === '' ? [] : [[what, foldText(name)] as const],
    ),
    branches: foldText(
      [...new Set(observations.flatMap(({ branch, repository }) => [branch ?? '', repository ?? '']))].join('\n'),
    ),
    workflows: foldText(
      [...new Set([...runs.values()].flatMap(({ started }) => [started.data.workflowId, started.data.title]))].join(
        '\n',
      ),
    ),
    said: foldText(newestWords(session)),
  };
}

/** Each word that is typed must stand somewhere, whole or as a part: the last one is still being typed. */
export function matchText(
  { names, branches, workflows, said }: SearchText,
  words: readonly string[],
): TextMatch | undefined {
  const whole = words.join(' ');
  const exact = names.find(([, name]) => name === whole);
  if (exact !== undefined) return { tier: 0, why: exact[0] };
  const all = (text: string): boolean => words.every((word) => text.includes(word));
  const named = names.find(([, name]) => all(name));
  if (named !== undefined) return { tier: 1, why: named[0] };
  if (all(branches)) return { tier: 2, why: 'its branch or repository' };
  if (all(workflows)) return { tier: 3, why: 'its workflow' };
  if (all(said)) return { tier: 4, why: 'what was written down in it' };
  // One word that stands in none of them stands nowhere.
  if (words.length === 1) return undefined;
  const everything = [...names.map(([, name]) => name), branches, workflows, said];
  return words.every((word) => everything.some((text) => text.includes(word)))
    ? { tier: 5, why: 'its names and what was written down in it together' }
    : undefined;
}

export const searchedWords = (query: string): readonly string[] =>
  foldText(query)
    .split(/\s+/u)
    .filter((word) => word !== '');

function newestWords(session: FoldedSession): string {
  const parts: string[] = [];
  let left: number = limits.searchText;
  const take = (text: string | undefined): boolean => {
    if (text === undefined || text === '') return left > 0;
    parts.push(text.slice(0, left));
    left -= text.length + 1;
    return left > 0;
  };
  for (const { data } of session.notes.toReversed()) if (!take(data.text)) break;
  for (const { data } of session.checkpoints.toReversed()) if (!take(data.output.notes)) break;
  for (const { started } of session.runs.values())
    if (
      !take(
        Object.values(started.data.inputs)
          .map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
          .join('\n'),
      )
    )
      break;
  for (const { madeBy, checkpoints, notes, pending } of [...session.nodes.values()].toReversed()) {
    const texts = [
      pending?.title,
      ...notes.map(({ data }) => data.text),
      ...checkpoints.map(({ data }) => data.output.notes),
    ];
    if (madeBy.kind === 'step_acked')
      texts.push(
        madeBy.data.output?.notes,
        madeBy.data.output?.artifacts === undefined ? undefined : JSON.stringify(madeBy.data.output.artifacts),
      );
    if (!texts.every(take)) break;
  }
  return parts.join('\n');
}
