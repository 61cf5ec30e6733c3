import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json-value.js';
import { own } from '../../base/own.js';
import { expressionTree } from '../expression/expression-tree.js';
import { templateExpressions } from '../expression/template.js';
import { rootRead, visitExpression } from '../expression/visit-expression.js';

/** Why a value may come to nothing, and is then left out: a hole of it reads an input that need not be given. */
export function absentInput(value: JsonValue, inputs: JsonObject): string | undefined {
  if (typeof value !== 'string') return undefined;
  for (const { source } of templateExpressions(value)) {
    const name = optionalRead(source, inputs);
    if (name !== undefined)
      return `the input \`${name}\` may not be given; make it \`required: true\`, or give it a \`default\``;
  }
  return undefined;
}

function optionalRead(source: string, inputs: JsonObject): string | undefined {
  const tree = expressionTree(source);
  if (!tree.ok) return undefined;
  const asked = new Set<string>();
  const read = new Set<string>();
  visitExpression(tree.value, new Set(), (node, variables) => {
    const found = rootRead(node, variables);
    if (found?.root === 'inputs') (node.op === 'has' ? asked : read).add(found.key);
  });
  return [...read].find((name) => !asked.has(name) && isOptional(own(inputs, name)));
}

const isOptional = (input: JsonValue | undefined): boolean =>
  isJsonObject(input ?? null) &&
  (input as JsonObject)['required'] !== true &&
  (input as JsonObject)['default'] === undefined;
