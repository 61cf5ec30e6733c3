import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json-value.js';

const deepest = 4;

/** A JSON Schema as a person reads it: a line for each field, with what it may be. What has no words here stands as it is. */
export function schemaWords(schema: JsonValue, indent: string): string {
  return isJsonObject(schema)
    ? fieldLines(schema, indent, 1)
        .map((line) => `\n${line}`)
        .join('')
    : ` ${JSON.stringify(schema)}`;
}

function fieldLines(schema: JsonObject, indent: string, depth: number): readonly string[] {
  const properties = schema['properties'] ?? null;
  if (!isJsonObject(properties)) return [];
  const required = listOf(schema['required']);
  return Object.entries(properties).flatMap(([name, field]): readonly string[] => {
    // The kind is told already.
    if (!isJsonObject(field) || (depth === 1 && name === 'kind')) return [];
    const said = typeof field['description'] === 'string' ? ` (${field['description']})` : '';
    const items = field['items'] ?? null;
    const inner =
      depth < deepest
        ? [
            ...fieldLines(field, `${indent}  `, depth + 1),
            ...(isJsonObject(items) ? fieldLines(items, `${indent}  `, depth + 1) : []),
          ]
        : [];
    return [`${indent}- ${name}${required.includes(name) ? ' (required)' : ''}: ${kindOf(field)}${said}`, ...inner];
  });
}

function kindOf(field: JsonObject): string {
  const { const: only, enum: choices, anyOf, type, items, minLength, maxLength, minimum, maximum, pattern } = field;
  if (only !== undefined) return JSON.stringify(only);
  if (Array.isArray(choices)) return alternatives(listOf(choices).map((choice) => JSON.stringify(choice)));
  if (Array.isArray(anyOf))
    return alternatives(listOf(anyOf).map((one) => (isJsonObject(one) ? kindOf(one) : JSON.stringify(one))));
  const named: string = typeof type === 'string' ? type : '';
  switch (named) {
    case 'string':
      return `text${typeof pattern === 'string' ? ` that matches \`${pattern}\`` : ''}${bounds(typeof minLength === 'number' && minLength > 1 ? minLength : undefined, maxLength, ' characters')}`;
    case 'integer':
      return `a whole number${bounds(minimum, maximum, '')}`;
    case 'number':
      return `a number${bounds(minimum, maximum, '')}`;
    case 'boolean':
      return 'true or false';
    case 'array':
      return `a list${bounds(field['minItems'], field['maxItems'], ' elements')}${isJsonObject(items ?? null) ? `, each ${kindOf(items as JsonObject)}` : ''}`;
    case 'object':
      return 'an object';
    default:
      return type === undefined ? 'any value' : JSON.stringify(type);
  }
}

function bounds(least: JsonValue | undefined, most: JsonValue | undefined, unit: string): string {
  const said = [
    typeof least === 'number' ? `at least ${least}` : '',
    typeof most === 'number' ? `at most ${most}` : '',
  ].filter((part) => part !== '');
  return said.length === 0 ? '' : `, ${said.join(' and ')}${unit}`;
}

function alternatives(choices: readonly string[]): string {
  return choices.length < 2 ? choices.join('') : `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)!}`;
}

const listOf = (value: JsonValue | undefined): readonly JsonValue[] =>
  Array.isArray(value) ? (value as readonly JsonValue[]) : [];
