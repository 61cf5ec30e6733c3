import type { DocumentStory } from '../contract/session-story.js';
import type { CompiledWorkflow } from '../definitions/compiled/compiled-workflow.js';
import { documentForm } from '../definitions/contracts/document-form.js';
import { type Document, foldDocuments } from '../sessions/documents.js';
import type { FoldedSession, RunNode } from '../sessions/folded-session.js';
import { outputsOf } from './outputs-of.js';

/** The documents as they stand at a node, with how people are shown each. */
export function documentsTold(
  session: FoldedSession,
  node: RunNode,
  workflow: CompiledWorkflow,
): readonly DocumentStory[] {
  const contracts = outputsOf(workflow.steps);
  return foldDocuments(session, node, contracts).map((document): DocumentStory => {
    const { name, fold, from, leftOut } = document;
    const shownAs = documentForm(contracts, { document: name, fold });
    return {
      name,
      fold,
      ...(shownAs !== undefined && { shownAs }),
      ...heldIn(document),
      from: from.map(({ path }) => path),
      leftOut,
    };
  });
}

function heldIn(document: Document): Pick<DocumentStory, 'header' | 'rows' | 'entries'> {
  switch (document.fold) {
    case 'header':
      return { header: document.header };
    case 'table':
      return { rows: document.rows };
    case 'log':
    case 'list':
      return { entries: document.entries };
  }
}
