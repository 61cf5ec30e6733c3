import type { JsonObject } from '../../base/json-value.js';

/** What an agent hands in with a step: notes, artifacts, gaps and facts. */
export type HandedIn = JsonObject;

/** A piece of work of the demonstration: what is asked for and what is handed in, in order. */
export interface DemoTale {
  readonly session: string;
  /** What a person calls it; without a title it is called by its input. */
  readonly label: { readonly title?: string; readonly tags: readonly string[] };
  readonly workflowId: string;
  readonly context: JsonObject;
  readonly steps: readonly HandedIn[];
  /** What then waits for the user, what follows once they have agreed to it, and what is noted where they have not. */
  readonly waits?: { readonly asked: HandedIn; readonly agreed: readonly HandedIn[]; readonly refused: string };
}

/** Lines of Markdown, so that a text reads in the source as it does on the page. */
export const lines = (...text: readonly string[]): string => text.join('\n');

/** Lines in a fence, of a language. */
export const fenced = (language: string, ...text: readonly string[]): string =>
  lines(`\`\`\`${language}`, ...text, '```');

/** What a person types to label a session. */
export const commandToLabel = ({ session, label: { title, tags } }: Pick<DemoTale, 'session' | 'label'>): string[] => [
  'sessions',
  'label',
  session,
  ...(title === undefined ? [] : ['--title', title]),
  ...tags.flatMap((tag) => ['--tag', tag]),
];
