import { Markdown } from '../parts/markdown.js';

/** Code as in notes: with its colours, and a button that copies it. */
export function CodeTold({ text, language }: { readonly text: string; readonly language: string }) {
  const longest = Math.max(2, ...[...text.matchAll(/`+/gu)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return <Markdown text={`${fence}${language}\n${text}\n${fence}`} />;
}
