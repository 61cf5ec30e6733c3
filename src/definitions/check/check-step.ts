import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json-value.js';
import { limits } from '../../base/limits.js';
import type { ValueSpec } from '../compiled/compiled-workflow.js';
import { isReservedWord } from '../expression/expression-tree.js';
import { closestName } from '../../base/closest-name.js';
import { pointerTo } from '../../base/patch/json-pointer.js';
import { compileContract } from '../expand/compile-contract.js';
import { contractPacks } from '../contracts/contract-packs.js';
import type { JudgingWork } from '../contracts/judging-work.js';
import { checkArtifact } from '../contracts/output-contract.js';
import { schemaDoubt, schemaProblem } from '../contracts/schema-judge.js';
import { schemaSlip } from '../contracts/schema-slips.js';
import type { StepOutline } from '../source/source-outline.js';
import type { SourcePath } from '../source/source-path.js';
import { doubtfulSchemaRule, type Finding, finding, replacing, warning } from '../source/finding.js';
import { listOf } from './source-uses.js';
import { judgedWithin } from './judged-within.js';
import { specProblems } from '../contracts/value-spec.js';
import {
  bodies,
  bodyFields,
  loopFields,
  loopKeys,
  promptFields,
  runFields,
  sharedWithRun,
} from '../source/step-keys.js';

/** A step has one body, and only the fields that go with it. */
export function checkStepBody(step: StepOutline): readonly Finding[] {
  const { path, source } = step;
  const found: Finding[] = [];
  const has = (field: string): boolean => source[field] !== undefined;
  const say = (field: string, message: string): void =>
    void found.push({ path: [...path, field], of: 'key', rule: 'body', message });
  const given = bodyFields.filter(has);
  const [body] = given;
  if (body === undefined) {
    const message = `a step has exactly one body, one of ${bodyFields.join(', ')}, and this one has none`;
    found.push(finding(path, 'body', message, { expected: bodyFields.join(', ') }));
  }
  for (const field of given.slice(1))
    say(field, `a step has exactly one body, \`${body!}\` or \`${field}\`, and this one has both`);
  if (body !== undefined && !bodies[body].byAgent)
    for (const field of promptFields)
      if (has(field) && !(body === 'run' && sharedWithRun.has(field)))
        say(
          field,
          `\`${field}\` belongs to a step with a \`prompt\` or a \`delegate\`${body === 'steps' ? '; give it to a step inside' : ''}`,
        );
  if (has('with') && !has('call') && !has('run')) say('with', '`with` belongs to a `call` or a `run`');
  if (!has('run'))
    for (const field of runFields) if (has(field)) say(field, `\`${field}\` belongs to a step with \`run\``);
  listOf(source['delegate']).forEach((one, at) => {
    if (isJsonObject(one) && one['with'] !== undefined && one['routine'] === undefined) {
      const message = '`with` belongs to a `routine`, and this piece names none';
      found.push(finding([...path, 'delegate', at, 'with'], 'body', message, { of: 'key' }));
    }
  });
  return [...found, ...checkLoop(step, body), ...checkVariable(step)];
}

function checkLoop({ path, source }: StepOutline, body: string | undefined): readonly Finding[] {
  const found: Finding[] = [];
  const has = (field: string): boolean => source[field] !== undefined;
  const say = (field: string, message: string): void =>
    void found.push({ path: [...path, field], of: 'key', rule: 'body', message });
  const loops = loopFields.filter(has);
  for (const field of loops.slice(1)) say(field, `a step is one loop: \`${loops[0]!}\` or \`${field}\``);
  for (const field of loops)
    if (body !== undefined && !has('steps') && !(body === 'run' && field === 'until'))
      say(field, `\`${field}\` repeats \`steps\`; put the \`${body}\` into one`);
  if (loops.length === 0)
    for (const key of loopKeys.filter(has))
      if (!(body === 'run' && sharedWithRun.has(key))) say(key, `\`${key}\` belongs to a loop`);
  const misspelt = (): boolean => Object.keys(source).some((key) => closestName(key, ['foreach']) !== undefined);
  if (has('as') && !has('foreach') && !misspelt()) say('as', '`as` belongs to `foreach`');
  const [loop] = loops;
  if (body !== 'run' && !has('max') && (loop === 'while' || loop === 'until' || loop === 'control')) {
    const patch = [{ op: 'add', path: `${pointerTo(path)}/max`, value: 10 }] as const;
    found.push(
      finding([...path, loop], 'missing', `\`${loop}\` needs \`max\`, the most iterations it may take`, {
        of: 'key',
        expected: `max: 1 to ${limits.loopIterations}`,
        patch,
      }),
    );
  }
  return found;
}

function checkVariable({ path, source, loop, loops }: StepOutline): readonly Finding[] {
  const name = loop === 'foreach' ? (source['as'] ?? 'item') : undefined;
  if (typeof name !== 'string' || !/^[A-Za-z]\w*$/u.test(name)) return [];
  const at = {
    path: source['as'] === undefined ? [...path, 'foreach'] : [...path, 'as'],
    rule: 'loop_variable',
    actual: name,
  } as const;
  if (['inputs', 'context', 'outputs', 'iteration'].includes(name))
    return [{ ...at, message: `a loop variable cannot be called \`${name}\`: expressions know that name already` }];
  if (isReservedWord(name))
    return [{ ...at, message: `a loop variable cannot be called \`${name}\`: the word is reserved` }];
  const hidden = loops.some((outer) => outer.loop === 'foreach' && (outer.source['as'] ?? 'item') === name);
  return hidden
    ? [{ ...at, message: `\`${name}\` is the variable of a loop around this one; say \`as:\` with another name` }]
    : [];
}

/** The specs of `inputs` or `sets`. */
export function checkValues(specs: JsonValue | undefined, path: SourcePath, work: JudgingWork): readonly Finding[] {
  if (!isJsonObject(specs ?? null)) return [];
  return Object.entries(specs as JsonObject).flatMap(([key, spec]) => {
    const here = [...path, key];
    return judgedWithin(work, here, () => checkSpec(spec, here, work));
  });
}

function checkSpec(spec: JsonValue, path: SourcePath, work: JudgingWork): readonly Finding[] {
  // A spec of the wrong shape is told by the schema; judging it here could only guess.
  if (!isSpec(spec)) return [];
  const inner: JsonValue | undefined = (spec as JsonObject)['items'];
  const items = inner === undefined ? [] : checkSpec(inner, [...path, 'items'], work);
  if (items.length > 0) return items;
  if (spec['add'] === true && spec.type !== 'array')
    return [finding([...path, 'add'], 'value', '`add` is for lists: say `type: array`', { of: 'key' })];
  return specProblems(spec, work).map(({ key, message }) => ({ path: [...path, key], rule: 'value', message }));
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

/** All steps of a file share the work of judging their examples. */
export function checkStepOutput(step: StepOutline, work: JudgingWork): readonly Finding[] {
  const output = step.source['output'];
  const listed: readonly (readonly [SourcePath, JsonValue])[] = Array.isArray(output)
    ? (output as readonly JsonValue[]).map((one, at) => [[...step.path, 'output', at], one] as const)
    : [[[...step.path, 'output'], output ?? null]];
  const kinds = new Set<string>();
  return listed.flatMap(([path, one]): readonly Finding[] => {
    if (!isJsonObject(one)) return [];
    if (typeof one['contract'] === 'string') return checkPack(one['contract'], path, kinds);
    if (typeof one['kind'] !== 'string') return [];
    const kind = one['kind'];
    if (contractPacks.has(kind)) {
      const message = `\`${kind}\` is the name of a contract: write \`contract: ${kind}\`, which brings its schema and example`;
      return [finding([...path, 'kind'], 'contract', message, { actual: kind, closest: `contract: ${kind}` })];
    }
    const twice = checkKind(kind, [...path, 'kind'], kinds);
    const { schema = null, example = null } = one;
    if (!isJsonObject(schema) || !isJsonObject(example)) return twice;
    const contract = compileContract({ kind, schema, example, required: true });
    const problem = schemaProblem(contract.schema, work) ?? schemaSlip(contract.schema);
    if (problem !== undefined) {
      const { pointer, message } = problem;
      const cut = emptyKeys(schema, [...path, 'schema']);
      if (cut.length > 0) return [...twice, ...cut];
      return [
        ...twice,
        finding([...path, 'schema', ...segments(pointer)], 'schema', `the schema cannot be used: ${message}`),
      ];
    }
    return [
      ...twice,
      ...doubtfulSchema(contract.schema, [...path, 'schema']),
      ...checkArtifact(contract, contract.example, work).map(({ pointer, message }): Finding => ({
        path: [...path, 'example', ...segments(pointer)],
        rule: 'example',
        message: `the example does not pass its own schema${pointer === '' ? '' : ` at ${pointer}`}: ${message}`,
      })),
    ];
  });
}

/** A file of before goes on as it did; what is saved from now on says it otherwise. */
function doubtfulSchema(schema: JsonObject, path: SourcePath): readonly Finding[] {
  const doubt = schemaDoubt(schema);
  return doubt === undefined
    ? []
    : [warning([...path, ...segments(doubt.pointer)], doubtfulSchemaRule, `in a schema ${doubt.message}`)];
}

/** Of a text with a comma in flow style the rest is taken for keys with nothing. */
function emptyKeys(value: JsonValue, path: SourcePath): readonly Finding[] {
  if (Array.isArray(value)) return (value as readonly JsonValue[]).flatMap((one, at) => emptyKeys(one, [...path, at]));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, inner]): readonly Finding[] => {
    if (inner !== null) return emptyKeys(inner, [...path, key]);
    if (key === 'default' || key === 'const') return [];
    const message = `\`${key}\` has no value and is not a schema keyword`;
    return [finding([...path, key], 'unknown_key', message, { of: 'key', actual: key })];
  });
}

function checkPack(ref: string, path: SourcePath, kinds: Set<string>): readonly Finding[] {
  const at = [...path, 'contract'];
  const pack = contractPacks.get(ref);
  if (pack) return checkKind(pack.kind, at, kinds);
  const closest = closestName(ref, contractPacks.keys());
  const patch = replacing(at, closest);
  const message = `no contract named \`${ref}\`; or describe your own with kind, schema and example`;
  return [
    finding(at, 'contract', message, { expected: [...contractPacks.keys()].join(', '), actual: ref, closest, patch }),
  ];
}

function checkKind(kind: string, path: SourcePath, kinds: Set<string>): readonly Finding[] {
  const twice = kinds.has(kind);
  kinds.add(kind);
  return twice
    ? [{ path, rule: 'duplicate_id', message: `this step has an output of kind \`${kind}\` already`, actual: kind }]
    : [];
}

function segments(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}
