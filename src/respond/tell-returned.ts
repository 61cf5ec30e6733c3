import { limits } from '../base/limits.js';
import type { JsonObject, JsonValue } from '../base/json-value.js';
import type { CompiledWorkflow } from '../definitions/compiled/compiled-workflow.js';
import { filledValue } from '../definitions/expression/filled-value.js';
import { scopeAt } from '../definitions/expression/scope-at.js';
import type { FoldedSession, RunNode } from '../sessions/folded-session.js';
import { recordsAt } from '../sessions/records.js';
import { roundsDone } from '../sessions/rounds-done.js';

/** What a run that is complete gives, as its workflow says; what has no value is null. */
export function tellReturned(
  session: FoldedSession,
  workflow: CompiledWorkflow,
  node: RunNode,
): JsonObject | undefined {
  if (workflow.returns === undefined) return undefined;
  const inputs = session.runs.get(node.run)?.started.data.inputs ?? {};
  const facts = { ...recordsAt(session, node), inputs, rounds: roundsDone(session, node) };
  const scope = { ...scopeAt(workflow, facts, []), meter: { left: limits.stepWork } };
  return Object.fromEntries(
    Object.entries(workflow.returns).map(([name, source]): [string, JsonValue] => {
      const { value, problems } = filledValue(source, scope);
      return [name, problems.length === 0 ? value : null];
    }),
  );
}
