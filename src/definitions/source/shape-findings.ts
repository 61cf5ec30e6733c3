import type { z } from 'zod';
import { closestName, closestNames, isSlip, knownInstead } from '../../base/closest-name.js';
import { isJsonObject, type JsonValue } from '../../base/json-value.js';
import { limits } from '../../base/limits.js';
import { pointerTo } from '../../base/patch/json-pointer.js';
import type { SourcePath } from './source-path.js';
import { controlledLoop } from './controlled-loop.js';
import { finding, type Finding, replacing } from './finding.js';

type Issue = z.core.$ZodIssue;

/** What the schema found, in an author's words. `keysAt` names the keys that are allowed in the object at a path. */
export function shapeFindings(
  issues: readonly Issue[],
  source: JsonValue,
  keysAt: (path: SourcePath) => readonly string[],
): readonly Finding[] {
  return issues.slice(0, 5 * limits.violations).flatMap((issue) => findingsOf(issue, [], source, keysAt));
}

function findingsOf(
  issue: Issue,
  outer: SourcePath,
  source: JsonValue,
  keysAt: (path: SourcePath) => readonly string[],
): readonly Finding[] {
  const path = [...outer, ...(issue.path as SourcePath)];
  const value = valueAt(source, path);
  const actual = describe(value);
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.slice(0, limits.violations).map((key) => unknownKey(path, key, keysAt(path), value));
    case 'invalid_type':
      if (value === undefined)
        return [
          finding(path, 'missing', `\`${String(path.at(-1))}\` is missing`, { expected: kindName(issue.expected) }),
        ];
      return [
        {
          path,
          rule: 'type',
          message: `expected ${kindName(issue.expected)}, got ${actual}${hint(issue.expected, value, path)}${form(path)}`,
          expected: kindName(issue.expected),
          actual,
          patch:
            issue.expected === 'array' && typeof value === 'string' && textLists.has(String(path.at(-1)))
              ? replacing(path, [value])
              : undefined,
        },
      ];
    case 'invalid_value': {
      const choices = issue.values.map(String);
      if (value === undefined)
        return [finding(path, 'missing', `\`${String(path.at(-1))}\` is missing`, { expected: choices.join(', ') })];
      const closest = typeof value === 'string' ? meantChoice(value, choices) : undefined;
      return [
        finding(path, 'choice', `expected one of ${choices.join(', ')}, got ${actual}${form(path)}`, {
          expected: choices.join(', '),
          actual,
          closest,
          patch: path[0] === 'recommends' ? undefined : replacing(path, closest),
        }),
      ];
    }
    case 'too_small':
    case 'too_big': {
      const few = issue.code === 'too_small';
      const bound = String(few ? issue.minimum : issue.maximum);
      const unit = issue.origin === 'string' ? ' characters' : issue.origin === 'array' ? ' elements' : '';
      const expected = `at ${few ? 'least' : 'most'} ${bound}${unit}`;
      return [{ path, rule: 'limit', message: `expected ${expected}, got ${actual}`, expected, actual }];
    }
    case 'invalid_format': {
      const message = `${actual} is not a right name or form`;
      return [finding(path, 'format', message, { expected: wordsFor(path), actual, closest: rightId(path, value) })];
    }
    case 'invalid_key': {
      const message = `\`${String(path.at(-1))}\` cannot be a name`;
      return [finding(path, 'format', message, { of: 'key', expected: 'letters, digits and `_`, a letter first' })];
    }
    case 'invalid_union':
      return unionFindings(issue, path, value, source, keysAt);
    case 'custom':
    case 'invalid_element':
    case 'not_multiple_of':
      return [{ path, rule: 'type', message: issue.message, actual }];
  }
}

/** The branch that fits the value's own kind tells what is wrong with it; the others would only confuse. */
function unionFindings(
  issue: Issue & { readonly code: 'invalid_union' },
  path: SourcePath,
  value: JsonValue | undefined,
  source: JsonValue,
  keysAt: (path: SourcePath) => readonly string[],
): readonly Finding[] {
  const possible = issue.errors.filter(
    (branch) => !branch.some((inner) => inner.code === 'invalid_type' && inner.path.length === 0),
  );
  // The branch that knows most of what stands there was meant.
  const strange = (branch: readonly Issue[]): number =>
    branch.reduce(
      (sum, inner) => sum + (inner.code === 'unrecognized_keys' && inner.path.length === 0 ? inner.keys.length : 0),
      0,
    );
  const [fits] = possible.toSorted((a, b) => strange(a) - strange(b) || a.length - b.length);
  if (fits) return fits.flatMap((inner) => findingsOf(inner, path, source, keysAt));
  const expected = [
    ...new Set(
      issue.errors.flatMap((branch) =>
        branch.flatMap((inner) => (inner.code === 'invalid_type' ? [kindName(inner.expected)] : [])),
      ),
    ),
  ].join(' or ');
  const truth = expected.includes('true or false') && (value === 'yes' || value === 'no') ? value === 'yes' : undefined;
  const message = `expected ${expected}, got ${describe(value)}${truth === undefined ? form(path) : `; write \`${truth}\``}`;
  return [finding(path, 'type', message, { expected, actual: describe(value), patch: replacing(path, truth) })];
}

function unknownKey(path: SourcePath, key: string, known: readonly string[], holder: JsonValue | undefined): Finding {
  if (known.includes(key)) {
    const beside =
      isJsonObject(holder) && Object.hasOwn(holder, 'contract')
        ? '`contract`, which provides it'
        : 'the other keys here';
    const message = `\`${key}\` cannot be combined with ${beside}; remove one of them`;
    return finding([...path, key], 'unknown_key', message, { of: 'key', actual: key });
  }
  const foreign = Object.hasOwn(elsewhere, key) ? elsewhere[key]!.find((name) => known.includes(name)) : undefined;
  const closest = foreign ?? closestName(key, known);
  // What another format means by its own word may be written otherwise here.
  const free =
    closest !== undefined &&
    (foreign === undefined || isSlip(key, foreign)) &&
    isJsonObject(holder) &&
    !Object.hasOwn(holder, closest);
  const patch = free
    ? ([{ op: 'move', from: pointerTo([...path, key]), path: pointerTo([...path, closest]) }] as const)
    : undefined;
  const meant = knownInstead(closest && `\`${closest}\``, known, 'keys');
  return finding([...path, key], 'unknown_key', `\`${key}\` is not known here${meant}`, {
    of: 'key',
    expected: known.length > 0 ? known.join(', ') : undefined,
    actual: key,
    closest,
    patch,
  });
}

/** What other formats call it. */
const elsewhere: { readonly [key: string]: readonly string[] } = {
  id: ['workflow'],
  name: ['title'],
  when: ['if'],
  condition: ['if'],
  runCondition: ['if'],
  unless: ['if'],
  instructions: ['prompt'],
  instruction: ['prompt'],
  text: ['prompt'],
  description: ['ask', 'purpose'],
  message: ['ask'],
  question: ['ask'],
  loop: ['repeat'],
  times: ['repeat'],
  count: ['repeat'],
  for: ['foreach'],
  forEach: ['foreach'],
  each: ['foreach'],
  maxIterations: ['max'],
  limit: ['max'],
  item: ['as'],
  values: ['enum'],
  options: ['enum'],
  choices: ['enum'],
  regex: ['pattern', 'matches'],
  min: ['minimum', 'minLength'],
  max: ['maximum', 'maxLength'],
  params: ['inputs', 'with'],
  args: ['with'],
  parameters: ['inputs', 'params'],
  variables: ['inputs'],
  use: ['call'],
  uses: ['call'],
  routine: ['call'],
  requireConfirmation: ['confirm'],
  approval: ['confirm'],
  agentRole: ['role'],
  persona: ['role'],
  summary: ['description'],
  outputs: ['output', 'sets'],
  set: ['sets'],
  optional: ['required'],
  append: ['add'],
  gather: ['collect'],
  returns: ['sets'],
};

/** Of several that are as near, none. */
function meantChoice(value: string, choices: readonly string[]): string | undefined {
  const type = Object.hasOwn(types, value) && choices.includes(types[value]!) ? types[value] : undefined;
  if (type !== undefined) return type;
  const [best, other] = closestNames(value, choices, 2);
  const holds = (choice: string | undefined): boolean => choice?.includes(value.toLowerCase()) === true;
  return holds(best) && holds(other) ? undefined : best;
}

const types: { readonly [name: string]: string } = {
  text: 'string',
  str: 'string',
  list: 'array',
  map: 'object',
  dict: 'object',
  float: 'number',
  double: 'number',
  long: 'integer',
};

const textLists = new Set(['tags', 'guidance', 'preconditions', 'clarify', 'uses', 'functions', 'params']);

/** What stands in a field whose form nobody guesses. */
const forms: { readonly [field: string]: string } = {
  sets: '`risk: { type: string }`',
  inputs: '`ticket: { type: string, required: true }`',
  needs: '`- { reason: needs_user_artifact, key: designDoc, ask: Please paste it. }`',
  rules: '`- { contains: "Verified:" }`',
  output: '`contract: wr.contracts.findings`, or `kind`, `schema` and `example`',
  delegate: '`- { routine: wr.gather_evidence, goal: … }`',
  recommends: '`mode: auto_stop`',
  functions: '`rate: { params: [thing], text: "Rate {{thing}}." }`',
  items: '`{ type: string }`',
  run: '`github repos/get-branch`',
  timeout: '`30m`',
  every: '`15s`',
  up_to: '`60s`',
  retry: '`{ max: 3, on: [429, 503, network], up_to: 60s }`',
  paginate: '`{ by: link, items: body.items }`',
  keep: '`titles: body.items.map(i, i.title)`',
  expect: '`[200, 404]`, or `status == 200 && body.ready`',
  provider: '`{ run: github repos/list-for-org, value: item.name }`',
  until: `\`context.calm == true\`; a loop that an artifact decides is written ${controlledLoop}`,
  control: controlledLoop,
  steps: '`- { id: read, prompt: Read it. }`',
};

function form(path: SourcePath): string {
  const [last, holder] = [path.at(-1), path.at(-2)];
  if (typeof last === 'string' && Object.hasOwn(forms, last)) return `; such as ${forms[last]!}`;
  if (holder === 'sets' || holder === 'inputs') return '; such as `{ type: string }`';
  if (holder === 'dimensions') return '; such as `{ purpose: How well is it shown?, levels: [low, high] }`';
  if (holder === 'references') return '; such as `- { id: style, title: House style, path: docs/style.md }`';
  return typeof last === 'number' && (holder === 'needs' || holder === 'rules') ? `; such as ${forms[holder]!}` : '';
}

/** Written with a unit. */
const spans = new Set(['timeout', 'every', 'up_to']);

/** A step's id as it may be written. */
function rightId(path: SourcePath, value: JsonValue | undefined): string | undefined {
  if (path.at(-1) !== 'id' || typeof value !== 'string') return undefined;
  const id = value
    .trim()
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/gu, '_')
    .replaceAll(/^[_0-9]+|_+$/gu, '')
    .slice(0, limits.definitionName);
  return id === '' ? undefined : id;
}

function valueAt(source: JsonValue, path: SourcePath): JsonValue | undefined {
  let value: JsonValue | undefined = source;
  for (const step of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    value = (value as { readonly [key: string | number]: JsonValue })[step];
  }
  return value;
}

function kindName(expected: string): string {
  const names: { readonly [kind: string]: string } = {
    string: 'text',
    number: 'a number',
    int: 'a whole number',
    boolean: 'true or false',
    array: 'a list',
    object: 'an object',
    record: 'an object',
    custom: 'a value',
  };
  return Object.hasOwn(names, expected) ? names[expected]! : expected;
}

/** YAML's two best-known surprises. */
function hint(expected: string, value: JsonValue, path: SourcePath): string {
  if (expected !== 'string' || spans.has(String(path.at(-1)))) return '';
  if (isJsonObject(value)) return ' (text with `: ` in it must be quoted)';
  return typeof value === 'number' || typeof value === 'boolean' ? ' (put it in quotes)' : '';
}

function describe(value: JsonValue | undefined): string {
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : `a list of ${value.length}`;
  if (isJsonObject(value)) return 'an object';
  if (typeof value === 'string' && value.length > 60) return `text of ${value.length} characters`;
  return value === null ? 'nothing (null)' : JSON.stringify(value);
}

function wordsFor(path: SourcePath): string {
  const last = path.at(-1);
  if (last === 'workflow') return 'namespace.name, each of lower-case letters, digits, `_` and `-`, a letter first';
  if (last === 'version') return 'letters, digits, `.`, `+` and `-`, such as 1.2.0';
  if (last === 'kind') return 'lower-case letters, digits, `_`, `.` and `-`, a letter first';
  if (last === 'run') return 'a catalog and one of its commands, such as `github repos/get-branch`';
  if (spans.has(String(last))) return 'a number with s, m, h or d behind it, such as 15s or 30m';
  if (last === 'id') return 'lower-case letters, digits, `_` and `-`, a letter first';
  return 'letters, digits and `_`, a letter first';
}
