import type { JsonObject, JsonValue } from '../../base/json-value.js';
import { own } from '../../base/own.js';
import type { CompiledWorkflow } from '../compiled/compiled-workflow.js';
import type { ExpressionTree } from '../expression/expression-tree.js';
import { withIteration } from './iteration-name.js';
import { sortedEntries } from './sorted-entries.js';
import { literalTree, callArgument } from './call-argument.js';

/** What each input of a routine stands for in a call: what is given, else the default. One that has neither is left out. */
export function callInputs(
  routine: CompiledWorkflow,
  given: JsonObject,
  iteration: string | undefined,
): ReadonlyMap<string, ExpressionTree> {
  const trees = new Map<string, ExpressionTree>();
  for (const [name, spec] of sortedEntries(routine.inputs)) {
    const value: JsonValue | undefined = own(given, name);
    const tree = value === undefined ? undefined : callArgument(value);
    if (tree?.ok === true) trees.set(name, iteration === undefined ? tree.value : withIteration(tree.value, iteration));
    else if (value === undefined && spec.default !== undefined) trees.set(name, literalTree(spec.default));
  }
  return trees;
}
