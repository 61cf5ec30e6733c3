import { expressionTree, type ExpressionTree } from './expression-tree.js';
import { memoize } from './memoize.js';
import { visitExpression } from './visit-expression.js';

/** The way to a part of the shared state: the names of members, from the outside in. */
export type StatePath = readonly string[];

/**
 * The parts of the shared state that an expression reads. What stands behind a number, or behind what is worked out, is
 * read with all that is around it.
 */
export const stateReads: (source: string) => readonly StatePath[] = memoize((source) => {
  if (!source.includes('state')) return [];
  const tree = expressionTree(source);
  if (!tree.ok) return [];
  const found: StatePath[] = [];
  const inner = new Set<ExpressionTree>();
  visitExpression(tree.value, new Set(), (node, variables) => {
    if (inner.has(node)) return;
    const path = pathIn(node, variables, inner);
    if (path !== undefined) found.push(path);
  });
  return found;
});

function pathIn(
  tree: ExpressionTree,
  variables: ReadonlySet<string>,
  inner: Set<ExpressionTree>,
): StatePath | undefined {
  if (tree.op === 'name') return tree.name === 'state' && !variables.has('state') ? [] : undefined;
  if (tree.op !== 'member' && tree.op !== 'has') return undefined;
  const around = pathIn(tree.of, variables, inner);
  if (around === undefined) return undefined;
  inner.add(tree.of);
  if (tree.key.op === 'literal' && typeof tree.key.value === 'string' && !isOpen(tree.of))
    return [...around, tree.key.value];
  return around;
}

/** A part of which nobody can say which one it is: what is asked of it may be anywhere in what holds it. */
const isOpen = (tree: ExpressionTree): boolean =>
  (tree.op === 'member' || tree.op === 'has') &&
  (tree.key.op !== 'literal' || typeof tree.key.value !== 'string' || isOpen(tree.of));
