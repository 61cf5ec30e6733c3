import type { JsonValue } from '../../base/json-value.js';
import { freeNames } from '../expression/bind-expression.js';
import type { ExpressionTree } from '../expression/expression-tree.js';
import { callArgument } from './call-argument.js';
import { loopFields } from '../source/step-keys.js';
import type { StepSource } from '../source/workflow-format.js';

/**
 * `iteration` means the innermost loop, and a called routine may bring loops of its own. So where a call hands its own
 * iteration on, the loop around the call gets a counter with a name that nothing inside can hide.
 */
export function iterationName(loopId: string): string {
  return `iteration_of_${loopId.replaceAll('-', '_')}`;
}

/** Whether a call in this step, in the same loop, hands `iteration` on. */
export function namesIteration(step: StepSource): boolean {
  if (step.call !== undefined) return Object.values(step.with ?? {}).some(readsIteration);
  const isLoop = loopFields.some((field) => step[field] !== undefined);
  return !isLoop && (step.steps ?? []).some(namesIteration);
}

function readsIteration(value: JsonValue): boolean {
  const tree = callArgument(value);
  return tree.ok && freeNames(tree.value).has('iteration');
}

/** The tree with another name for `iteration`. */
export function withIteration(tree: ExpressionTree, name: string): ExpressionTree {
  return renamed(tree, name) as ExpressionTree;
}

type Part = ExpressionTree | JsonValue | bigint | readonly Part[] | { readonly [field: string]: Part };

function renamed(part: Part, name: string): Part {
  if (Array.isArray(part)) return (part as readonly Part[]).map((item) => renamed(item, name));
  if (typeof part !== 'object' || part === null) return part;
  const fields = part as { readonly [field: string]: Part };
  if (fields['op'] === 'name' && fields['name'] === 'iteration') return { ...fields, name };
  // Inside of a macro that gives the name to its elements, it is theirs.
  const hidden = fields['op'] === 'each' && fields['variable'] === 'iteration';
  return Object.fromEntries(
    Object.entries(fields).map(([field, inner]) => [
      field,
      hidden && field === 'bodies' ? inner : renamed(inner, name),
    ]),
  );
}
