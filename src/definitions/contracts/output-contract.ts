import type { Ajv, AnySchemaObject, ErrorObject, ValidateFunction } from 'ajv';
import { firstWords } from '../../base/byte-budget.js';
import { canonicalJson, shownJson } from '../../base/canonical-json.js';
import type { JsonObject, JsonValue } from '../../base/json-value.js';
import { limits } from '../../base/limits.js';
import { err, ok, type Result } from '../../base/result.js';
import { own } from '../../base/own.js';
import type { OutputContract } from '../compiled/compiled-workflow.js';
import { memoize } from '../expression/memoize.js';
import { JudgingWork, TooMuchWork } from './judging-work.js';
import { draftOf, judgeWithin, meteredValidator, type ValidatorKind, withMeters } from './metered-validator.js';
import { countSchema, type SchemaProblem } from './schema-work.js';

interface Compiled {
  readonly parts: number;
  readonly isDynamic: boolean;
  readonly asksWhatIsJudged: boolean;
  /** Gathers every error. Compiled when it is first asked for, as is the other. */
  readonly thorough: () => ValidateFunction;
  /** Ends with the first error, and so with less work. */
  readonly brief: () => ValidateFunction;
}

/** Each takes milliseconds to make, and most requests judge no contract. */
const validators = new Map<string, Ajv>();
function validatorFor(schema: JsonObject, kind: ValidatorKind): Ajv {
  const draft = draftOf(schema);
  const key = `${draft} ${kind.thorough} ${kind.asksWhatIsJudged}`;
  const made = validators.get(key) ?? meteredValidator(draft, kind);
  validators.set(key, made);
  return made;
}

/** The schema of schemas asks for nothing that others have judged. */
const schemasAlone: ValidatorKind = { thorough: true, asksWhatIsJudged: false };

/** Keyed by the schema's canonical text, as nothing else of a contract takes part in a check. */
const compiled: (text: string) => Result<Compiled, SchemaProblem> = memoize(
  (text) => {
    const schema = JSON.parse(text) as JsonObject;
    // Registered by its `$id`, one author's schema could answer to another's name, or to that of the meta-schema.
    if (schema['$id'] !== undefined) return err({ pointer: '/$id', message: 'an inline schema has no `$id`' });
    const counted = countSchema(schema);
    if (!counted.ok) return counted;
    const { parts, hasIds, isDynamic, asksWhatIsJudged } = counted.value;
    const metered = withMeters(schema);
    const compile = (thorough: boolean): ValidateFunction => {
      const kind = { thorough, asksWhatIsJudged };
      const ajv = hasIds ? meteredValidator(draftOf(schema), kind) : validatorFor(schema, kind);
      return compileWith(ajv, metered);
    };
    try {
      const thorough = compile(true);
      let brief: ValidateFunction | undefined;
      return ok({
        parts,
        isDynamic,
        asksWhatIsJudged,
        thorough: () => thorough,
        brief: () => (brief ??= compile(false)),
      });
    } catch (cause) {
      return err({ pointer: '', message: reasonOf(cause) });
    }
  },
  (made) => (made.ok ? 1 + made.value.parts / partsOfUsualSchema : 1),
);

/** Compiled, a part takes some kilobytes: what is kept is bounded by them, not by how many schemas they are of. */
const partsOfUsualSchema = 50;

function compileWith(ajv: Ajv, schema: AnySchemaObject): ValidateFunction {
  try {
    return ajv.compile(schema);
  } finally {
    // ajv keeps every schema it saw for ever; `remembered` is our bound.
    ajv.removeSchema(schema);
  }
}

function reasonOf(cause: unknown): string {
  if (cause instanceof RangeError) return 'it is nested too deeply: put inner parts under `$defs`, and refer to fewer';
  return firstWords(cause instanceof Error ? cause.message : String(cause), limits.recordedReason * 4);
}

/** Undefined when the schema can be used. */
export function schemaProblem(schema: JsonObject, work = new JudgingWork()): SchemaProblem | undefined {
  const counted = countSchema(schema);
  if (!counted.ok) return counted.error;
  const text = canonicalJson(schema);
  if (!work.meetSchema(text, counted.value.parts)) return { pointer: '', message: tooManyParts, together: true };
  try {
    // One with an `$id` is refused below, whatever else is wrong with it.
    if (schema['$id'] === undefined) void validatorFor(schema, schemasAlone).validateSchema(schema, true);
  } catch (cause) {
    return { pointer: '', message: reasonOf(cause) };
  }
  const validate = compiled(text);
  return validate.ok ? undefined : validate.error;
}

const tooManyParts = `together with the other schemas here it has more than ${limits.schemaPartsTogether} parts: ask for less in one workflow, or call routines`;

export interface ArtifactProblem {
  readonly pointer: string;
  readonly message: string;
  /** A field that the contract does not know: the remedy is to take it out. */
  readonly stray?: true;
}

/** Ends whatever the schema and the artifact are: what it does is counted, together with all else that shares the work. */
export function checkArtifact(
  contract: OutputContract,
  artifact: JsonObject,
  work = new JudgingWork(),
): readonly ArtifactProblem[] {
  const cannot = (message: string): readonly ArtifactProblem[] => [{ pointer: '', message }];
  const text = canonicalJson(contract.schema);
  const validate = compiled(text);
  if (!validate.ok) {
    const { pointer, message } = validate.error;
    return cannot(`the contract's schema cannot be used${pointer === '' ? '' : ` at ${pointer}`}: ${message}`);
  }
  if (!work.meetSchema(text, validate.value.parts))
    return cannot(`the contract's schema cannot be used: ${tooManyParts}`);
  const errors = errorsOf(validate.value, artifact, work);
  if (errors === 'not judged')
    return cannot(
      'it cannot be held against its schema, which asks in `unevaluatedProperties` or `unevaluatedItems` what a choice among schemas has judged: the workflow’s author must say it without them',
    );
  if (errors === undefined)
    return cannot(
      'it takes too much work to hold it against its schema: hand in a smaller or flatter one, or several; if no smaller one is right, the workflow’s author must make the schema simpler',
    );
  return errors.slice(0, limits.violations).map((error) => ({
    pointer: pointerOf(error),
    message: inWords(error),
    ...(error.keyword === 'additionalProperties' && { stray: true as const }),
  }));
}

type Judged = readonly ErrorObject[] | 'not judged' | undefined;

/** Undefined where the work did not suffice. Half of it is kept for a look that ends with the first error. */
function errorsOf(
  { thorough, brief, isDynamic, asksWhatIsJudged }: Compiled,
  artifact: JsonObject,
  work: JudgingWork,
): Judged {
  const judge = (compile: () => ValidateFunction, part: JudgingWork): Judged => {
    try {
      const validate = compile();
      const passes = judgeWithin(part, () => validate(artifact));
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
  return child === undefined
    ? error.instancePath
    : `${error.instancePath}/${child.replaceAll('~', '~0').replaceAll('/', '~1')}`;
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
      return `\`${param('additionalProperty')}\` is not one of the contract's fields`;
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
