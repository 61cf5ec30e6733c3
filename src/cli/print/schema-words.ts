import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json-value.js';
import { own } from '../../base/own.js';

/** How deep fields within fields are told, how many lines there may be, and what `#/$defs/…` names. */
interface SchemaReading {
  readonly deepest?: number;
  readonly mostLines?: number;
  readonly definitions?: JsonObject;
}

/** A JSON Schema as a person reads it: a line for each field, with what it may be. What has no words here stands as it is. */
export function schemaWords(schema: JsonValue, indent: string): string {
  return isJsonObject(schema)
    ? schemaFields(schema, indent)
        .map((line) => `\n${line}`)
        .join('')
    : ` ${JSON.stringify(schema)}`;
}

/** The same, as lines, of which the last says where there are more. */
export function schemaFields(schema: JsonObject, indent: string, reading: SchemaReading = {}): readonly string[] {
  const { mostLines = Number.POSITIVE_INFINITY } = reading;
  const lines: string[] = [];
  // A schema may name itself: no more is taken apart than is shown.
  for (const line of fieldLines(schema, indent, 1, reading)) {
    if (lines.length === mostLines) return [...lines, `${indent}- …`];
    lines.push(line);
  }
  return lines;
}

/** What a schema asks for in a few words. */
export const schemaKind = (schema: JsonObject, reading: SchemaReading = {}): string => kindOf(schema, reading);

function* fieldLines(given: JsonObject, indent: string, depth: number, reading: SchemaReading): Generator<string> {
  const schema = resolvedSchema(given, reading);
  const properties = schema['properties'] ?? null;
  if (!isJsonObject(properties)) return;
  const required = listOf(schema['required']);
  for (const [name, found] of Object.entries(properties)) {
    // The kind is told already.
    if (!isJsonObject(found) || (depth === 1 && name === 'kind' && 'const' in found)) continue;
    const field = resolvedSchema(found, reading);
    const said = typeof field['description'] === 'string' ? ` (${field['description']})` : '';
    const isRequired = required.includes(name) ? ' (required)' : '';
    yield `${indent}- ${name}${isRequired}: ${kindOf(field, reading)}${said}`;
    if (depth >= (reading.deepest ?? 4)) continue;
    yield* fieldLines(field, `${indent}  `, depth + 1, reading);
    const items = field['items'] ?? null;
    if (isJsonObject(items)) yield* fieldLines(items, `${indent}  `, depth + 1, reading);
  }
}

const merged = (all: readonly JsonObject[]): JsonObject =>
  Object.fromEntries(all.flatMap((one) => Object.entries(one)));

const mostSteps = 5;
const mostParts = 12;

/** What a name stands for, and what several schemas ask for together, as far as that is a list of fields. */
function resolvedSchema(schema: JsonObject, reading: SchemaReading, steps = 0): JsonObject {
  const { $ref: name, allOf } = schema;
  if (steps > mostSteps) return {};
  if (typeof name === 'string') {
    const named = own(reading.definitions ?? {}, name.replace(/^#\/\$defs\//u, '')) ?? null;
    return isJsonObject(named) ? resolvedSchema(named, reading, steps + 1) : {};
  }
  if (!Array.isArray(allOf)) return schema;
  const parts = [
    schema,
    ...listOf(allOf)
      .slice(0, mostParts)
      .map((one) => (isJsonObject(one) ? resolvedSchema(one, reading, steps + 1) : {})),
  ];
  const fields = parts.map((one) => own(one, 'properties') ?? null).filter(isJsonObject);
  return {
    ...merged(parts.toReversed()),
    ...(fields.length > 0 && { properties: merged(fields) }),
    required: parts.flatMap((one) => listOf(own(one, 'required'))),
  };
}

function kindOf(given: JsonObject, reading: SchemaReading, depth = 0): string {
  if (depth > 3) return 'any value';
  const field = resolvedSchema(given, reading);
  const { const: only, enum: choices, type, items, minLength, maxLength, minimum, maximum, pattern } = field;
  if (only !== undefined) return JSON.stringify(only);
  if (Array.isArray(choices)) return alternatives(shortened(listOf(choices).map((choice) => JSON.stringify(choice))));
  const several = field['anyOf'] ?? field['oneOf'];
  if (Array.isArray(several)) return alternatives(kindsOf(listOf(several), reading, depth));
  if (Array.isArray(type))
    return alternatives(
      kindsOf(
        listOf(type).map((one) => ({ ...field, type: one })),
        reading,
        depth,
      ),
    );
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
      return `a list${bounds(field['minItems'], field['maxItems'], ' elements')}${isJsonObject(items ?? null) ? `, each ${kindOf(items as JsonObject, reading, depth + 1)}` : ''}`;
    case 'object':
      return 'an object';
    case 'null':
      return 'null';
    default:
      if (isJsonObject(field['properties'] ?? null)) return 'an object';
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

const kindsOf = (all: readonly JsonValue[], reading: SchemaReading, depth: number): readonly string[] => [
  ...new Set(
    all.slice(0, mostParts).map((one) => (isJsonObject(one) ? kindOf(one, reading, depth + 1) : JSON.stringify(one))),
  ),
];

/** Of a long list the beginning, and how many more there are. */
const shortened = (choices: readonly string[]): readonly string[] =>
  choices.length <= mostParts ? choices : [...choices.slice(0, mostParts), `one of ${choices.length - mostParts} more`];

function alternatives(choices: readonly string[]): string {
  return choices.length < 2 ? choices.join('') : `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)!}`;
}

const listOf = (value: JsonValue | undefined): readonly JsonValue[] =>
  Array.isArray(value) ? (value as readonly JsonValue[]) : [];
