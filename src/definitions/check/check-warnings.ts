import { closestName } from '../../base/closest-name.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json-value.js';
import { limits } from '../../base/limits.js';
import { freeNames } from '../expression/bind-expression.js';
import { calledSteps } from './check-calls.js';
import { checkKeyOrder } from './check-key-order.js';
import { checkKinds } from './check-kinds.js';
import { checkRounds } from './check-rounds.js';
import type { CalledRoutines } from '../expand/called-routines.js';
import { everyStep, keysCollected, keysGiven, promptsIn } from '../compiled/visit-steps.js';
import { constantValue } from '../expression/constant-value.js';
import { contextReads } from '../expression/context-reads.js';
import { expressionTree } from '../expression/expression-tree.js';
import { controlledLoop } from '../source/controlled-loop.js';
import { eachStep, type StepOutline } from '../source/source-outline.js';
import { type Finding, warning } from '../source/finding.js';
import { listOf, variablesOf, type ExpressionUse } from './source-uses.js';
import { outputReads } from '../expression/output-reads.js';
import { rootRead, visitExpression } from '../expression/visit-expression.js';

/** What is legal but unwise. */
export function checkWarnings(
  source: JsonObject,
  inputs: JsonObject,
  all: readonly StepOutline[],
  uses: readonly ExpressionUse[],
  called: CalledRoutines,
): readonly Finding[] {
  const set = new Set(all.flatMap((step) => keysSetBy(step, called)));
  const found: Finding[] = uses
    .flatMap((use) =>
      contextReads(use.source)
        .filter(({ key }) => !set.has(key))
        .map((read) => ({ use, ...read })),
    )
    .slice(0, limits.violations)
    .map(({ use, ...read }) => neverSet(use, read, set, inputs));
  const read = inputsRead(uses);
  if (read) {
    for (const name of Object.keys(inputs))
      if (!read.has(name)) {
        const message = `nothing reads the input \`${name}\`; read it as \`inputs.${name}\`, or take it out`;
        found.push(warning(['inputs', name], 'input_never_read', message, { of: 'key' }));
      }
  }
  if (typeof source['description'] !== 'string')
    found.push(warning([], 'no_description', 'without a `description` no agent can tell when to use this workflow'));
  return [
    ...found,
    ...checkKeyOrder(all, uses, (step) => keysSetBy(step, called)),
    ...all.flatMap(neverRuns),
    ...all.flatMap(withoutRoutine),
    ...all.flatMap((step) => [...noExit(step, called), ...noArtifact(step), ...checkRounds(step, called)]),
    ...checkKinds(all, uses, called),
  ];
}

function neverSet(
  use: ExpressionUse,
  { key, guarded }: { readonly key: string; readonly guarded: boolean },
  set: ReadonlySet<string>,
  inputs: JsonObject,
): Finding {
  const closest = Object.hasOwn(inputs, key) ? `inputs.${key}` : closestName(key, set);
  const inText = use.as === 'text';
  const what = inText ? 'the text prints' : 'the condition reads';
  const outcome = guarded || inText ? '' : '; the step before it will be asked for it';
  const remedy =
    closest === undefined
      ? '; name it under `sets` of the step that finds it out'
      : `; did you mean \`${closest.startsWith('inputs.') ? closest : `context.${closest}`}\`?`;
  const message = `${what} \`context.${key}\`, which no step sets${outcome}${remedy}`;
  return warning(use.path, 'context_never_set', message, { of: { text: use.text }, actual: key, closest });
}

/** Context keys that a step sets itself, or by the routine it calls; those that a loop collects. */
function keysSetBy(step: StepOutline, called: CalledRoutines): readonly string[] {
  const needs = listOf(step.source['needs']).flatMap((need) =>
    isJsonObject(need) && typeof need['key'] === 'string' ? [need['key']] : [],
  );
  const { sets = null, collect = null } = step.source;
  return [
    ...[sets, collect].flatMap((keys) => (isJsonObject(keys) ? Object.keys(keys) : [])),
    ...[...everyStep(calledSteps(step, called))].flatMap(({ step: inner }) => keysCollected(inner)),
    ...needs,
    ...promptsIn(calledSteps(step, called)).flatMap(keysGiven),
  ];
}

/** Undefined when something reads the inputs as a whole. */
function inputsRead(uses: readonly ExpressionUse[]): ReadonlySet<string> | undefined {
  const read = new Set<string>();
  let whole = 0;
  for (const use of uses) {
    const tree = expressionTree(use.source);
    if (!tree.ok) continue;
    visitExpression(tree.value, variablesOf(use), (node, variables) => {
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

/** A condition that is false whatever happens, a loop over nothing. */
function neverRuns(step: StepOutline): readonly Finding[] {
  const { source, path } = step;
  const warn = (field: string, message: string): readonly Finding[] => [
    warning([...path, field], 'never_runs', `${message}; fix it, or remove the step`),
  ];
  if (constant(source['if']) === false) return warn('if', 'this condition is always false, so the step never runs');
  if (constant(source['while']) === false)
    return warn('while', 'this condition is always false, so the loop never runs');
  if (source['repeat'] === 0 || constant(source['repeat']) === 0)
    return warn('repeat', 'the loop repeats 0 times, so it never runs');
  const list = constant(source['foreach']);
  return Array.isArray(list) && list.length === 0
    ? warn('foreach', 'the list is always empty, so the loop never runs')
    : [];
}

function constant(source: unknown): JsonValue | undefined {
  return typeof source === 'string' ? constantValue(source) : undefined;
}

/** A piece that is told its goal and nothing else. */
function withoutRoutine({ source, path }: StepOutline): readonly Finding[] {
  return listOf(source['delegate']).flatMap((one, at): readonly Finding[] =>
    isJsonObject(one) && one['routine'] === undefined
      ? [
          warning(
            [...path, 'delegate', at],
            'no_routine',
            'the sub-agent sees only the goal of this piece; name the `routine` that says how',
          ),
        ]
      : [],
  );
}

/** A loop whose body changes nothing that its test reads goes on to its maximum. */
function noExit(step: StepOutline, called: CalledRoutines): readonly Finding[] {
  const body = eachStep(step.steps);
  const warn = (message: string, remedy: string): readonly Finding[] => [
    warning([...step.path, step.loop!], 'no_exit', `${message}: it only ends at \`max\`; ${remedy}`),
  ];
  if (step.loop === 'control') {
    const controlled = body.some((inner) => handsBackControl(inner, called));
    return controlled
      ? []
      : warn(
          'no step inside outputs `wr.contracts.loop_control`, so nothing ends this loop',
          'give one of them `output: { contract: wr.contracts.loop_control }`',
        );
  }
  if (step.loop !== 'while' && step.loop !== 'until') return [];
  const test = step.source[step.loop];
  const tree = typeof test === 'string' ? expressionTree(test) : undefined;
  if (typeof test !== 'string' || tree?.ok !== true) return [];
  const always = constantValue(test);
  if (step.loop === 'until' && always === true) {
    const message =
      'this condition is always true, so the loop never repeats; fix it, or make this a plain group of steps';
    return [warning([...step.path, 'until'], 'never_repeats', message)];
  }
  if (step.loop === 'while' && always === false) return [];
  if (typeof always === 'boolean')
    return warn(
      'the test of this loop is always the same',
      'let it read a context key that a step inside sets, or say how often with `repeat`',
    );
  const changing = [...freeNames(tree.value)].some(
    (name) => name === 'outputs' || name === 'ledger' || name === 'state' || name === 'iteration',
  );
  const reads = contextReads(test);
  const set = new Set([step, ...body].flatMap((inner) => keysSetBy(inner, called)));
  // The whole context may be read without naming a key.
  const whole = freeNames(tree.value).has('context') && reads.length === 0;
  if (changing || whole || reads.some(({ key }) => set.has(key))) return [];
  if (reads.length === 0)
    return warn(
      'the test of this loop reads nothing that can change',
      'let it read a context key that a step inside sets, or say how often with `repeat`',
    );
  return warn(
    `no step inside sets ${reads.map(({ key }) => `\`${key}\``).join(' or ')}, which the test of this loop reads`,
    body.some((inner) => handsBackControl(inner, called))
      ? `name it under \`sets\` of a step inside, or, where \`wr.contracts.loop_control\` is to decide, write \`control: true\` in place of \`${step.loop}\``
      : 'name it under `sets` of a step inside',
  );
}

/** A test that reads an artifact of a step which is not asked for one. */
function noArtifact({ loop, source, steps, path }: StepOutline): readonly Finding[] {
  const test = loop === 'while' || loop === 'until' ? source[loop] : undefined;
  if (loop === undefined || typeof test !== 'string' || !test.includes('artifacts')) return [];
  const read = outputReads(test);
  const unasked = eachStep(steps).find(
    (inner) => read.has(inner.id ?? '') && inner.source['prompt'] !== undefined && inner.source['output'] === undefined,
  );
  if (unasked === undefined) return [];
  const message = `\`${unasked.id!}\` is asked for no artifact, which the test of this loop reads; give it an \`output\`, or write ${controlledLoop}`;
  return [warning([...path, loop], 'no_artifact', message)];
}

function handsBackControl(step: StepOutline, called: CalledRoutines): boolean {
  const output = step.source['output'];
  const outputs = Array.isArray(output) ? listOf(output) : output === undefined ? [] : [output];
  return (
    outputs.some(
      (one) =>
        isJsonObject(one) &&
        [one['kind'], one['contract']].some(
          (name) => name === 'wr.loop_control' || name === 'wr.contracts.loop_control',
        ),
    ) ||
    promptsIn(calledSteps(step, called)).some((inner) => inner.outputs.some(({ kind }) => kind === 'wr.loop_control'))
  );
}
