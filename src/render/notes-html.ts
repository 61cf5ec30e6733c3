import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { escapeHtml } from './escape-html.js';
import { isTooCostly } from './too-costly-markdown.js';
import { safeHtml } from './safe-html.js';
import { visibleText } from './visible-text.js';

// Footnotes would need names that are used once on a page.
const extensions = [
  gfm(),
  { disable: { null: ['gfmFootnoteDefinition', 'gfmFootnoteCall', 'gfmPotentialFootnoteCall'] } },
];
const htmlExtensions = [gfmHtml()];

/** What somebody wrote in Markdown, as HTML in which nothing runs, loads or looks like the page around it. */
export function notesHtml(markdown: string): string {
  const shown = visibleText(markdown);
  if (isTooCostly(shown)) return `<pre>${escapeHtml(shown)}</pre>`;
  return safeHtml(micromark(shown, { extensions, htmlExtensions }));
}
