import { expressionTree } from './expression-tree.js';
import { memoize } from './memoize.js';
import { rootRead, visitExpression } from './visit-expression.js';

/** The steps whose output an expression reads. */
export const outputReads: (source: string) => ReadonlySet<string> = memoize((source) => {
  const found = new Set<string>();
  const tree = expressionTree(source);
  if (tree.ok)
    visitExpression(tree.value, new Set(), (node, variables) => {
      const read = rootRead(node, variables);
      if (read?.root === 'outputs') found.add(read.key);
    });
  return found;
});
