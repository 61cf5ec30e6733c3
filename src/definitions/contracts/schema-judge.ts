import type { Ajv, ErrorObject, ValidateFunction } from 'ajv';
import { firstWords } from '../../base/byte-budget.js';
import { canonicalJson, shownJson } from '../../base/canonical-json.js';
import type { JsonObject, JsonValue } from '../../base/json-value.js';
import { limits } from '../../base/limits.js';
import { oncePerObject } from '../../base/once-per-object.js';
import { own } from '../../base/own.js';
import { pointerTo } from '../../base/patch/json-pointer.js';
import { err, ok, type Result } from '../../base/result.js';
import { memoize } from '../expression/memoize.js';
import { JudgingWork, TooMuchWork } from './judging-work.js';
import { judgeWithin, meteredValidator, withMeters } from './metered-validator.js';
import { draftOf, type SchemaDraft, whatCounts } from './schema-draft.js';
import { type CountedSchema, countSchema, type SchemaProblem } from './schema-work.js';

/** A schema that can be used, and what was counted of it. */
interface Compiled extends CountedSchema {
  /** Gathers every error. Compiled when it is first asked for, as is the other. */
  readonly thorough: () => ValidateFunction;
  /** Ends with the first error, and so with less work. */
  readonly brief: () => ValidateFunction;
}

/** Keyed by the schema's canonical text, as nothing else takes part in a check. */
const compiled: (text: string) => Result<Compiled, SchemaProblem> = memoize(
  (text) => {
    const schema = JSON.parse(text) as JsonObject;
    const draft = draftOf(schema);
    const counts = whatCounts(schema);
    const counted = countSchema(counts);
    if (!counted.ok) return counted;
    const { asksWhatIsJudged, doubt } = counted.value;
    // What could be used before goes on so, and no more than that.
    if (doubt !== undefined && (schema['$id'] !== undefined || draft === '2019-09')) return err(doubt);
    const metered = withMeters(counts);
    // One of its own for each: by its `$id`, one author's schema could answer to another's name.
    const compile = (thorough: boolean): ValidateFunction =>
      meteredValidator(draft, { thorough, asksWhatIsJudged, strict: doubt !== undefined }).compile(metered);
    try {
      const thorough = compile(true);
      let brief: ValidateFunction | undefined;
      return ok({ ...counted.value, thorough: () => thorough, brief: () => (brief ??= compile(false)) });
    } catch (cause) {
      return err(doubt ?? { pointer: '', message: reasonOf(cause) });
    }
  },
  (made) => (made.ok ? 1 + made.value.parts / partsOfUsualSchema : 1),
);

/** Compiled, a part takes some kilobytes: what is kept is bounded by them, not by how many schemas they are of. */
const partsOfUsualSchema = 50;

/** Each document of an agent is held against the same few schemas, which may be long. */
const textOf = oncePerObject((schema: JsonObject) => canonicalJson(schema));

function reasonOf(cause: unknown): string {
  if (cause instanceof RangeError) return 'it is nested too deeply: put inner parts under `$defs`, and refer to fewer';
  return firstWords(cause instanceof Error ? cause.message : String(cause), limits.recordedReason * 4);
}

/** Undefined when something can be held against the schema. */
export function schemaProblem(schema: JsonObject, work = new JudgingWork()): SchemaProblem | undefined {
  const counted = countSchema(whatCounts(schema));
  if (!counted.ok) return counted.error;
  const text = textOf(schema);
  if (!work.meetSchema(text, counted.value.parts)) return { pointer: '', message: tooManyParts, together: true };
  try {
    holdAgainstSchemas(schema);
  } catch (cause) {
    return { pointer: '', message: reasonOf(cause) };
  }
  const validate = compiled(text);
  return validate.ok ? undefined : validate.error;
}

/**
 * What a schema that can be used asks for and would not always get: what the validator judges otherwise than the draft
 * says. New schemas are refused for it; a pin of before is judged as it was.
 */
export function schemaDoubt(schema: JsonObject): SchemaProblem | undefined {
  const counted = countSchema(whatCounts(schema));
  return counted.ok ? counted.value.doubt : undefined;
}

/** Of the schemas of schemas, which refer to none but each other. */
const formValidators = new Map<SchemaDraft, Ajv>();

/** That of 2019-09 adds nothing to the one before that compiling does not find. */
function holdAgainstSchemas(schema: JsonObject): void {
  const draft = draftOf(schema) === '2020-12' ? '2020-12' : '7';
  const ajv =
    formValidators.get(draft) ?? meteredValidator(draft, { thorough: true, asksWhatIsJudged: false, strict: false });
  formValidators.set(draft, ajv);
  // Without a draft of its own it is held against that of the validator.
  void ajv.validateSchema(
    Object.fromEntries(Object.entries(schema).filter(([keyword]) => keyword !== '$schema')),
    true,
  );
}

const tooManyParts = `together with the other schemas here it has more than ${limits.schemaPartsTogether} parts: ask for less in one workflow, or call routines`;

export interface ValueProblem {
  readonly pointer: string;
  readonly message: string;
  /** A field that the schema does not know: the remedy is to take it out. */
  readonly stray?: string;
}

export type Verdict =
  /** None is found where the value is right. */
  | { readonly kind: 'judged'; readonly problems: readonly ValueProblem[] }
  | { readonly kind: 'no_schema'; readonly problem: SchemaProblem }
  | { readonly kind: 'too_much_work' }
  /** It asks what a choice among schemas has judged, which that choice does not tell. */
  | { readonly kind: 'not_judged' };

/** Ends whatever the schema and the value are: what it does is counted, together with all else that shares the work. */
export function judgeValue(schema: JsonObject, value: JsonValue, work = new JudgingWork()): Verdict {
  const text = textOf(schema);
  const validate = compiled(text);
  if (!validate.ok) return { kind: 'no_schema', problem: validate.error };
  if (!work.meetSchema(text, validate.value.parts))
    return { kind: 'no_schema', problem: { pointer: '', message: tooManyParts } };
  const errors = errorsOf(validate.value, value, work);
  if (errors === 'not judged') return { kind: 'not_judged' };
  if (errors === undefined) return { kind: 'too_much_work' };
  return { kind: 'judged', problems: errors.slice(0, limits.violations).map(inWordsAt) };
}

function inWordsAt(error: ErrorObject): ValueProblem {
  const { additionalProperty } = error.params as { readonly additionalProperty?: string };
  return {
    pointer: pointerOf(error),
    message: inWords(error),
    ...(error.keyword === 'additionalProperties' && { stray: additionalProperty ?? '' }),
  };
}

type Judged = readonly ErrorObject[] | 'not judged' | undefined;

/** Undefined where the work did not suffice. Half of it is kept for a look that ends with the first error. */
function errorsOf(
  { thorough, brief, isDynamic, asksWhatIsJudged }: Compiled,
  value: JsonValue,
  work: JudgingWork,
): Judged {
  const judge = (compile: () => ValidateFunction, part: JudgingWork): Judged => {
    try {
      const validate = compile();
      const passes = judgeWithin(part, () => validate(value));
      const errors = passes ? [] : (validate.errors ?? []);
      // They would be kept for as long as the schema is.
      validate.errors = null;
      return errors;
    } catch (cause) {
      // A stack that overflows is work without an end as well.
      if (cause instanceof TooMuchWork || cause instanceof RangeError) return undefined;
      // The code that the validator makes fails where a choice keeps nothing of what it has judged.
      if (asksWhatIsJudged && cause instanceof TypeError) return 'not judged';
      throw cause;
    }
  };
  const all = work.tryWith(isDynamic ? 1 : 1 / 2, (part) => judge(thorough, part));
  return all ?? (isDynamic ? undefined : judge(brief, work));
}

function pointerOf(error: ErrorObject): string {
  const params = error.params as { readonly missingProperty?: string; readonly additionalProperty?: string };
  const child = params.missingProperty ?? params.additionalProperty;
  return child === undefined ? error.instancePath : error.instancePath + pointerTo([child]);
}

function inWords(error: ErrorObject): string {
  const params = error.params as { readonly [name: string]: JsonValue | undefined };
  const param = (name: string): string =>
    ((value) => (typeof value === 'string' ? value : shown(value)))(own(params, name));
  const got = (): string => shown(error.data as JsonValue | undefined);
  switch (error.keyword) {
    case 'required':
      return `expected \`${param('missingProperty')}\`, which is missing`;
    case 'additionalProperties':
      return `\`${param('additionalProperty')}\` is not a field that the schema knows`;
    case 'type':
      return `expected ${param('type')}, got ${got()}`;
    case 'const':
      return `expected ${shown(params['allowedValue'])}, got ${got()}`;
    case 'enum':
      return `expected ${(params['allowedValues'] as readonly JsonValue[]).map(shown).join(' or ')}, got ${got()}`;
    case 'pattern':
      return `expected text that matches \`${param('pattern')}\`, got ${got()}`;
    case 'minimum':
    case 'maximum':
    case 'exclusiveMinimum':
    case 'exclusiveMaximum':
      return `expected a number ${param('comparison')} ${param('limit')}, got ${got()}`;
    case 'minLength':
    case 'minItems':
    case 'minProperties':
      return `expected at least ${count(error)}, got ${got()}`;
    case 'maxLength':
    case 'maxItems':
    case 'maxProperties':
      return `expected at most ${count(error)}, got ${got()}`;
    default:
      return `${error.message ?? error.keyword}, got ${got()}`;
  }
}

function count(error: ErrorObject): string {
  const limit = String((error.params as { readonly limit: number }).limit);
  const of = error.keyword.endsWith('Length') ? 'characters' : error.keyword.endsWith('Items') ? 'elements' : 'fields';
  return `${limit} ${of}`;
}

function shown(value: JsonValue | undefined): string {
  return value === undefined ? 'nothing' : shownJson(value);
}
