import type { JsonValue } from '../../base/json-value.js';
import { freeNames } from './bind-expression.js';
import { evaluate } from './expression.js';
import { expressionTree, type ExpressionTree } from './expression-tree.js';
import { printExpression } from './print-expression.js';

/** The value of an expression that has the same one whatever is handed to it; undefined where it hangs on something, or has none. */
export function constantValue(source: string): JsonValue | undefined {
  const tree = expressionTree(source);
  return tree.ok ? valueOf(tree.value) : undefined;
}

function valueOf(tree: ExpressionTree): JsonValue | undefined {
  if (freeNames(tree).size === 0) {
    const result = evaluate(printExpression(tree), { inputs: {}, context: {}, outputs: {}, names: {} });
    return result.ok ? result.value : undefined;
  }
  // The side that settles these does so even where the other has no value.
  if (tree.op === '&&') return settled(tree, false);
  if (tree.op === '||') return settled(tree, true);
  if (tree.op === 'choose') {
    const test = valueOf(tree.test);
    return test === true ? valueOf(tree.then) : test === false ? valueOf(tree.otherwise) : undefined;
  }
  const of = tree.op === 'not' ? valueOf(tree.of) : undefined;
  return typeof of === 'boolean' ? !of : undefined;
}

function settled(
  { left, right }: { readonly left: ExpressionTree; readonly right: ExpressionTree },
  by: boolean,
): boolean | undefined {
  const sides = [valueOf(left), valueOf(right)];
  if (sides.includes(by)) return by;
  return sides.every((side) => side === !by) ? !by : undefined;
}
