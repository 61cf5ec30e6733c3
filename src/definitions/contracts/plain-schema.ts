import { canonicalJson } from '../../base/canonical-json.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json-value.js';
import { limits } from '../../base/limits.js';
import { linearPattern } from '../expression/linear-pattern.js';

type Test = (value: JsonValue) => boolean;

/**
 * Whether values pass a schema in the plain part of JSON Schema that contracts are written in. The full validator makes a
 * program of each schema first, which takes a hundred times longer. Undefined for a schema that is more than that, or
 * wrong: what is to be said of it, and of a value that does not pass, the validator says.
 */
export function plainTest(schema: JsonObject): Test | undefined {
  const known = tests.get(schema);
  if (known !== undefined) return known ?? undefined;
  const test = testOf(schema, 1);
  tests.set(schema, test ?? null);
  return test;
}

const tests = new WeakMap<JsonObject, Test | null>();

function testOf(schema: JsonValue, depth: number): Test | undefined {
  if (typeof schema === 'boolean') return () => schema;
  if (!isJsonObject(schema) || depth > limits.callerDepth) return undefined;
  return every(
    Object.entries(schema).map(([keyword, operand]) =>
      Object.hasOwn(keywords, keyword) ? keywords[keyword]!(operand, { schema, depth: depth + 1 }) : undefined,
    ),
  );
}

interface Around {
  readonly schema: JsonObject;
  readonly depth: number;
}

const always: Test = () => true;
const textual = (operand: JsonValue): Test | undefined => (typeof operand === 'string' ? always : undefined);

/** What each keyword asks of a value; undefined where its operand is not what it should be. */
const keywords: { readonly [keyword: string]: (operand: JsonValue, around: Around) => Test | undefined } = {
  title: textual,
  description: textual,
  $comment: textual,
  default: () => always,
  examples: (operand) => (Array.isArray(operand) ? always : undefined),
  type: typeTest,
  const: equalTo,
  enum: (operand) =>
    Array.isArray(operand) && operand.length > 0 ? some((operand as readonly JsonValue[]).map(equalTo)) : undefined,
  minLength: (operand) => counted(operand, (value, count) => typeof value !== 'string' || lettersIn(value) >= count),
  maxLength: (operand) => counted(operand, (value, count) => typeof value !== 'string' || lettersIn(value) <= count),
  minItems: (operand) => counted(operand, (value, count) => !Array.isArray(value) || value.length >= count),
  maxItems: (operand) => counted(operand, (value, count) => !Array.isArray(value) || value.length <= count),
  minProperties: (operand) =>
    counted(operand, (value, count) => !isJsonObject(value) || Object.keys(value).length >= count),
  maxProperties: (operand) =>
    counted(operand, (value, count) => !isJsonObject(value) || Object.keys(value).length <= count),
  minimum: (operand) => measured(operand, (value, bound) => value >= bound),
  maximum: (operand) => measured(operand, (value, bound) => value <= bound),
  exclusiveMinimum: (operand) => measured(operand, (value, bound) => value > bound),
  exclusiveMaximum: (operand) => measured(operand, (value, bound) => value < bound),
  pattern: (operand) => {
    const pattern = typeof operand === 'string' ? linearPattern(operand) : undefined;
    return pattern?.ok === true ? (value) => typeof value !== 'string' || pattern.value.test(value) : undefined;
  },
  properties: propertiesTest,
  required: (operand) => {
    const names = distinctTexts(operand);
    return names?.every(isSafe) === true
      ? (value) => !isJsonObject(value) || names.every((name) => Object.hasOwn(value, name))
      : undefined;
  },
  additionalProperties: (operand, { schema, depth }) => {
    const test = testOf(operand, depth);
    const named = schema['properties'] ?? {};
    return test && isJsonObject(named)
      ? (value) =>
          !isJsonObject(value) ||
          Object.entries(value).every(([name, inner]) => Object.hasOwn(named, name) || test(inner))
      : undefined;
  },
  items: (operand, { depth }) => {
    const test = testOf(operand, depth);
    return test && ((value) => !Array.isArray(value) || (value as readonly JsonValue[]).every(test));
  },
  uniqueItems: (operand) =>
    typeof operand === 'boolean'
      ? (value) =>
          !operand ||
          !Array.isArray(value) ||
          new Set((value as readonly JsonValue[]).map(canonicalJson)).size === value.length
      : undefined,
  allOf: (operand, { depth }) => every(inner(operand, depth)),
  anyOf: (operand, { depth }) => some(inner(operand, depth)),
  oneOf: (operand, { depth }) => {
    const parts = complete(inner(operand, depth));
    return parts && ((value) => parts.filter((part) => part(value)).length === 1);
  },
  not: (operand, { depth }) => {
    const test = testOf(operand, depth);
    return test && ((value) => !test(value));
  },
};

const types: { readonly [type: string]: Test } = {
  null: (value) => value === null,
  boolean: (value) => typeof value === 'boolean',
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  integer: Number.isInteger,
  array: Array.isArray,
  object: isJsonObject,
};

function typeTest(operand: JsonValue): Test | undefined {
  const names = typeof operand === 'string' ? [operand] : distinctTexts(operand);
  return names === undefined || names.length === 0
    ? undefined
    : some(names.map((name) => (Object.hasOwn(types, name) ? types[name] : undefined)));
}

function equalTo(operand: JsonValue): Test {
  if (typeof operand !== 'object' || operand === null) return (value) => value === operand;
  const text = canonicalJson(operand);
  return (value) => typeof value === 'object' && value !== null && canonicalJson(value) === text;
}

function propertiesTest(operand: JsonValue, { depth }: Around): Test | undefined {
  if (!isJsonObject(operand) || !Object.keys(operand).every(isSafe)) return undefined;
  const named = Object.entries(operand).map(([name, schema]) => [name, testOf(schema, depth)] as const);
  if (named.some(([, test]) => test === undefined)) return undefined;
  return (value) =>
    !isJsonObject(value) || named.every(([name, test]) => !Object.hasOwn(value, name) || test!(value[name]!));
}

/** The validator also finds what every object has by birth, such as `constructor`. */
const isSafe = (name: string): boolean => !(name in Object.prototype);

function distinctTexts(operand: JsonValue): readonly string[] | undefined {
  if (!Array.isArray(operand)) return undefined;
  const texts = (operand as readonly JsonValue[]).filter((one) => typeof one === 'string');
  return texts.length === operand.length && new Set(texts).size === texts.length ? texts : undefined;
}

function counted(operand: JsonValue, holds: (value: JsonValue, count: number) => boolean): Test | undefined {
  return typeof operand === 'number' && Number.isInteger(operand) && operand >= 0
    ? (value) => holds(value, operand)
    : undefined;
}

function measured(operand: JsonValue, holds: (value: number, bound: number) => boolean): Test | undefined {
  return typeof operand === 'number' ? (value) => typeof value !== 'number' || holds(value, operand) : undefined;
}

/** A letter past the first 65,536 is two parts of the text and one letter. */
function lettersIn(text: string): number {
  return text.length - (text.match(/[\u{10000}-\u{10FFFF}]/gu)?.length ?? 0);
}

/** The tests of a list of schemas, which must not be empty. */
function inner(operand: JsonValue, depth: number): readonly (Test | undefined)[] {
  return Array.isArray(operand) && operand.length > 0
    ? (operand as readonly JsonValue[]).map((schema) => testOf(schema, depth))
    : [undefined];
}

function complete(parts: readonly (Test | undefined)[]): readonly Test[] | undefined {
  const known = parts.filter((part) => part !== undefined);
  return known.length === parts.length ? known : undefined;
}

function every(parts: readonly (Test | undefined)[]): Test | undefined {
  const known = complete(parts);
  return known && ((value) => known.every((part) => part(value)));
}

function some(parts: readonly (Test | undefined)[]): Test | undefined {
  const known = complete(parts);
  return known && ((value) => known.some((part) => part(value)));
}
