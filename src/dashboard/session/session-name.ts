import type { RunHead, SessionHead } from '../../contract/http-api.js';
import { visibleTitle } from '../../render/visible-text.js';

/** What a run was asked to work on: its first input that is text. */
export function givenTo({ inputs }: Pick<RunHead, 'inputs'>): string | undefined {
  for (const value of Object.values(inputs)) if (typeof value === 'string' && value.trim() !== '') return visibleTitle(value);
  return undefined;
}

/** What a session is called where it has no title: by what it was given, else by its key. */
export function sessionName({ title, key, runs, sessionId }: Pick<SessionHead, 'title' | 'key' | 'runs' | 'sessionId'>): string {
  const given = runs.map(givenTo).find((text) => text !== undefined);
  return visibleTitle(title ?? given ?? key ?? runs.at(-1)?.workflow.title ?? sessionId);
}
