import { isJsonObject, type JsonValue } from '../base/json-value.js';
import { own } from '../base/own.js';
import type { Operation } from './openapi-catalog.js';

type Definitions = Operation['definitions'];

/** A schema past its references, which stand in `#/$defs/…`. */
export function resolvedSchema(schema: JsonValue | undefined, definitions: Definitions): JsonValue | undefined {
  let resolved = schema;
  for (const seen = new Set<string>(); isJsonObject(resolved);) {
    const reference = own(resolved, '$ref');
    if (typeof reference !== 'string' || seen.has(reference)) break;
    seen.add(reference);
    resolved = own(definitions, reference.replace('#/$defs/', ''));
  }
  return resolved;
}

/** The types that a schema names; none where it takes anything, or says it in a way that is judged elsewhere. */
export function typesOf(schema: JsonValue | undefined, definitions: Definitions): readonly string[] {
  const resolved = resolvedSchema(schema, definitions);
  if (!isJsonObject(resolved)) return [];
  const type = own(resolved, 'type');
  if (typeof type === 'string') return [type];
  return Array.isArray(type) ? type.filter((one) => typeof one === 'string') : [];
}

/** Whether a value may be sent where these types are taken. A number may come as text, since holes fill in text. */
export function isOfTypes(value: JsonValue, types: readonly string[]): boolean {
  return types.length === 0 || types.some((type) => isOfType(value, type));
}

function isOfType(value: JsonValue, type: string): boolean {
  switch (type) {
    case 'string':
      return typeof value !== 'object';
    case 'integer':
      return isNumber(value, /^[+-]?\d+$/u) || (typeof value === 'number' && Number.isInteger(value));
    case 'number':
      return typeof value === 'number' || isNumber(value, /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/iu);
    case 'boolean':
      return typeof value === 'boolean' || value === 'true' || value === 'false';
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isJsonObject(value);
    case 'null':
      return value === null;
    default:
      return true;
  }
}

const isNumber = (value: JsonValue, pattern: RegExp): boolean => typeof value === 'string' && pattern.test(value);

/** In words, for what a parameter takes. */
export function toldTypes(types: readonly string[]): string {
  const words: ReadonlyMap<string, string> = new Map([
    ['string', 'a text'],
    ['integer', 'a whole number'],
    ['number', 'a number'],
    ['boolean', 'true or false'],
    ['array', 'a list'],
    ['object', 'an object'],
  ]);
  return types.flatMap((type) => words.get(type) ?? []).join(' or ') || 'a value';
}

/** In words, for what was given. */
export function toldValue(value: JsonValue): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : typeof value === 'string' ? 'a text' : `a ${typeof value}`;
}
