import type { CompiledStep, CompiledWorkflow, KeySpec, PromptStep } from '../compiled/compiled-workflow.js';
import { everyStep, mapPrompts, stepsIn } from '../compiled/visit-steps.js';
import { keysDeciding } from '../check/context-demand.js';
import { isSureToRun } from '../check/key-mentions.js';
import { stepReads } from '../check/step-reads.js';
import { stepExpressions } from '../expand/step-expressions.js';
import { contextReads } from '../expression/context-reads.js';
import { keysMentioned, keysToSet } from './keys-to-set.js';
import { optionalList } from './workrail-loops.js';

/**
 * In this format a step says in its text which keys it sets. Where conditions, lists or texts of the workflow read such a
 * key, the step asks for it; it needs it where the next condition would be answered without it, or where agreement hangs
 * on it.
 */
export function withKeysAsked(workflow: CompiledWorkflow): CompiledWorkflow {
  const specs = specsOf(workflow.steps);
  if (specs.size === 0) return workflow;
  const asked = (keys: readonly string[], needed: ReadonlySet<string> = new Set()): PromptStep['sets'] =>
    Object.fromEntries(
      keys.map((key): [string, KeySpec] => [
        key,
        needed.has(key) ? specs.get(key)! : { ...specs.get(key)!, required: false },
      ]),
    );
  const named = mapPrompts(workflow.steps, (step) => ({
    ...step,
    sets: asked(keysToSet(textsOf(step), specs.keys())),
  }));
  const { needed, perhaps } = keysNeeded({ ...workflow, steps: named });
  const steps = mapPrompts(withPerhapsLists(named, perhaps), (step) => ({
    ...step,
    sets: asked([...Object.keys(step.sets), ...keysMentioned(textsOf(step), agreedOn(step))], needed.get(step.id)),
  }));
  return { ...workflow, steps };
}

/** Where only steps that may be skipped set a list, there may be none, and nobody is stopped for it. */
const withPerhapsLists = (steps: readonly CompiledStep[], perhaps: ReadonlySet<string>): readonly CompiledStep[] =>
  steps.map((step): CompiledStep => {
    if (!('steps' in step)) return step;
    const inner = { ...step, steps: withPerhapsLists(step.steps, perhaps) };
    return inner.kind === 'loop' && perhaps.has(step.id) ? { ...inner, loop: optionalList(inner.loop) } : inner;
  });

const textsOf = ({ role = '', prompt, guidance, fragments = [] }: PromptStep): readonly string[] => [
  role,
  prompt,
  ...guidance,
  ...fragments.map(({ text }) => text),
];

/** What decides whether the step itself needs the user's agreement. */
const agreedOn = (step: PromptStep): readonly string[] => stepReads(step).agreement.map(({ read }) => read.key);

/** Every key that is read anywhere. Conditions of this format take what is given as they find it; lists and counts do not. */
function specsOf(steps: readonly CompiledStep[]): ReadonlyMap<string, KeySpec> {
  const all = [...everyStep(steps)].map(({ step }) => step);
  const entering = new Map(
    all
      .flatMap((step) => stepReads(step).entering)
      .flatMap(({ read: { key, type, lenient } }) => (lenient === true ? [] : [[key, type]])),
  );
  const specOf = (key: string): KeySpec => {
    const type = entering.get(key);
    if (type === 'array') return { type };
    return type === 'number' ? { type: 'integer', minimum: 0, example: 1 } : { type: 'any' };
  };
  const keys = all.flatMap((step) =>
    stepExpressions(step).flatMap((source) => contextReads(source).map(({ key }) => key)),
  );
  return new Map([...new Set(keys)].map((key) => [key, specOf(key)]));
}

interface Needed {
  /** By step, the keys without which it is not done: unless one before it has surely handed them back. */
  readonly needed: ReadonlyMap<string, ReadonlySet<string>>;
  /** Loops over what only steps before them that may be skipped hand back. */
  readonly perhaps: ReadonlySet<string>;
}

function keysNeeded(workflow: CompiledWorkflow): Needed {
  const needed = new Map<string, ReadonlySet<string>>();
  const perhaps = new Set<string>();
  const named = new Set<string>();
  const walk = (steps: readonly CompiledStep[], before: ReadonlySet<string>): ReadonlySet<string> => {
    let known = before;
    for (const step of steps) {
      const keys = stepReads(step).entering.map(({ read }) => read.key);
      if (keys.some((key) => named.has(key) && !known.has(key))) perhaps.add(step.id);
      const after = step.kind === 'prompt' ? did(step, known) : walk(stepsIn(step), known);
      if (step.if === undefined && (step.kind !== 'loop' || step.loop.type === 'control' || isSureToRun(step)))
        known = after;
    }
    return known;
  };
  const did = (step: PromptStep, known: ReadonlySet<string>): ReadonlySet<string> => {
    const agreed = stepReads(step).agreement.flatMap(({ read }) => (read.values.includes(null) ? [] : [read.key]));
    const deciding = keysDeciding(workflow, step);
    const keys = Object.keys(step.sets).filter((key) => agreed.includes(key) || (deciding.has(key) && !known.has(key)));
    needed.set(step.id, new Set(keys));
    for (const key of Object.keys(step.sets)) named.add(key);
    return new Set([...known, ...keys]);
  };
  walk(workflow.steps, new Set());
  return { needed, perhaps };
}
