import { byteLength } from '../base/byte-budget.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../base/json-value.js';
import { own } from '../base/own.js';
import { addNames } from './operation-index.js';
import { objectAt, plainSchema } from './plain-schema.js';

interface Schemas {
  /** Those of parameters and bodies. */
  readonly request: readonly JsonValue[];
  readonly answers: readonly JsonObject[];
  readonly definitions: JsonObject;
}

interface Fitted {
  /** The right ones first. */
  readonly answers: readonly JsonObject[];
  readonly definitions: JsonObject;
  /** Told without descriptions and what is deep in them. */
  readonly shortened: readonly string[];
  readonly leftOut: readonly string[];
}

/**
 * As much of the schemas of a command as `room` holds: what is sent and what a right answer is, from the outside inwards,
 * and then the errors.
 */
export function fitSchemas({ request, answers, definitions }: Schemas, room: number): Fitted {
  const isRight = ({ status }: JsonObject): boolean => typeof status === 'string' && status.startsWith('2');
  const [right, others] = [answers.filter(isRight), answers.filter((one) => !isRight(one))];
  const kept = new Map<string, JsonValue>();
  const shortened: string[] = [];
  const leftOut: string[] = [];
  let left = room - others.reduce((sum, one) => sum + sizeOf(withoutContent(one)), 0);
  const take = (value: JsonValue): boolean => {
    const size = sizeOf(value);
    if (size > left) return false;
    left -= size;
    return true;
  };
  const takeNamed = (roots: readonly JsonValue[]): void => {
    for (let names = namesIn(roots); names.length > 0;) {
      const here = names.filter((name) => !kept.has(name) && !leftOut.includes(name));
      const taken: JsonValue[] = [];
      for (const name of here) {
        const schema = own(definitions, name);
        if (schema === undefined) continue;
        const found = [schema, short(schema, 1), fieldNames(schema, definitions)].find(take);
        if (found === undefined) leftOut.push(name);
        else {
          if (found !== schema) shortened.push(name);
          kept.set(name, found);
          taken.push(found);
        }
      }
      names = namesIn(taken);
    }
  };
  const shown = right.map((one) => [one, shortContent(one)].find(take) ?? withoutContent(one));
  takeNamed([...request, ...shown.flatMap(schemasIn)]);
  const errors = others.map((one) => {
    if (!take(one['content'] ?? null)) return withoutContent(one);
    takeNamed(schemasIn(one));
    return one;
  });
  return { answers: [...shown, ...errors], definitions: Object.fromEntries(kept), shortened, leftOut };
}

/** Told as text and as data. */
const sizeOf = (value: JsonValue): number => 2 * byteLength(JSON.stringify(value));

function namesIn(schemas: readonly JsonValue[]): readonly string[] {
  const names = new Set<string>();
  for (const schema of schemas) addNames(schema, names);
  return [...names];
}

const contentsIn = ({ content = null }: JsonObject): readonly JsonObject[] =>
  Array.isArray(content) ? (content as readonly JsonValue[]).filter(isJsonObject) : [];

const schemasIn = (answer: JsonObject): readonly JsonValue[] =>
  contentsIn(answer).flatMap(({ schema }) => schema ?? []);

const withoutContent = ({ content: _content, ...rest }: JsonObject): JsonObject => rest;

const shortContent = (answer: JsonObject): JsonObject => ({
  ...withoutContent(answer),
  content: contentsIn(answer).map(({ type = null, schema = {} }) => ({ type, schema: short(schema, 1) })),
});

/** No more than what its fields are called. */
function fieldNames(schema: JsonValue, definitions: JsonObject): JsonObject {
  const names = Object.keys(objectAt(plainSchema(schema, definitions), 'properties'));
  const told = names.slice(0, mostNames).join(', ');
  const more = names.length > mostNames ? ` and ${names.length - mostNames} more` : '';
  return names.length === 0 ? {} : { type: 'object', description: `Its fields: ${told}${more}` };
}

const mostNames = 100;

const plainKeys = new Set(['type', 'format', 'enum', 'const', '$ref', 'nullable', 'required']);

/** A schema without descriptions and examples, and of what is deeper only the types. */
function short(schema: JsonValue, deep: number): JsonValue {
  if (!isJsonObject(schema)) return schema;
  const within = (part: JsonValue): JsonValue => short(part, deep - 1);
  return Object.fromEntries(
    Object.entries(schema).flatMap(([key, value]): [string, JsonValue][] => {
      if (plainKeys.has(key)) return deep < 0 && key === 'required' ? [] : [[key, value]];
      if (key === 'items') return [[key, short(value, deep)]];
      if (deep < 0) return [];
      if (key === 'additionalProperties') return [[key, within(value)]];
      if (key === 'properties' && isJsonObject(value))
        return deep === 0
          ? []
          : [[key, Object.fromEntries(Object.entries(value).map(([name, one]) => [name, within(one)]))]];
      return ['allOf', 'oneOf', 'anyOf'].includes(key) && Array.isArray(value)
        ? [[key, (value as readonly JsonValue[]).map((one) => short(one, deep))]]
        : [];
    }),
  );
}
