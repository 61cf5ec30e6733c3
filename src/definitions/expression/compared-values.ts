import type { JsonValue } from '../../base/json-value.js';
import { expressionTree, type ExpressionTree } from './expression-tree.js';
import { asJson } from './expression-values.js';
import { memoize } from './memoize.js';
import { rootRead, visitExpression } from './visit-expression.js';

interface Compared {
  /** Texts, true and false that a key must equal for a condition to hold. */
  readonly values: ReadonlyMap<string, ReadonlySet<string | boolean>>;
  /** Keys that are also asked about in another way, so that values which stand nowhere may do. */
  readonly open: ReadonlySet<string>;
}

/** What an expression compares context keys with. Whether a key is set at all is no comparison. */
export const comparedValues: (source: string) => Compared = memoize((source) => {
  const values = new Map<string, Set<string | boolean>>();
  const open = new Set<string>();
  const parsed = expressionTree(source);
  if (parsed.ok) walk(parsed.value, true);
  return { values, open };

  function walk(tree: ExpressionTree, isMet: boolean): void {
    if (tree.op === '&&' || tree.op === '||') {
      walk(tree.left, isMet);
      walk(tree.right, isMet);
    } else if (tree.op === 'not') walk(tree.of, !isMet);
    else if (tree.op !== 'has' && !isComparison(tree, isMet)) leaveOpen(tree);
  }

  function isComparison(tree: ExpressionTree, isMet: boolean): boolean {
    const [tested, other, isEqual] = sidesOf(tree);
    const key = tested && keyOf(tested);
    const literals = other && literalsIn(other);
    if (key === undefined || literals === undefined) return false;
    for (const value of literals) {
      if (value === null) continue;
      // Of true and false one says what the other is; all other texts are not one of them.
      if (typeof value !== 'boolean' && (typeof value !== 'string' || isMet !== isEqual)) open.add(key);
      else values.set(key, (values.get(key) ?? new Set()).add(value));
    }
    return true;
  }

  function leaveOpen(tree: ExpressionTree): void {
    visitExpression(tree, new Set(), (part, variables) => {
      const read = rootRead(part, variables);
      if (read?.root === 'context') open.add(read.key.split('.', 1)[0]!);
    });
  }
});

type Sides = readonly [tested?: ExpressionTree | undefined, other?: ExpressionTree | undefined, isEqual?: boolean];

function sidesOf(tree: ExpressionTree): Sides {
  if (tree.op === '==' || tree.op === '!=') {
    const [tested, other] = keyOf(tree.left) === undefined ? [tree.right, tree.left] : [tree.left, tree.right];
    return [tested, other, tree.op === '=='];
  }
  if (tree.op === 'in') return [tree.left, tree.right, true];
  return tree.op === 'call' && ['wr_equals', 'wr_in'].includes(tree.function) ? [tree.args[0], tree.args[1], true] : [];
}

/** A key as a whole, not a path into it. */
function keyOf(tree: ExpressionTree): string | undefined {
  const read = tree.op === 'has' ? undefined : rootRead(tree, new Set());
  return read?.root === 'context' && !read.key.includes('.') ? read.key : undefined;
}

function literalsIn(tree: ExpressionTree): readonly JsonValue[] | undefined {
  if (tree.op === 'literal') return [asJson(tree.value)];
  if (tree.op !== 'list') return undefined;
  const items = tree.items.map((item) => (item.op === 'literal' ? asJson(item.value) : undefined));
  return items.every((item) => item !== undefined) ? items : undefined;
}
