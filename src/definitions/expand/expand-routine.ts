import { bindExpression, bindText, freeNames, type Binding } from '../expression/bind-expression.js';
import type { CompiledStep, CompiledWorkflow, LoopStep, PromptStep } from '../compiled/compiled-workflow.js';
import { expressionTree, type ExpressionTree } from '../expression/expression-tree.js';
import { stepExpressions } from './step-expressions.js';
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
  return withGuidance(steps, guidance, first).steps;
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
  return steps.flatMap((step) => {
    const inner = step.kind === 'prompt' ? [] : namesIn(step.steps);
    return [
      ...inner,
      ...(step.kind === 'loop' ? variablesOf(step) : []),
      ...stepExpressions(step).flatMap(namesOfExpression),
    ];
  });
}

function variablesOf({ loop, counter, index }: LoopStep): readonly string[] {
  return [
    ...(loop.type === 'foreach' ? [loop.as] : []),
    ...(counter === undefined ? [] : [counter]),
    ...(index === undefined ? [] : [index]),
  ];
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
  const base = { id: `${binding.prefix}${step.id}`, title: bindText(step.title, binding), ...boundIf(step, binding) };
  if (step.kind === 'prompt') return { ...step, ...base, ...bindPrompt(step, binding) };
  if (step.kind === 'group') return { ...step, ...base, steps: step.steps.map((inner) => bindStep(inner, binding)) };
  const renamed = new Map(binding.renamed);
  for (const name of variablesOf(step)) {
    if (binding.taken.has(name)) renamed.set(name, binding.fresh(name));
    else renamed.set(name, name);
  }
  const inside: Binding = { ...binding, renamed };
  const { counter, index } = step;
  return {
    ...step,
    ...base,
    loop: bindLoop(step.loop, binding, inside),
    ...(counter !== undefined && { counter: renamed.get(counter) ?? counter }),
    ...(index !== undefined && { index: renamed.get(index) ?? index }),
    steps: step.steps.map((inner) => bindStep(inner, inside)),
  };
}

/** A list and a count are read before the loop, a test inside of it. */
function bindLoop(loop: LoopStep['loop'], outside: Binding, inside: Binding): LoopStep['loop'] {
  switch (loop.type) {
    case 'foreach':
      return { type: 'foreach', list: bindExpression(loop.list, outside), as: inside.renamed.get(loop.as) ?? loop.as };
    case 'while':
    case 'until':
      return { type: loop.type, test: bindExpression(loop.test, inside) };
    case 'repeat':
      return typeof loop.times === 'string' ? { type: 'repeat', times: bindExpression(loop.times, outside) } : loop;
    case 'control':
      return loop;
  }
}

function bindPrompt(step: PromptStep, binding: Binding): Partial<PromptStep> {
  const text = (value: string): string => bindText(value, binding);
  return {
    ...(step.role !== undefined && { role: text(step.role) }),
    prompt: text(step.prompt),
    guidance: step.guidance.map(text),
    ...(step.confirmIf !== undefined && { confirmIf: bindExpression(step.confirmIf, binding) }),
    ...(step.fragments && {
      fragments: step.fragments.map((part) => ({ ...part, text: text(part.text), ...boundIf(part, binding) })),
    }),
    ...(step.delegates && {
      delegates: step.delegates.map((part) => ({
        ...part,
        title: text(part.title),
        goal: text(part.goal),
        text: text(part.text),
        ...boundIf(part, binding),
      })),
    }),
    ...(step.briefs && { briefs: step.briefs.map((brief) => ({ ...brief, text: text(brief.text) })) }),
  };
}

function boundIf(part: { readonly if?: string }, binding: Binding): { readonly if?: string } {
  return part.if === undefined ? {} : { if: bindExpression(part.if, binding) };
}

/** Lines for every prompt step, after its own; `first` only for the first of them. */
function withGuidance(
  steps: readonly CompiledStep[],
  lines: readonly string[],
  first: readonly string[],
): { readonly steps: readonly CompiledStep[]; readonly left: readonly string[] } {
  let left = first;
  const changed = steps.map((step): CompiledStep => {
    if (step.kind === 'prompt') {
      const guidance = [...step.guidance, ...lines.filter((line) => !step.guidance.includes(line)), ...left];
      left = [];
      return { ...step, guidance };
    }
    const inner = withGuidance(step.steps, lines, left);
    left = inner.left;
    return { ...step, steps: inner.steps };
  });
  return { steps: changed, left };
}
