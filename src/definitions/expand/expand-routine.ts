import { bindExpression, bindText, freeNames, type Binding } from '../expression/bind-expression.js';
import { type CompiledStep, type CompiledWorkflow, stepKinds } from '../compiled/compiled-workflow.js';
import { mapParts, rolesOfRounds } from '../compiled/schema-parts.js';
import { everyStep, mapPrompts } from '../compiled/visit-steps.js';
import { expressionTree, type ExpressionTree } from '../expression/expression-tree.js';
import { namesOfAnswer } from '../expression/answer-names.js';
import { stepExpressions, stepParts } from './step-expressions.js';
import { visitExpression } from '../expression/visit-expression.js';

/**
 * The steps of a routine as they stand in a caller: inputs replaced by what the call gives, ids made unique by the id of
 * the call. Replacing happens in the expressions' trees, never in their text, and a variable of the routine that would
 * hide a name of the caller's is called otherwise: what an input stands for is the same wherever it is read.
 */
export function expandRoutine(
  routine: CompiledWorkflow,
  callId: string,
  inputs: ReadonlyMap<string, ExpressionTree>,
): readonly CompiledStep[] {
  const binding = bindingOf(routine, callId, inputs);
  const steps = routine.steps.map((step) => bindStep(step, binding));
  const guidance = routine.guidance.map((line) => bindText(line, binding));
  const first = [
    ...routine.preconditions.map((line) => `Make sure of this first: ${line}`),
    ...routine.clarify.map((line) => `Settle this first: ${line}`),
  ];
  return withGuidance(steps, guidance, first);
}

export function bindingOf(
  routine: CompiledWorkflow,
  callId: string,
  inputs: ReadonlyMap<string, ExpressionTree>,
): Binding {
  const taken = new Set([...inputs.values()].flatMap((value) => [...freeNames(value)]));
  const known = new Set([...taken, ...namesIn(routine.steps)]);
  const suffix = callId.replaceAll('-', '_');
  const fresh = (name: string): string => {
    let made = `${name}_${suffix}`;
    while (known.has(made)) made += '_';
    known.add(made);
    return made;
  };
  return { inputs, prefix: `${callId}-`, renamed: new Map(), taken, fresh };
}

/** The names of variables, and whatever else expressions name, in all of these steps. */
function namesIn(steps: readonly CompiledStep[]): readonly string[] {
  return [...everyStep(steps)].flatMap(({ step }) => [
    ...stepParts(step).names.map(({ text }) => text),
    ...stepExpressions(step).flatMap(namesOfExpression),
  ]);
}

function namesOfExpression(source: string): readonly string[] {
  const tree = expressionTree(source);
  const names: string[] = [];
  if (tree.ok)
    visitExpression(tree.value, new Set(), (inner) =>
      names.push(...(inner.op === 'name' ? [inner.name] : inner.op === 'each' ? [inner.variable] : [])),
    );
  return names;
}

function bindStep(step: CompiledStep, binding: Binding): CompiledStep {
  const names = stepParts(step).names.map(({ text }) => text);
  const renamed = names.map((name) => [name, binding.taken.has(name) ? binding.fresh(name) : name] as const);
  const inside: Binding = { ...binding, renamed: new Map([...binding.renamed, ...renamed]) };
  const bound = mapParts(stepKinds[step.kind], step, ({ role, text }) => {
    if (role === 'told' || role === 'line') return bindText(text, role === 'line' ? inside : binding);
    if (role === 'sent') return bindText(text, binding, 'typed');
    if (role === 'pointer') return bindText(text, binding, 'plain', namesOfAnswer('put', false));
    if (role === 'step') return `${binding.prefix}${text}`;
    if (role === 'element' || role === 'counter') return inside.renamed.get(text) ?? text;
    // A list and a count are read before the loop, what is asked of its rounds inside of it.
    const answer = namesOfAnswer(role, 'paginate' in step);
    return bindExpression(text, rolesOfRounds.has(role) ? inside : binding, answer);
  }) as CompiledStep;
  const named = { ...bound, id: `${binding.prefix}${step.id}` };
  return 'steps' in named ? { ...named, steps: named.steps.map((inner) => bindStep(inner, inside)) } : named;
}

/** Lines for every prompt step, after its own; `first` only for the first of them. */
function withGuidance(
  steps: readonly CompiledStep[],
  lines: readonly string[],
  first: readonly string[],
): readonly CompiledStep[] {
  let left = first;
  return mapPrompts(steps, (step) => {
    const guidance = [...step.guidance, ...lines.filter((line) => !step.guidance.includes(line)), ...left];
    left = [];
    return { ...step, guidance };
  });
}
