import { isJsonObject, type JsonObject, type JsonValue } from '../base/json-value.js';
import { limits } from '../base/limits.js';
import type { ValueSpec } from './compiled-workflow.js';
import { isReservedWord } from './expression-tree.js';
import { linearPattern } from './linear-pattern.js';
import { compileContract } from './compile-contract.js';
import { checkArtifact, schemaProblem } from './output-contract.js';
import type { StepOutline } from './source-outline.js';
import type { SourcePath } from './source-document.js';
import type { Finding } from './source-reporter.js';
import { specProblems } from './value-spec.js';
import { loopFields, promptFields } from './workflow-format.js';

/** A step has one body, and only the fields that go with it. */
export function checkStepBody(step: StepOutline): readonly Finding[] {
  const { path, source } = step;
  const found: Finding[] = [];
  const has = (field: string): boolean => source[field] !== undefined;
  const say = (field: string, rule: string, message: string): void => void found.push({ path: [...path, field], of: 'key', rule, message });
  if (!has('prompt') && !has('steps'))
    found.push({ path, rule: 'body', message: 'a step has exactly one body, `prompt` or `steps`, and this one has none', expected: 'prompt or steps' });
  if (has('prompt') && has('steps')) say('steps', 'body', 'a step has exactly one body, `prompt` or `steps`, and this one has both');
  if (!has('prompt') && has('steps'))
    for (const field of promptFields) if (has(field)) say(field, 'body', `\`${field}\` belongs to a step with a \`prompt\`; give it to a step inside`);
  const loops = loopFields.filter(has);
  for (const field of loops.slice(1)) say(field, 'body', `a step is one loop: \`${loops[0]!}\` or \`${field}\``);
  for (const field of loops) if (has('prompt') && !has('steps')) say(field, 'body', `\`${field}\` repeats \`steps\`; put the prompt into one`);
  if (has('max') && loops.length === 0) say('max', 'body', '`max` belongs to a loop');
  if (has('as') && !has('foreach')) say('as', 'body', '`as` belongs to `foreach`');
  const [loop] = loops;
  if (!has('max') && (loop === 'while' || loop === 'until'))
    found.push({ path: [...path, loop], of: 'key', rule: 'missing', message: `\`${loop}\` needs \`max\`, the most iterations it may take`, expected: `max: 1 to ${limits.loopIterations}` });
  return [...found, ...checkVariable(step)];
}

function checkVariable({ path, source, loop, loops }: StepOutline): readonly Finding[] {
  const name = loop === 'foreach' ? (source['as'] ?? 'item') : undefined;
  if (typeof name !== 'string' || !/^[A-Za-z]\w*$/u.test(name)) return [];
  const at = { path: source['as'] === undefined ? [...path, 'foreach'] : [...path, 'as'], rule: 'loop_variable', actual: name } as const;
  if (['inputs', 'context', 'outputs', 'iteration'].includes(name)) return [{ ...at, message: `a loop variable cannot be called \`${name}\`: expressions know that name already` }];
  if (isReservedWord(name)) return [{ ...at, message: `a loop variable cannot be called \`${name}\`: the word is reserved` }];
  const hidden = loops.some((outer) => outer.loop === 'foreach' && (outer.source['as'] ?? 'item') === name);
  return hidden ? [{ ...at, message: `\`${name}\` is the variable of a loop around this one; say \`as:\` with another name` }] : [];
}

/** The specs of `inputs` or `sets`. */
export function checkValues(specs: JsonValue | undefined, path: SourcePath): readonly Finding[] {
  if (!isJsonObject(specs ?? null)) return [];
  return Object.entries(specs as JsonObject).flatMap(([key, spec]) => checkSpec(spec, [...path, key]));
}

function checkSpec(spec: JsonValue, path: SourcePath): readonly Finding[] {
  // A spec of the wrong shape is told by the schema; judging it here could only guess.
  if (!isSpec(spec)) return [];
  const inner: JsonValue | undefined = (spec as JsonObject)['items'];
  const items = inner === undefined ? [] : checkSpec(inner, [...path, 'items']);
  if (items.length > 0) return items;
  return specProblems(spec).map(({ key, message }) => ({ path: [...path, key], rule: 'value', message }));
}

function isSpec(spec: JsonValue): spec is JsonObject & ValueSpec {
  const of = (value: JsonValue | undefined, type: string): boolean => value === undefined || typeof value === type;
  return (
    isJsonObject(spec) &&
    ['string', 'number', 'integer', 'boolean', 'array', 'object', 'any'].includes(spec['type'] as string) &&
    of(spec['pattern'], 'string') &&
    of(spec['minimum'], 'number') &&
    of(spec['maximum'], 'number') &&
    (spec['enum'] === undefined || Array.isArray(spec['enum'])) &&
    (spec['items'] === undefined || isSpec(spec['items']))
  );
}

export function checkStepOutput(step: StepOutline): readonly Finding[] {
  const output = step.source['output'];
  const listed: readonly (readonly [SourcePath, JsonValue])[] = Array.isArray(output)
    ? (output as readonly JsonValue[]).map((one, at) => [[...step.path, 'output', at], one] as const)
    : [[[...step.path, 'output'], output ?? null]];
  const kinds = new Set<string>();
  return listed.flatMap(([path, one]): readonly Finding[] => {
    if (!isJsonObject(one) || typeof one['kind'] !== 'string') return [];
    const kind = one['kind'];
    const twice: readonly Finding[] = kinds.has(kind) ? [{ path: [...path, 'kind'], rule: 'duplicate_id', message: `this step has an output of kind \`${kind}\` already`, actual: kind }] : [];
    kinds.add(kind);
    const { schema = null, example = null } = one;
    if (!isJsonObject(schema) || !isJsonObject(example)) return twice;
    const contract = compileContract({ kind, schema, example, required: true });
    const problem = schemaProblem(contract.schema);
    if (problem !== undefined) return [...twice, { path: [...path, 'schema'], rule: 'schema', message: `the schema cannot be used: ${problem}` }];
    return [
      ...twice,
      ...checkArtifact(contract, contract.example).map(({ pointer, message }): Finding => ({ path: [...path, 'example', ...segments(pointer)], rule: 'example', message: `the example does not pass its own schema${pointer === '' ? '' : ` at ${pointer}`}: ${message}` })),
    ];
  });
}

function segments(pointer: string): readonly string[] {
  return pointer.split('/').slice(1).map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

export function checkStepRules(step: StepOutline): readonly Finding[] {
  const rules = step.source['rules'];
  if (!Array.isArray(rules)) return [];
  let least = 0;
  let most: number = limits.notes;
  const found = (rules as readonly JsonValue[]).flatMap((rule, at): readonly Finding[] => {
    if (!isJsonObject(rule)) return [];
    const path = [...step.path, 'rules', at];
    if (Object.keys(rule).length === 0) return [{ path, rule: 'notes_rule', message: 'a rule says at least one of contains, matches, minLength, maxLength' }];
    if (typeof rule['minLength'] === 'number') least = Math.max(least, rule['minLength']);
    if (typeof rule['maxLength'] === 'number') most = Math.min(most, rule['maxLength']);
    const { matches } = rule;
    const pattern = typeof matches === 'string' ? linearPattern(matches) : undefined;
    return pattern && !pattern.ok ? [{ path: [...path, 'matches'], rule: 'notes_rule', message: `\`${matches as string}\` is ${pattern.error}` }] : [];
  });
  const impossible = least > most ? [{ path: [...step.path, 'rules'], rule: 'notes_rule', message: `no notes have at least ${least} and at most ${most} characters` }] : [];
  return [...found, ...impossible];
}
