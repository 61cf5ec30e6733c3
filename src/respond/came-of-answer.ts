import type { NodeId } from '../base/ids.js';
import { sentenceText } from '../base/sentence.js';
import type { QuestionAnswered } from '../contract/question-told.js';
import type { CompiledWorkflow } from '../definitions/compiled/compiled-workflow.js';
import type { FoldedSession } from '../sessions/folded-session.js';
import { type RunStatus, statusAt, stoppedAt } from '../sessions/run-status.js';
import { settledBelow } from '../sessions/settled-below.js';
import { commandStory } from './command-story.js';

/** Where a run stands once a person has answered at a step that WorkRail does itself. */
export function cameOfAnswer(session: FoldedSession, id: NodeId, workflow: CompiledWorkflow): QuestionAnswered['came'] {
  const node = session.nodes.get(id);
  if (node === undefined) return undefined;
  const at = settledBelow(session, node);
  const status = statusAt(session, at);
  const here = commandStory(session, node, { workflow, bodyBytes: 0 });
  const [title, why] = [at.pending?.title ?? '', sentenceText(stoppedAt(session, at)?.data.message ?? '')];
  const said = at === node || here === undefined ? '' : `${here.says} `;
  return { status, says: `${said}${standing[status](title, why.replace(/[.…]$/u, ''))}` };
}

const standing: { readonly [status in RunStatus]: (title: string, why: string) => string } = {
  in_progress: (title) => `The run is now at “${title}”, which an agent does.`,
  blocked: (title) => `The run waits for the user at “${title}”.`,
  running: (title) => `WorkRail is still at “${title}”.`,
  complete: () => 'The run is complete.',
  complete_with_gaps: () => 'The run is complete, with critical gaps.',
  failed: (_title, why) => `The run failed: ${why}.`,
  canceled: (_title, why) => `The run was canceled: ${why}.`,
};
