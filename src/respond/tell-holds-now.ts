import { firstWords } from '../base/byte-budget.js';
import { oncePerObject } from '../base/once-per-object.js';
import type { WarningTold } from '../contract/answer.js';
import type { CompiledStep, CompiledWorkflow } from '../definitions/compiled/compiled-workflow.js';
import { type Frame, pathOf } from '../definitions/compiled/place.js';
import { everyStep } from '../definitions/compiled/visit-steps.js';
import { contextReads } from '../definitions/expression/context-reads.js';
import { evaluateCondition } from '../definitions/expression/expression.js';
import { scopeAt } from '../definitions/expression/scope-at.js';
import { tellExpression } from '../definitions/expression/tell-expression.js';
import type { FoldedSession, RunNode } from '../sessions/folded-session.js';
import { recordsAt } from '../sessions/records.js';
import { roundsDone } from '../sessions/rounds-done.js';
import type { Told } from './told.js';

const most = 3;
const titleTold = 80;

/** A step that a condition of the WorkRail JSON format may leave out, once and for all: in a loop each round asks anew. */
interface Skippable {
  readonly path: string;
  readonly condition: string;
  readonly frames: readonly Frame[];
  readonly keys: readonly string[];
}

const skippable = oncePerObject((workflow: CompiledWorkflow): readonly Skippable[] =>
  [...everyStep(workflow.steps)].flatMap(({ step, around }): readonly Skippable[] => {
    if (around.some(({ kind }) => kind === 'loop')) return [];
    const path = pathOf(around, [], step.id);
    return asked(step).flatMap(({ condition, frames }) => {
      const reads = contextReads(condition).filter(({ lenient }) => lenient === true);
      return reads.length === 0 ? [] : [{ path, condition, frames, keys: reads.map(({ key }) => key) }];
    });
  }),
);

const asked = (step: CompiledStep): readonly Pick<Skippable, 'condition' | 'frames'>[] => [
  ...(step.if === undefined ? [] : [{ condition: step.if, frames: [] }]),
  ...(step.kind === 'loop' && step.loop.type === 'while'
    ? [{ condition: step.loop.test, frames: [{ loop: step.id, iteration: 1 }] }]
    : []),
];

/**
 * Steps that were skipped before and would not be with what a step has just handed back. They stay skipped; whoever
 * wants them done hears from where.
 */
export function tellHoldsNow(
  { session, workflow, sealer }: Told,
  parent: RunNode,
  node: RunNode,
): readonly WarningTold[] {
  const given = node.madeBy.data.context ?? {};
  const open = skippable(workflow).filter(({ keys }) => keys.some((key) => Object.hasOwn(given, key)));
  if (open.length === 0) return [];
  const skips = skipsAbove(session, parent, new Set(open.map(({ path }) => path)));
  const turned = open.filter(
    (one) => skips.has(one.path) && !holdsAt(session, workflow, parent, one) && holdsAt(session, workflow, node, one),
  );
  return turned.slice(0, most).map(({ path, condition, keys }): WarningTold => {
    const { title, from } = skips.get(path)!;
    const now = keys.filter((key) => Object.hasOwn(given, key)).map((key) => `context.${key}`);
    const what = `“${firstWords(title, titleTold)}” was skipped and stays so here, though this holds now: ${tellExpression(condition)}`;
    const how =
      from?.pending === undefined
        ? `to have it done, start the workflow again with ${now.join(', ')}`
        : `to have it done, do “${firstWords(from.pending.title, titleTold)}” again, with ${now.join(', ')} as now, on a branch of its own: continue_workflow {"stateToken":"${sealer.state(from.id)}"} shows it with its ackToken`;
    return { code: 'SKIPPED_BEFORE', message: `${what}; ${how}`, path };
  });
}

/** Where on the way to a node some steps were skipped: their titles then, and the node at which the step before them was done. */
function skipsAbove(
  session: FoldedSession,
  node: RunNode,
  paths: ReadonlySet<string>,
): ReadonlyMap<string, { readonly title: string; readonly from: RunNode | undefined }> {
  const found = new Map<string, { title: string; from: RunNode | undefined }>();
  for (let at: RunNode | undefined = node; at !== undefined && found.size < paths.size;) {
    const from: RunNode | undefined = at.parent === undefined ? undefined : session.nodes.get(at.parent);
    for (const { path, title } of at.madeBy.data.skipped ?? []) if (paths.has(path)) found.set(path, { title, from });
    at = from;
  }
  return found;
}

function holdsAt(
  session: FoldedSession,
  workflow: CompiledWorkflow,
  node: RunNode,
  { condition, frames }: Skippable,
): boolean {
  const inputs = session.runs.get(node.run)?.started.data.inputs ?? {};
  const facts = { ...recordsAt(session, node), inputs, rounds: roundsDone(session, node) };
  const result = evaluateCondition(condition, scopeAt(workflow, facts, frames));
  return result.ok && result.value;
}
