import { titleFromInputs } from '../../contract/title-from-inputs.js';
import type { RunHead, SessionHead } from '../../contract/session-story.js';
import { visibleTitle } from '../../render/visible-text.js';

/** What a run was asked to work on. */
export function givenTo({ inputs }: Pick<RunHead, 'inputs'>): string | undefined {
  const words = titleFromInputs(inputs);
  return words === undefined ? undefined : visibleTitle(words);
}

/** What a session is called where it has no title: by what it was given, else by its key. */
export function sessionName({ title, key, runs, sessionId }: SessionHead): string {
  const [newest] = runs.toSorted((a, b) => b.lastAt.localeCompare(a.lastAt));
  const given = newest === undefined ? undefined : givenTo(newest);
  return visibleTitle(title ?? given ?? key ?? runs.at(-1)?.workflow.title ?? sessionId);
}
