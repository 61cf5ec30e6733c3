import { isJsonObject, type JsonObject, type JsonValue } from '../../src/base/json-value.js';

const deepest = 7;

/** Documents that together use every property that a JSON Schema (draft 7) names, each of a type that is right there. */
export function documentsOfSchema(schema: JsonObject): readonly JsonObject[] {
  return samplesOf(schema, new Sampler(schema), 0).filter(isJsonObject);
}

class Sampler {
  private count = 0;

  constructor(private readonly root: JsonObject) {}

  /** The schema that a reference leads to. */
  resolved(schema: JsonValue): JsonObject {
    let at: JsonValue = schema;
    for (let steps = 0; isJsonObject(at) && typeof at['$ref'] === 'string' && steps < 20; steps += 1) {
      const path: readonly string[] = at['$ref']
        .replace(/^#\/?/u, '')
        .split('/')
        .filter((part) => part !== '');
      at = path.reduce<JsonValue>(
        (inner, key) =>
          isJsonObject(inner) ? (inner[decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~')] ?? {}) : {},
        this.root,
      );
    }
    return isJsonObject(at) ? at : {};
  }

  /** Names differ, as ids have to. */
  name(): string {
    this.count += 1;
    return `sample-${this.count}`;
  }
}

/** One value of each alternative; an object has every property at once, and as many forms as its richest property. */
function samplesOf(given: JsonValue, sampler: Sampler, depth: number): readonly JsonValue[] {
  const schema = sampler.resolved(given);
  if (depth > deepest) return [];
  if (schema['const'] !== undefined) return [schema['const']];
  const { enum: choices } = schema;
  if (Array.isArray(choices)) return choices as readonly JsonValue[];
  const alternatives = ['oneOf', 'anyOf']
    .flatMap((key) => list(schema[key]))
    .flatMap((one) => samplesOf(merged(schema, sampler.resolved(one)), sampler, depth));
  if (alternatives.length > 0) return alternatives;
  const parts = list(schema['allOf']).map((one) => sampler.resolved(one));
  const whole = parts.reduce<JsonObject>((left, right) => merged(left, right), without(schema, ['allOf']));
  if (parts.length > 0) return samplesOf(whole, sampler, depth);
  const conditional = ['then', 'else'].flatMap((key) =>
    isJsonObject(schema[key] ?? null) ? [sampler.resolved(schema[key]!)] : [],
  );
  if (conditional.length > 0)
    return conditional.flatMap((one) =>
      samplesOf(merged(without(schema, ['if', 'then', 'else']), one), sampler, depth),
    );
  return samplesOfType(schema, sampler, depth);
}

function samplesOfType(schema: JsonObject, sampler: Sampler, depth: number): readonly JsonValue[] {
  const { type = isJsonObject(schema['properties'] ?? null) ? 'object' : 'string' } = schema;
  const types: readonly JsonValue[] = Array.isArray(type) ? (type as readonly JsonValue[]) : [type];
  const items = list(schema['items']);
  const byType: { readonly [type: string]: () => readonly JsonValue[] } = {
    object: () => objectsOf(schema, sampler, depth),
    array: () => [
      (items.length > 0 ? items : [schema['items'] ?? {}]).flatMap((item) => samplesOf(item, sampler, depth + 1)),
    ],
    number: () => [typeof schema['minimum'] === 'number' ? schema['minimum'] : 2],
    boolean: () => [true, false],
    null: () => [null],
    string: () => [sampler.name()],
  };
  return types.flatMap((one) => (byType[one === 'integer' ? 'number' : String(one as string)] ?? byType['string']!)());
}

function objectsOf(schema: JsonObject, sampler: Sampler, depth: number): readonly JsonObject[] {
  const properties = Object.entries(
    isJsonObject(schema['properties'] ?? null) ? (schema['properties'] as JsonObject) : {},
  ).map(([key, inner]) => [key, samplesOf(inner, sampler, depth + 1)] as const);
  const more = schema['additionalProperties'];
  const named = isJsonObject(more ?? null) ? [['any-name', samplesOf(more!, sampler, depth + 1)] as const] : [];
  const all = [...properties, ...named].filter(([, samples]) => samples.length > 0);
  const forms = Math.max(1, ...all.map(([, samples]) => samples.length));
  return Array.from({ length: Math.min(forms, 40) }, (_, at) =>
    Object.fromEntries(all.map(([key, samples]) => [key, samples[at % samples.length]!])),
  );
}

function merged(a: JsonObject, b: JsonObject): JsonObject {
  const properties = (of: JsonObject): JsonObject =>
    isJsonObject(of['properties'] ?? null) ? (of['properties'] as JsonObject) : {};
  const both = { ...properties(a), ...properties(b) };
  return { ...without(a, ['oneOf', 'anyOf']), ...b, ...(Object.keys(both).length > 0 && { properties: both }) };
}

function without(schema: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => !keys.includes(key)));
}

function list(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? (value as readonly JsonValue[]) : [];
}
