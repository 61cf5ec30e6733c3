import { byteLength, cutToBytes } from '../base/byte-budget.js';
import { limits } from '../base/limits.js';
import type { DocumentTold } from '../contract/answer.js';
import type { CompiledWorkflow } from '../definitions/compiled/compiled-workflow.js';
import { type Document, foldDocuments } from '../sessions/documents.js';
import type { FoldedSession, RunNode } from '../sessions/folded-session.js';
import { documentPageName, type LookPage } from '../sessions/look-page.js';
import { entriesByWeight } from './entries-by-weight.js';
import { outputsOf } from './outputs-of.js';

/** The documents that the artifacts on the way to a node make up. Of the one that is asked for, also its text, page by page. */
export function tellDocuments(
  session: FoldedSession,
  workflow: CompiledWorkflow,
  node: RunNode,
  page: LookPage | undefined,
): readonly DocumentTold[] {
  return foldDocuments(session, node, outputsOf(workflow.steps)).map((document): DocumentTold => {
    const { name, fold } = document;
    const about = { name, fold, size: linesOf(document).length, page: documentPageName(name, 0) };
    return page?.kind === 'document' && page.name === name ? { ...about, ...pageOf(document, page.from) } : about;
  });
}

/** A page ends where a row does, unless a single row is longer. */
function pageOf(document: Document, from: number): Pick<DocumentTold, 'text' | 'nextPage'> {
  const rest = Buffer.from(linesOf(document).join('\n'), 'utf8').toString('utf8', from);
  const fits = cutToBytes(rest, limits.recap);
  if (fits.length === rest.length) return { text: rest };
  const text = fits.slice(0, fits.lastIndexOf('\n') + 1) || fits;
  return { text, nextPage: documentPageName(document.name, from + byteLength(text)) };
}

/** One line a field, row or entry. */
function linesOf(document: Document): readonly string[] {
  switch (document.fold) {
    case 'header':
      return Object.entries(document.header).map(
        ([field, value]) => `- ${field}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
      );
    case 'table':
      return entriesByWeight(document).map(({ entry }) => `- ${JSON.stringify(entry)}`);
    case 'log':
    case 'list':
      return document.entries.map(
        (entry) =>
          `- ${typeof entry['text'] === 'string' && Object.keys(entry).length === 1 ? entry['text'] : JSON.stringify(entry)}`,
      );
  }
}
