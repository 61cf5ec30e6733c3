import type { JsonObject } from '../../base/json-value.js';
import { evaluate, type Scope } from './expression.js';
import { expressionTree, type ExpressionTree } from './expression-tree.js';
import { printExpression } from './print-expression.js';
import { isLenientRead, visitExpression } from './visit-expression.js';

/**
 * Context keys that nobody has set and on which the answer of a condition hangs: with them it might be another. Only
 * conditions of the WorkRail JSON format are answered all the same. Where one asks whether a key is set, that is known.
 */
export function unsetReads(source: string, scope: Scope): ReadonlySet<string> {
  const tree = source.includes('wr_get(context') ? expressionTree(source) : undefined;
  const answer = tree?.ok === true ? answerOf(tree.value, scope) : undefined;
  return answer === undefined || typeof answer === 'boolean' ? new Set() : answer;
}

/** Yes, no, or the keys that it hangs on. */
type Answer = boolean | ReadonlySet<string>;

function answerOf(tree: ExpressionTree, scope: Scope): Answer {
  if (tree.op === '&&' || tree.op === '||') {
    const settles = tree.op === '||';
    const [left, right] = [answerOf(tree.left, scope), answerOf(tree.right, scope)];
    if (left === settles || right === settles) return settles;
    const open = [left, right].flatMap((side) => (typeof side === 'boolean' ? [] : [...side]));
    return typeof left === 'boolean' && typeof right === 'boolean' ? !settles : new Set(open);
  }
  if (tree.op === 'not') {
    const of = answerOf(tree.of, scope);
    return typeof of === 'boolean' ? !of : of;
  }
  const keys = asksWhetherSet(tree) ? [] : missingIn(tree, scope.context);
  if (keys.length > 0) return new Set(keys);
  const result = evaluate(printExpression(tree), scope);
  return result.ok && typeof result.value === 'boolean' ? result.value : new Set();
}

const asksWhetherSet = (tree: ExpressionTree): boolean =>
  tree.op === 'call' &&
  tree.function === 'wr_equals' &&
  tree.args.some((arg) => arg.op === 'literal' && arg.value === null);

function missingIn(tree: ExpressionTree, context: JsonObject): readonly string[] {
  const keys = new Set<string>();
  visitExpression(tree, new Set(), (part) => {
    const [of, path] = isLenientRead(part) ? part.args : [];
    if (of?.op !== 'name' || of.name !== 'context' || path?.op !== 'literal' || typeof path.value !== 'string') return;
    const key = path.value.split('.', 1)[0]!;
    if (!Object.hasOwn(context, path.value) && !Object.hasOwn(context, key)) keys.add(key);
  });
  return [...keys];
}
