import { isJsonObject, type JsonValue } from '../../base/json-value.js';
import { err, ok, type Result } from '../../base/result.js';
import { expressionTree, type ExpressionTree } from '../expression/expression-tree.js';
import { sortedEntries } from './sorted-entries.js';
import { templateParts } from '../expression/template.js';

/** A value given to a routine, as the expression that it stands for: a literal, a sole hole, or text around holes. */
export function callArgument(value: JsonValue): Result<ExpressionTree, string> {
  if (typeof value === 'string') return textTree(value);
  if (Array.isArray(value)) {
    const items = (value as readonly JsonValue[]).map(callArgument);
    const wrong = items.find((item) => !item.ok);
    return wrong ?? ok({ op: 'list', items: items.flatMap((item) => (item.ok ? [item.value] : [])) });
  }
  if (isJsonObject(value)) {
    const entries = sortedEntries(value).map(([key, item]) => [key, callArgument(item)] as const);
    const wrong = entries.find(([, item]) => !item.ok)?.[1];
    if (wrong) return wrong;
    return ok({
      op: 'map',
      entries: entries.flatMap(([key, item]) =>
        item.ok ? [[{ op: 'literal', value: key }, item.value] as const] : [],
      ),
    });
  }
  return ok(literalTree(value));
}

/** A value in which `${{` has no meaning, such as a default. */
export function literalTree(value: JsonValue): ExpressionTree {
  if (Array.isArray(value)) return { op: 'list', items: (value as readonly JsonValue[]).map(literalTree) };
  if (isJsonObject(value))
    return {
      op: 'map',
      entries: sortedEntries(value).map(([key, item]) => [{ op: 'literal', value: key }, literalTree(item)]),
    };
  return { op: 'literal', value: value as Exclude<JsonValue, readonly JsonValue[] | object> };
}

function textTree(text: string): Result<ExpressionTree, string> {
  const parts = templateParts(text);
  const trees: ExpressionTree[] = [];
  for (const part of parts) {
    if ('text' in part) {
      trees.push({ op: 'literal', value: part.text });
      continue;
    }
    const tree = expressionTree(part.source);
    if (!tree.ok) return err(tree.error);
    // A sole hole keeps its type; beside text it becomes text, as in a prompt.
    trees.push(parts.length === 1 ? tree.value : { op: 'call', function: 'string', method: false, args: [tree.value] });
  }
  const [first, ...rest] = trees;
  if (first === undefined) return ok({ op: 'literal', value: '' });
  return ok(rest.reduce((left, right): ExpressionTree => ({ op: '+', left, right }), first));
}
