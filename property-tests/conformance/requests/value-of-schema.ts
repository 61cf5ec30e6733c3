import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/base/json-value.js';

export interface Drawing {
  readonly definitions: JsonObject;
  /** How deep optional fields are drawn too: 0 for what is required alone. */
  readonly levels: number;
  /** Which of several forms is drawn: the first, the next and so on. */
  readonly turn: number;
  /** A text that a pattern takes. */
  readonly ofPattern: (pattern: string) => string;
}

const deepest = 12;

/** A value that a schema takes, as far as it is easily found. Who draws it has another judge it. */
export function valueOfSchema(schema: JsonValue | undefined, drawing: Drawing, depth = 0): JsonValue {
  const whole = mergedSchema(schema, drawing, 0);
  const only = whole['const'];
  if (only !== undefined) return only;
  const choices = listOf(whole['enum']).filter((one) => one !== null && one !== '');
  if (choices.length > 0) return choices[0]!;
  const type = [whole['type']].flat().find((one) => one !== 'null') ?? guessedType(whole);
  switch (String(type as string)) {
    case 'object':
      return objectOf(whole, drawing, depth);
    case 'array':
      return listOfItems(whole, drawing, depth);
    case 'integer':
    case 'number':
      return numberOf(whole, type === 'integer');
    case 'boolean':
      return true;
    default:
      return textOf(whole, drawing);
  }
}

function guessedType(schema: JsonObject): string {
  if (isJsonObject(schema['properties'] ?? null) || isJsonObject(schema['additionalProperties'] ?? null))
    return 'object';
  return schema['items'] === undefined ? 'string' : 'array';
}

/** Past its references, with all that must hold together, and of several forms the one whose turn it is. */
function mergedSchema(schema: JsonValue | undefined, drawing: Drawing, depth: number): JsonObject {
  let found: JsonValue = schema ?? {};
  for (let steps = 0; isJsonObject(found) && typeof found['$ref'] === 'string' && steps < 30; steps += 1)
    found = drawing.definitions[found['$ref'].replace('#/$defs/', '')] ?? {};
  if (!isJsonObject(found) || depth > 12) return {};
  const whole = found;
  const forms = ['oneOf', 'anyOf'].flatMap((key) => {
    const all = listOf(whole[key]).map((one) => mergedSchema(one, drawing, depth + 1));
    const kinds = all.filter((one) => one['type'] !== 'null' && !listOf(one['enum']).includes(null));
    const drawn = kinds.length > 0 ? kinds[drawing.turn % kinds.length] : all[0];
    return drawn === undefined ? [] : [drawn];
  });
  const parts = [...listOf(whole['allOf']).map((one) => mergedSchema(one, drawing, depth + 1)), ...forms];
  return parts.reduce<JsonObject>(both, whole);
}

function both(one: JsonObject, other: JsonObject): JsonObject {
  const properties = { ...objectAt(one, 'properties'), ...objectAt(other, 'properties') };
  const required = [...new Set([...listOf(one['required']), ...listOf(other['required'])])];
  return {
    ...one,
    ...other,
    ...(Object.keys(properties).length > 0 && { properties }),
    ...(required.length > 0 && { required }),
  };
}

function objectOf(schema: JsonObject, drawing: Drawing, depth: number): JsonObject {
  const required = listOf(schema['required']);
  const fields = Object.entries(objectAt(schema, 'properties')).flatMap(([name, inner]): [string, JsonValue][] => {
    const isNeeded = required.includes(name);
    if (!isNeeded && depth >= drawing.levels) return [];
    // A judge of requests does not want what only answers have.
    if (mergedSchema(inner, drawing, 0)['readOnly'] === true) return [];
    return depth > deepest ? [] : [[name, valueOfSchema(inner, drawing, depth + 1)]];
  });
  const least = typeof schema['minProperties'] === 'number' ? schema['minProperties'] : 0;
  const more = Array.from({ length: Math.max(0, least - fields.length) }, (_, at): [string, JsonValue] => [
    `key${at}`,
    isJsonObject(schema['additionalProperties'] ?? null)
      ? valueOfSchema(schema['additionalProperties'], drawing, depth + 1)
      : 'value',
  ]);
  return Object.fromEntries([...fields, ...more]);
}

function listOfItems(schema: JsonObject, drawing: Drawing, depth: number): JsonValue {
  const least = typeof schema['minItems'] === 'number' ? schema['minItems'] : 1;
  const most = typeof schema['maxItems'] === 'number' ? schema['maxItems'] : 2;
  const count = Math.min(Math.max(least, schema['uniqueItems'] === true ? 1 : Math.min(2, most)), 30);
  if (depth > deepest) return [];
  const item = valueOfSchema(schema['items'], drawing, depth + 1);
  const isText = typeof item === 'string' && listOf(mergedSchema(schema['items'], drawing, 0)['enum']).length === 0;
  return Array.from({ length: count }, (_, at) =>
    at > 0 && isText && item.startsWith('word') ? `${item}${at}` : item,
  );
}

function numberOf(schema: JsonObject, isWhole: boolean): number {
  const bound = (name: string): number | undefined => {
    const value = schema[name];
    return typeof value === 'number' ? value : undefined;
  };
  const least =
    bound('minimum') ?? (bound('exclusiveMinimum') === undefined ? undefined : bound('exclusiveMinimum')! + 1);
  const most =
    bound('maximum') ?? (bound('exclusiveMaximum') === undefined ? undefined : bound('exclusiveMaximum')! - 1);
  const step = bound('multipleOf');
  const start = Math.max(least ?? -Infinity, Math.min(3, most ?? 3)) + (schema['exclusiveMinimum'] === true ? 1 : 0);
  const whole = isWhole ? Math.ceil(start) : start;
  return step === undefined ? whole : Math.ceil(whole / step) * step;
}

const formats: ReadonlyMap<string, string> = new Map([
  ['date', '2024-02-29'],
  ['date-time', '2024-02-29T12:30:00Z'],
  ['time', '12:30:00Z'],
  ['email', 'ann@example.com'],
  ['uuid', '2f9d3c5e-8f6b-4f0e-9d3a-0a1b2c3d4e5f'],
  ['uri', 'https://example.com/a?b=c'],
  ['url', 'https://example.com/a?b=c'],
  ['uri-reference', '/a?b=c'],
  ['iri', 'https://example.com/a'],
  ['hostname', 'example.com'],
  ['ipv4', '192.0.2.1'],
  ['ip', '192.0.2.1'],
  ['ipv6', '2001:db8::1'],
  ['byte', 'd29yZA=='],
  ['duration', 'P1D'],
  ['json-pointer', '/a'],
  ['regex', 'a+'],
  ['int64', '12'],
  ['int32', '12'],
  ['snowflake', '175928847299117063'],
]);

function textOf(schema: JsonObject, { ofPattern }: Drawing): string {
  const { pattern, format, minLength, maxLength } = schema;
  if (typeof pattern === 'string') return ofPattern(pattern);
  const known = typeof format === 'string' ? formats.get(format) : undefined;
  if (known !== undefined) return known;
  const least = typeof minLength === 'number' ? minLength : 0;
  const most = typeof maxLength === 'number' ? maxLength : 100;
  // Signs that mean something in an address.
  return 'word & 50% of/ä?'.padEnd(least, 'x').slice(0, Math.max(1, most));
}

const objectAt = (schema: JsonObject, key: string): JsonObject => {
  const value = schema[key];
  return isJsonObject(value ?? null) ? (value as JsonObject) : {};
};

const listOf = (value: JsonValue | undefined): readonly JsonValue[] =>
  Array.isArray(value) ? (value as readonly JsonValue[]) : [];
