import { constantValue } from './constant-value.js';
import type { ExpressionTree } from './expression-tree.js';
import { printExpression } from './print-expression.js';

/**
 * A condition without the parts that are settled already: what a call gives to a routine answers some of what the routine
 * asks. It holds, fails and has no value where the whole one does.
 */
export function simpleCondition(tree: ExpressionTree): ExpressionTree {
  const known = constantValue(printExpression(tree));
  if (typeof known === 'boolean') return { op: 'literal', value: known };
  if (tree.op === 'not') return { op: 'not', of: simpleCondition(tree.of) };
  if (tree.op === '&&' || tree.op === '||') {
    const [left, right] = [simpleCondition(tree.left), simpleCondition(tree.right)];
    // Had either settled it, the whole would be known.
    if (isSettled(left)) return right;
    return isSettled(right) ? left : { op: tree.op, left, right };
  }
  if (tree.op !== 'choose') return tree;
  const test = simpleCondition(tree.test);
  const then = simpleCondition(tree.then);
  const otherwise = simpleCondition(tree.otherwise);
  if (isSettled(test)) return test.value ? then : otherwise;
  return { op: 'choose', test, then, otherwise };
}

const isSettled = (tree: ExpressionTree): tree is { readonly op: 'literal'; readonly value: boolean } =>
  tree.op === 'literal' && typeof tree.value === 'boolean';
