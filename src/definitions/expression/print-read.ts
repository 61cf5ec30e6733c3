import { expressionTree, type ExpressionTree } from './expression-tree.js';
import { printExpression } from './print-expression.js';

/** A part that conditions and texts of the WorkRail JSON format read, as its author wrote it: a key, or a name with members. */
export function printRead(tree: ExpressionTree): string | undefined {
  if (tree.op !== 'call' || (tree.function !== 'wr_get' && tree.function !== 'wr_part')) return undefined;
  const [of, path] = tree.args;
  const name = path?.op === 'literal' && typeof path.value === 'string' ? path.value : undefined;
  if (of === undefined || name === undefined) return undefined;
  return of.op === 'name' && of.name === 'context' ? name : `${printRead(of) ?? printExpression(of)}.${name}`;
}

/** What stands in a hole, as its author wrote it. */
export function printHole(source: string): string {
  const tree = source.startsWith('wr_') ? expressionTree(source) : undefined;
  return tree?.ok === true ? (printRead(tree.value) ?? source) : source;
}
