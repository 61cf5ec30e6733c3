import type { ExpressionTree } from './expression-tree.js';

function children(tree: ExpressionTree): readonly ExpressionTree[] {
  if ('left' in tree) return [tree.left, tree.right];
  switch (tree.op) {
    case 'literal':
    case 'name':
      return [];
    case 'member':
    case 'has':
      return [tree.of, tree.key];
    case 'list':
      return tree.items;
    case 'map':
      return tree.entries.flat();
    case 'choose':
      return [tree.test, tree.then, tree.otherwise];
    case 'not':
    case 'minus':
      return [tree.of];
    case 'each':
      return [tree.list, ...tree.bodies];
    case 'call':
      return tree.args;
  }
}

/** Every tree inside a tree, with the variables of the macros around it. */
export function visitExpression(
  tree: ExpressionTree,
  variables: ReadonlySet<string>,
  see: (tree: ExpressionTree, variables: ReadonlySet<string>) => void,
): void {
  see(tree, variables);
  const inner = tree.op === 'each' ? new Set([...variables, tree.variable]) : variables;
  for (const child of children(tree))
    visitExpression(child, tree.op === 'each' && child === tree.list ? variables : inner, see);
}

/** `context.key` as `context` and `key`, where neither is worked out nor hidden by a variable. */
export function rootRead(
  tree: ExpressionTree,
  variables: ReadonlySet<string>,
): { readonly root: string; readonly key: string } | undefined {
  const [of, key] = isLenientRead(tree)
    ? tree.args
    : tree.op === 'member' || tree.op === 'has'
      ? [tree.of, tree.key]
      : [];
  if (of?.op !== 'name' || variables.has(of.name) || key?.op !== 'literal' || typeof key.value !== 'string')
    return undefined;
  return { root: of.name, key: key.value };
}

/** `wr_get(context, "key")`, which has a value whether the key is set or not. */
export function isLenientRead(tree: ExpressionTree): tree is ExpressionTree & { readonly op: 'call' } {
  return tree.op === 'call' && tree.function === 'wr_get' && tree.args.length === 2;
}
