import { _, Ajv, type AnySchemaObject, type Code, type KeywordCxt, Name } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { canonicalJson } from '../../base/canonical-json.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json-value.js';
import { limits } from '../../base/limits.js';
import { oncePerObject } from '../../base/once-per-object.js';
import { own } from '../../base/own.js';
import { linearPattern } from '../expression/linear-pattern.js';
import { JudgingWork, TooManyErrors } from './judging-work.js';
import { schemaPattern } from './schema-pattern.js';
import type { SchemaDraft } from './schema-draft.js';
import { judgesAnything, mapSchemasIn, schemasIn } from './schema-keywords.js';

const options = {
  // What JSON Schema allows is taken; `schema-slips` tells an author of a keyword that is misspelt.
  strict: false,
  // Formats are notes for the reader: we ship none, and half a check is worse than none.
  validateFormats: false,
  // Asked for where an author's schema is checked: the schema of schemas takes a process longer than all its contracts.
  validateSchema: false,
  logger: false,
  verbose: true,
  // A field `constructor` is one like any other.
  ownProperties: true,
  // What is referred to a thousand times would be written out a thousand times.
  inlineRefs: false,
  // Takes longer than it saves.
  code: { regExp: Object.assign(linearTest, { code: 'linearTest' }), optimize: false },
} as const;

/** What the artifact that is judged just now may still cost. Judging does not wait, so there is only one. */
let running = new JudgingWork(Number.POSITIVE_INFINITY);

export function judgeWithin<T>(work: JudgingWork, judge: () => T): T {
  const outer = running;
  running = work;
  try {
    return judge();
  } finally {
    running = outer;
  }
}

/** ajv asks for a constructor of expressions; a schema's `pattern` may not hang the process either. */
function linearTest(source: string): { readonly test: (text: string) => boolean; readonly toString: () => string } {
  const pattern = linearPattern(schemaPattern(source));
  if (!pattern.ok) throw new Error(`\`${source}\` is ${pattern.error}`);
  const { size, test } = pattern.value;
  return {
    test: (text) => {
      running.spend(1 + (text.length * size) / 2);
      return test(text);
    },
    toString: () => source,
  };
}

export interface ValidatorKind {
  /** Gathers every error; else it ends with the first. */
  readonly thorough: boolean;
  /** Keeps what has been judged, for `unevaluatedProperties` and `unevaluatedItems`. */
  readonly asksWhatIsJudged: boolean;
  /** Takes no keyword that would judge nothing, as was asked of every schema once. */
  readonly strict: boolean;
}

/** A validator for one schema, which counts what it does. It keeps what it has seen for ever. */
export function meteredValidator(draft: SchemaDraft, { thorough, asksWhatIsJudged, strict }: ValidatorKind): Ajv {
  const settings = { ...options, allErrors: thorough, ...(strict && { strictSchema: true }) };
  const ajv = draft === '7' ? new Ajv(settings) : new Ajv2020(settings);
  // What keeps it costs a look at every field, and throws where a choice among schemas may keep nothing.
  ajv.opts.unevaluated = asksWhatIsJudged && draft !== '7';
  const first = ajv.RULES.rules.find(({ type }) => type === undefined)!.rules[0]!.keyword;
  ajv.addKeyword({ keyword: meter, before: first, code: countsWork });
  replace(ajv, 'const', 'not', (cxt) => {
    cxt.pass(_`${kept(cxt, isOneOf([cxt.schema as JsonValue]))}(${cxt.data})`);
  });
  replace(ajv, 'enum', 'not', (cxt) => {
    cxt.pass(_`${kept(cxt, isOneOf(cxt.schema as readonly JsonValue[]))}(${cxt.data})`);
  });
  replace(ajv, 'pattern', 'format', (cxt) => {
    cxt.fail(_`!${kept(cxt, linearTest(cxt.schema as string).test)}(${cxt.data})`);
  });
  replace(ajv, 'uniqueItems', draft === '7' ? undefined : 'maxContains', (cxt) => {
    if (cxt.schema !== true) return;
    const twins = cxt.gen.const('twins', _`${kept(cxt, findTwins)}(${cxt.data})`);
    cxt.setParams({ i: _`${twins}[0]`, j: _`${twins}[1]` });
    cxt.fail(_`${twins} !== undefined`);
  });
  if (draft === '2019-09') takeOlderItems(ajv);
  if (draft !== '7') {
    const { code } = definition(ajv, 'unevaluatedProperties');
    replace(ajv, 'unevaluatedProperties', undefined, (cxt, rule) => {
      // Names that were met are kept in an object, which must not know `constructor` from elsewhere.
      if (cxt.it.props instanceof Name) cxt.it.props = cxt.gen.const('met', _`${kept(cxt, bare)}(${cxt.it.props})`);
      code(cxt, rule);
    });
  }
  return ajv;
}

/** Until 2020-12 `items` was a list as well, and `additionalItems` what came after it. */
function takeOlderItems(ajv: Ajv): void {
  const older = new Ajv({ ...options, meta: false });
  ajv.removeKeyword('prefixItems').removeKeyword('items');
  for (const keyword of ['additionalItems', 'items']) ajv.addKeyword({ ...definition(older, keyword), keyword });
}

type WritesCode = (cxt: KeywordCxt, rule?: string) => void;

function definition(ajv: Ajv, keyword: string): { readonly code: WritesCode } {
  const rule = ajv.RULES.all[keyword];
  return (rule as { readonly definition: { readonly code: WritesCode } }).definition;
}

/** Its words, its errors and its place among the others stay. */
function replace(ajv: Ajv, keyword: string, before: string | undefined, code: WritesCode): void {
  const own = definition(ajv, keyword);
  ajv.removeKeyword(keyword);
  ajv.addKeyword({ ...own, keyword, code, ...(before !== undefined && { before }) });
}

const functionsOf = oncePerObject((_validator: object): unknown[] => []);

/** A function that the code of a validator calls. Each value in its scope would make all of them longer to write out. */
function kept({ gen, it }: KeywordCxt, called: (...values: never[]) => unknown): Code {
  const functions = functionsOf(it.self);
  const all = gen.scopeValue('obj', { key: meter, ref: functions });
  return _`${all}[${functions.push(called) - 1}]`;
}

const bare = (met: unknown): unknown => (isJsonObject(met) ? Object.assign(Object.create(null) as object, met) : met);

/** By their canonical text: equality as the validator knows it calls methods that a value may have as fields. */
function isOneOf(choices: readonly JsonValue[]): (value: JsonValue) => boolean {
  const texts = new Set(choices.map(canonicalJson));
  const compound = choices.some((choice) => typeof choice === 'object' && choice !== null);
  return (value) => {
    if (typeof value === 'object' && value !== null && !compound) return false;
    const text = canonicalJson(value);
    running.spend(1 + text.length / 8);
    return texts.has(text);
  };
}

/** The last element that equals one before it, and that one. */
function findTwins(items: readonly JsonValue[]): readonly [number, number] | undefined {
  const seen = new Map<string, number>();
  let twins: readonly [number, number] | undefined;
  for (const [at, item] of items.entries()) {
    const text = canonicalJson(item);
    running.spend(1 + text.length / 8);
    const before = seen.get(text);
    if (before !== undefined) twins = [at, before];
    seen.set(text, at);
  }
  return twins;
}

const meter = 'workrail-meter';

/** What one application of a schema costs, without the schemas inside of it, which have meters of their own. */
interface Cost {
  readonly fixed: number;
  readonly references: number;
  readonly characters: boolean;
  readonly items: number;
  readonly fields: number;
  /** All that is inside of a value, where a schema of schemas judges it. */
  readonly whole: boolean;
}

function countsWork(cxt: KeywordCxt): void {
  const { gen, data } = cxt;
  const cost = cxt.schema as Cost;
  const count = (value: JsonValue, errors: number): void => {
    if (errors > limits.judgingErrors) throw new TooManyErrors();
    running.spend(cost.fixed + (errors * cost.references) / 32 + workIn(cost, value));
  };
  gen.code(_`${kept(cxt, count)}(${data}, ${new Name('errors')})`);
}

function workIn(cost: Cost, value: JsonValue): number {
  if (typeof value === 'string') return cost.characters ? value.length / 8 : 0;
  if (typeof value !== 'object' || value === null) return 0;
  const whole = cost.whole ? canonicalJson(value).length * 20 : 0;
  if (Array.isArray(value)) return whole + value.length * cost.items;
  return whole + (cost.fields === 0 ? 0 : Object.keys(value).length * cost.fields);
}

/** The schema with a meter in each part that judges something. */
export function withMeters(schema: JsonObject): AnySchemaObject {
  return metered(schema) as AnySchemaObject;
}

function metered(schema: JsonValue): JsonValue {
  if (!isJsonObject(schema)) return schema;
  const inner = mapSchemasIn(schema, metered);
  return judgesAnything(schema) ? { [meter]: { ...costOf(schema) }, ...inner } : inner;
}

function costOf(schema: JsonObject): Cost {
  const has = (...keywords: readonly string[]): number =>
    keywords.filter((keyword) => Object.hasOwn(schema, keyword)).length;
  const sizeOf = (keyword: string): number => {
    const value = own(schema, keyword) ?? null;
    return typeof value === 'object' && value !== null ? Object.keys(value).length : 0;
  };
  const patterns = sizeOf('patternProperties');
  const references = has('$ref', '$dynamicRef', '$recursiveRef');
  const required = isJsonObject(schema['dependentRequired'] ?? null)
    ? Object.values(schema['dependentRequired'] as JsonObject).flat().length
    : 0;
  return {
    fixed:
      2 +
      Object.keys(schema).length +
      references * 4 +
      sizeOf('required') +
      required +
      schemasIn(schema).filter(({ applied }) => applied !== 'nothing').length,
    references,
    characters: has('minLength', 'maxLength') > 0,
    items: has('items', 'additionalItems', 'unevaluatedItems', 'contains', 'uniqueItems'),
    fields:
      has('minProperties', 'maxProperties', 'propertyNames', 'unevaluatedProperties') +
      has('additionalProperties') * (1 + patterns) +
      patterns,
    whole: typeof schema['$ref'] === 'string' && schema['$ref'].startsWith('http'),
  };
}
