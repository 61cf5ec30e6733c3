import { own } from '../../base/own.js';
import { isListTold, isObjectTold, type JsonObjectTold, type JsonTold } from '../step/json-told.js';

/** Schemas that others refer to. */
export type Definitions = JsonObjectTold;

const prefix = '#/$defs/';
/** References that lead to nothing but references end somewhere. */
const mostSteps = 8;

/** The name of what a schema refers to. */
function referredName(schema: JsonTold | undefined): string | undefined {
  const ref = isObjectTold(schema) ? own(schema, '$ref') : undefined;
  return typeof ref === 'string' ? (ref.startsWith(prefix) ? ref.slice(prefix.length) : ref) : undefined;
}

/** A schema without the reference that it is, with all that must hold together as one. */
export function resolvedSchema(schema: JsonTold | undefined, definitions: Definitions, steps = 0): JsonObjectTold {
  if (!isObjectTold(schema) || steps > mostSteps) return {};
  const name = referredName(schema);
  if (name !== undefined) {
    return { ...resolvedSchema(own(definitions, name), definitions, steps + 1), ...without(schema, '$ref') };
  }
  const all = own(schema, 'allOf');
  if (!isListTold(all)) return schema;
  const parts = [...all.map((part) => resolvedSchema(part, definitions, steps + 1)), without(schema, 'allOf')];
  const merged: Record<string, JsonTold> = Object.assign({}, ...parts) as Record<string, JsonTold>;
  const properties = Object.assign({}, ...parts.map((part) => objectAt(part, 'properties'))) as JsonObjectTold;
  const required = [...new Set(parts.flatMap((part) => textsAt(part, 'required')))];
  return {
    ...merged,
    ...(Object.keys(properties).length > 0 && { properties }),
    ...(required.length > 0 && { required }),
  };
}

const without = (schema: JsonObjectTold, key: string): JsonObjectTold =>
  Object.fromEntries(Object.entries(schema).filter(([name]) => name !== key));

export const objectAt = (schema: JsonObjectTold, key: string): JsonObjectTold => {
  const value = own(schema, key);
  return isObjectTold(value) ? value : {};
};

export const textsAt = (schema: JsonObjectTold, key: string): readonly string[] => {
  const value = own(schema, key);
  return isListTold(value) ? value.filter((one) => typeof one === 'string') : [];
};

/** The kinds of which a value must be one, where the schema lists them. */
export function choicesOf(schema: JsonObjectTold): readonly JsonTold[] {
  const listed = own(schema, 'oneOf') ?? own(schema, 'anyOf');
  return isListTold(listed) ? listed : [];
}

/** What a value must be, in a few words: `list of Pet`, `text, date-time`. */
export function schemaWords(schema: JsonTold | undefined, definitions: Definitions, depth = 0): string {
  if (schema === undefined || schema === true || !isObjectTold(schema)) return 'any value';
  const name = referredName(schema);
  const resolved = resolvedSchema(schema, definitions);
  const fixed = own(resolved, 'const');
  const types = [own(resolved, 'type') ?? []].flat().filter((type) => typeof type === 'string');
  if (types.includes('array') || own(resolved, 'items') !== undefined) {
    return depth > 3 ? 'list' : `list of ${schemaWords(own(resolved, 'items'), definitions, depth + 1)}`;
  }
  if (fixed !== undefined) return `always ${JSON.stringify(fixed)}`;
  if (name !== undefined) return name;
  const choices = choicesOf(resolved);
  if (choices.length > 0 && types.length === 0 && depth < 3)
    return [...new Set(choices.map((one) => schemaWords(one, definitions, depth + 1)))].slice(0, 4).join(' or ');
  const format = own(resolved, 'format');
  const told =
    types.length === 0 ? (own(resolved, 'properties') === undefined ? 'any value' : 'object') : types.join(' or ');
  return typeof format === 'string' ? `${told}, ${format}` : told;
}

const mostValues = 8;

function valuesWords(values: readonly JsonTold[]): string {
  const told = values.slice(0, mostValues).map((value) => (typeof value === 'string' ? value : JSON.stringify(value)));
  return `${told.join(' | ')}${values.length > mostValues ? ` and ${values.length - mostValues} more` : ''}`;
}

const bounds = [
  ['minimum', (value: string) => `at least ${value}`],
  ['exclusiveMinimum', (value: string) => `more than ${value}`],
  ['maximum', (value: string) => `at most ${value}`],
  ['exclusiveMaximum', (value: string) => `less than ${value}`],
  ['minLength', (value: string) => `at least ${value} characters`],
  ['maxLength', (value: string) => `at most ${value} characters`],
  ['minItems', (value: string) => `at least ${value} in the list`],
  ['maxItems', (value: string) => `at most ${value} in the list`],
  ['pattern', (value: string) => `matches ${value}`],
] as const;

/** What else a value must keep to. */
export function boundsWords(schema: JsonObjectTold): readonly string[] {
  const values = own(schema, 'enum');
  return [
    ...(isListTold(values) ? [`one of ${valuesWords(values)}`] : []),
    ...bounds.flatMap(([key, says]) => {
      const value = own(schema, key);
      return typeof value === 'number' || typeof value === 'string' ? [says(String(value))] : [];
    }),
  ];
}
