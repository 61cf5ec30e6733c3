import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { canonicalJson } from '../../base/canonical-json.js';
import type { JsonObject, JsonValue } from '../../base/json-value.js';
import { err, ok, type Result } from '../../base/result.js';
import type { OutputContract } from '../compiled/compiled-workflow.js';
import { linearPattern } from '../expression/linear-pattern.js';
import { memoize } from '../expression/memoize.js';

const options = {
  allErrors: true,
  // A misspelt keyword would otherwise validate everything in silence.
  strictSchema: true,
  strictTypes: false,
  strictTuples: false,
  strictRequired: false,
  // Formats are notes for the reader: we ship none, and half a check is worse than none.
  validateFormats: false,
  addUsedSchema: false,
  // Asked for where an author's schema is checked: the schema of schemas takes a process longer than all its contracts.
  validateSchema: false,
  logger: false,
  verbose: true,
  code: { regExp: Object.assign(linearTest, { code: 'linearTest' }) },
} as const;
/** Either takes milliseconds to make, and most requests judge no contract. */
let draft2020: Ajv2020 | undefined;
let draft7: Ajv | undefined;

/** ajv asks for a constructor of expressions; a schema's `pattern` may not hang the process either. */
function linearTest(source: string): { test: (text: string) => boolean } {
  const pattern = linearPattern(source);
  if (!pattern.ok) throw new Error(`\`${source}\` is ${pattern.error}`);
  return pattern.value;
}

const ajvFor = (schema: JsonObject): Ajv | Ajv2020 =>
  typeof schema['$schema'] === 'string' && schema['$schema'].includes('draft-07')
    ? (draft7 ??= new Ajv(options))
    : (draft2020 ??= new Ajv2020(options));

/** Keyed by the schema's canonical text, as nothing else of a contract takes part in a check. */
const compiled: (text: string) => Result<ValidateFunction, string> = memoize((text) => {
  const schema = JSON.parse(text) as JsonObject;
  const ajv = ajvFor(schema);
  // Registered by its `$id`, one author's schema could answer to another's name, or to that of the meta-schema.
  if (schema['$id'] !== undefined) return err('an inline schema has no `$id`');
  try {
    return ok(ajv.compile(schema));
  } catch (cause) {
    return err(reasonOf(cause));
  } finally {
    // ajv keeps every schema it saw for ever; `remembered` is our bound.
    ajv.removeSchema(schema);
  }
});

const reasonOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));

/** Undefined when the schema can be used. */
export function schemaProblem(schema: JsonObject): string | undefined {
  try {
    // One with an `$id` is refused below, whatever else is wrong with it.
    if (schema['$id'] === undefined) void ajvFor(schema).validateSchema(schema, true);
  } catch (cause) {
    return reasonOf(cause);
  }
  const validate = compiled(canonicalJson(schema));
  return validate.ok ? undefined : validate.error;
}

export interface ArtifactProblem {
  readonly pointer: string;
  readonly message: string;
  /** A field that the contract does not know: the remedy is to take it out. */
  readonly stray?: true;
}

export function checkArtifact(contract: OutputContract, artifact: JsonObject): readonly ArtifactProblem[] {
  const validate = compiled(canonicalJson(contract.schema));
  if (!validate.ok) return [{ pointer: '', message: `the contract's schema cannot be used: ${validate.error}` }];
  try {
    if (validate.value(artifact)) return [];
  } catch (cause) {
    // It compares objects by methods that a value may have as fields.
    if (!(cause instanceof TypeError)) throw cause;
    const message = 'it cannot be compared with what is expected: no object may have a field `toString` or `valueOf`';
    return [{ pointer: '', message }];
  }
  return (validate.value.errors ?? []).map((error) => ({
    pointer: pointerOf(error),
    message: inWords(error),
    ...(error.keyword === 'additionalProperties' && { stray: true as const }),
  }));
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
  const param = (name: string): string => (typeof params[name] === 'string' ? params[name] : shown(params[name]));
  const got = shown(error.data as JsonValue | undefined);
  switch (error.keyword) {
    case 'required':
      return `expected \`${param('missingProperty')}\`, which is missing`;
    case 'additionalProperties':
      return `\`${param('additionalProperty')}\` is not one of the contract's fields`;
    case 'type':
      return `expected ${param('type')}, got ${got}`;
    case 'const':
      return `expected ${shown(params['allowedValue'])}, got ${got}`;
    case 'enum':
      return `expected ${(params['allowedValues'] as readonly JsonValue[]).map(shown).join(' or ')}, got ${got}`;
    case 'pattern':
      return `expected text that matches \`${param('pattern')}\`, got ${got}`;
    case 'minimum':
    case 'maximum':
    case 'exclusiveMinimum':
    case 'exclusiveMaximum':
      return `expected a number ${param('comparison')} ${param('limit')}, got ${got}`;
    case 'minLength':
    case 'minItems':
    case 'minProperties':
      return `expected at least ${count(error)}, got ${got}`;
    case 'maxLength':
    case 'maxItems':
    case 'maxProperties':
      return `expected at most ${count(error)}, got ${got}`;
    default:
      return `${error.message ?? error.keyword}, got ${got}`;
  }
}

function count(error: ErrorObject): string {
  const limit = String((error.params as { readonly limit: number }).limit);
  const of = error.keyword.endsWith('Length') ? 'characters' : error.keyword.endsWith('Items') ? 'elements' : 'fields';
  return `${limit} ${of}`;
}

function shown(value: JsonValue | undefined): string {
  if (value === undefined) return 'nothing';
  const text = canonicalJson(value);
  return text.length <= 80 ? text : `${text.slice(0, 76)} …`;
}
