import { byteLength } from '../base/byte-budget.js';
import { closestName } from '../base/closest-name.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../base/json-value.js';
import { limits } from '../base/limits.js';
import { checkExpression } from './check-expression.js';
import { checkStepBody, checkStepOutput, checkStepRules, checkValues } from './check-step.js';
import { contextReads } from './context-reads.js';
import { expressionTree } from './expression-tree.js';
import { eachStep, outlineSteps, type StepOutline } from './source-outline.js';
import type { SourcePath } from './source-document.js';
import type { Finding } from './source-reporter.js';
import { templateExpressions, unclosedHole } from './template.js';
import { rootRead, visitExpression } from './visit-expression.js';

/** An expression of the source, with what it may name. */
interface Use {
  readonly path: SourcePath;
  readonly source: string;
  /** The text to point at: in a prompt, the hole rather than the first place where the same words stand. */
  readonly text: string;
  /** It stands in a text, between `${{` and `}}`. */
  readonly inText: boolean;
  readonly variables: ReadonlySet<string>;
}

/** What spans several fields of a workflow. Works on whatever of the source is well formed, so that everything is said at once. */
export function checkWorkflow(source: JsonObject): readonly Finding[] {
  const steps = outlineSteps(source['steps'], ['steps']);
  const all = eachStep(steps);
  const inputs = isJsonObject(source['inputs'] ?? null) ? (source['inputs'] as JsonObject) : {};
  const uses = all.flatMap(usesOf);
  const names = { inputs: new Set(Object.keys(inputs)), steps: new Set(all.flatMap((step) => step.id ?? [])) };
  return [
    ...checkIds(all),
    ...checkCounts(all),
    ...checkValues(inputs, ['inputs']),
    ...all.flatMap((step) => [...checkStepBody(step), ...checkStepOutput(step), ...checkStepRules(step)]),
    ...all.flatMap((step) => checkValues(step.source['sets'], [...step.path, 'sets'])),
    ...all.flatMap(checkTexts),
    ...uses.flatMap((use) =>
      checkExpression(use.source, { ...names, variables: use.variables }).map(
        ({ message, closest }): Finding => ({ path: use.path, of: { text: use.text }, rule: 'expression', message: `\`${use.source}\`: ${message}`, actual: use.source, closest }),
      ),
    ),
    ...warnings(source, inputs, all, uses),
  ];
}

function checkIds(all: readonly StepOutline[]): readonly Finding[] {
  const seen = new Map<string, StepOutline>();
  return all.flatMap((step): readonly Finding[] => {
    if (step.id === undefined) return [];
    const first = seen.get(step.id);
    if (!first) seen.set(step.id, step);
    return first ? [{ path: [...step.path, 'id'], rule: 'duplicate_id', message: `another step is called \`${step.id}\` already (/${first.path.join('/')})`, actual: step.id }] : [];
  });
}

function checkCounts(all: readonly StepOutline[]): readonly Finding[] {
  const found: Finding[] = all
    .filter((step) => step.loop !== undefined && step.loops.length === limits.loopNesting)
    .map(({ path }) => ({ path, rule: 'limit', message: `loops nest at most ${limits.loopNesting} deep` }));
  if (all.length > limits.steps) found.push({ path: ['steps'], rule: 'limit', message: `the workflow has ${all.length} steps; at most ${limits.steps} are allowed` });
  return found;
}

const textFields = ['title', 'role', 'prompt'] as const;

function textsOf(step: StepOutline): readonly (readonly [SourcePath, string])[] {
  return textFields.flatMap((field) => {
    const text = step.source[field];
    return typeof text === 'string' ? [[[...step.path, field], text] as const] : [];
  });
}

function checkTexts(step: StepOutline): readonly Finding[] {
  return textsOf(step).flatMap(([path, text]) => {
    const found: Finding[] = [];
    const open = unclosedHole(text);
    if (open !== undefined) found.push({ path, of: { text: text.slice(open, open + 20).split('\n')[0]! }, rule: 'template', message: 'this `${{` is never closed with `}}`' });
    for (const [whole, inside] of text.matchAll(/(?<!\$)\{\{\s*([A-Za-z_][\w.[\]'"]*)\s*\}\}/gu)) {
      // A hole may print braces itself: ${{ "{{ name }}" }}
      if (templateExpressions(text).some(({ source }) => source.includes(whole))) continue;
      found.push({ path, of: { text: whole }, rule: 'template', message: `\`${whole}\` is printed as it stands; a hole is written \`\${{ ${inside!} }}\``, expected: `\${{ ${inside!} }}`, actual: whole });
    }
    if (path.at(-1) === 'prompt' && byteLength(text) > limits.prompt) found.push({ path, rule: 'limit', message: `the prompt has ${byteLength(text)} bytes; at most ${limits.prompt} are allowed` });
    else if (path.at(-1) === 'prompt' && byteLength(text) > limits.promptWarning)
      found.push({ path, severity: 'warning', rule: 'long_prompt', message: `the prompt has ${byteLength(text)} bytes; an agent follows one under ${limits.promptWarning} better` });
    return found;
  });
}

function usesOf(step: StepOutline): readonly Use[] {
  const outside = variablesIn(step.loops);
  const inside = step.loop ? variablesIn([...step.loops, step]) : outside;
  const uses: Use[] = textsOf(step).flatMap(([path, text]) => templateExpressions(text).map(({ source, offset }) => ({ path, source, text: text.slice(offset, text.indexOf(source, offset) + source.length), inText: true, variables: outside })));
  for (const field of ['if', 'foreach', 'while', 'until', 'repeat'] as const) {
    const source = step.source[field];
    // The test of a loop is asked in its iterations; its list and its count before the first.
    const variables = field === 'while' || field === 'until' ? inside : outside;
    if (typeof source === 'string') uses.push({ path: [...step.path, field], source, text: source, inText: false, variables });
  }
  return uses;
}

function variablesIn(loops: readonly StepOutline[]): ReadonlySet<string> {
  const names = loops.filter((loop) => loop.loop === 'foreach').map((loop) => (typeof loop.source['as'] === 'string' ? loop.source['as'] : 'item'));
  return new Set(loops.length > 0 ? [...names, 'iteration'] : names);
}

function warnings(source: JsonObject, inputs: JsonObject, all: readonly StepOutline[], uses: readonly Use[]): readonly Finding[] {
  const set = new Set(all.flatMap(keysSetBy));
  const found: Finding[] = uses.flatMap((use) => contextReads(use.source).filter(({ key }) => !set.has(key)).map(({ key, guarded }) => neverSet(use, key, guarded, set, inputs)));
  const read = inputsRead(uses);
  if (read) {
    for (const name of Object.keys(inputs))
      if (!read.has(name)) found.push({ path: ['inputs', name], of: 'key', severity: 'warning', rule: 'input_never_read', message: `nothing reads the input \`${name}\`` });
  }
  if (typeof source['description'] !== 'string') found.push({ path: [], severity: 'warning', rule: 'no_description', message: 'without a `description` no agent can tell when to use this workflow' });
  return found;
}

function neverSet(use: Use, key: string, guarded: boolean, set: ReadonlySet<string>, inputs: JsonObject): Finding {
  const closest = Object.hasOwn(inputs, key) ? `inputs.${key}` : closestName(key, set);
  const what = use.inText ? 'the text prints' : 'the condition reads';
  const outcome = guarded || use.inText ? '' : '; the step before it will be asked for it';
  return { path: use.path, of: { text: use.text }, severity: 'warning', rule: 'context_never_set', message: `${what} \`context.${key}\`, which no step sets${outcome}`, actual: key, closest };
}

function keysSetBy(step: StepOutline): readonly string[] {
  const needs = Array.isArray(step.source['needs']) ? (step.source['needs'] as readonly JsonValue[]) : [];
  const sets = step.source['sets'] ?? null;
  return [...(isJsonObject(sets) ? Object.keys(sets) : []), ...needs.flatMap((need) => (isJsonObject(need) && typeof need['key'] === 'string' ? [need['key']] : []))];
}

/** Undefined when something reads the inputs as a whole. */
function inputsRead(uses: readonly Use[]): ReadonlySet<string> | undefined {
  const read = new Set<string>();
  let whole = 0;
  for (const use of uses) {
    const tree = expressionTree(use.source);
    if (!tree.ok) continue;
    visitExpression(tree.value, use.variables, (node, variables) => {
      const member = rootRead(node, variables);
      if (node.op === 'name' && node.name === 'inputs' && !variables.has('inputs')) whole += 1;
      else if (member?.root === 'inputs') {
        // The `inputs` inside this member is visited next.
        whole -= 1;
        read.add(member.key);
      }
    });
  }
  return whole === 0 ? read : undefined;
}
