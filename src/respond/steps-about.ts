import type { CompiledWorkflow } from '../definitions/compiled/compiled-workflow.js';
import type { Facts } from '../definitions/expression/scope-at.js';
import { stepsToCome } from '../definitions/expression/steps-to-come.js';
import type { FoldedSession, RunNode } from '../sessions/folded-session.js';
import { recordsAt } from '../sessions/records.js';
import { roundsDone } from '../sessions/rounds-done.js';

/** About how many steps a run comes to, as it looks from the step that waits at a node; undefined where none does. */
export function stepsAbout(session: FoldedSession, workflow: CompiledWorkflow, node: RunNode): number | undefined {
  return node.pending && node.depth + stepsToCome(workflow, node.pending, factsAt(session, node));
}

/** What the way from a node on depends on. */
export const factsAt = (session: FoldedSession, node: RunNode): Omit<Facts, 'controls'> => ({
  ...recordsAt(session, node),
  inputs: session.runs.get(node.run)?.started.data.inputs ?? {},
  rounds: roundsDone(session, node),
});
