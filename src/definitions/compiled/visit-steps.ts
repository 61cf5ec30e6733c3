import type {
  CompiledStep,
  FailStep,
  GroupStep,
  LoopStep,
  PromptStep,
  RunStep,
  stepKinds,
} from './compiled-workflow.js';

/** A step with its surroundings: what holds it and where it stands in there. */
export interface Place {
  readonly step: CompiledStep;
  /** Loops and groups around the step, outermost first. */
  readonly around: readonly (LoopStep | GroupStep)[];
  readonly index: number;
  /** In the workflow: `steps`, 1, `steps`, 0. */
  readonly path: readonly (string | number)[];
}

/** Whether a kind of step leaves an output, which later expressions read. */
const leavesOutput: { readonly [kind in keyof typeof stepKinds]: boolean } = {
  prompt: true,
  run: true,
  fail: false,
  loop: false,
  group: false,
};
export const hasOutput = ({ kind }: CompiledStep): boolean => leavesOutput[kind];

/** The steps that a step holds; those that are done themselves hold none. */
export const stepsIn = (step: CompiledStep): readonly CompiledStep[] => ('steps' in step ? step.steps : []);

/** Every step in order, those inside of others right after them. */
export function* everyStep(
  steps: readonly CompiledStep[],
  around: Place['around'] = [],
  path: Place['path'] = [],
): Generator<Place> {
  for (const [index, step] of steps.entries()) {
    const here = [...path, 'steps', index];
    yield { step, around, index, path: here };
    if ('steps' in step) yield* everyStep(step.steps, [...around, step], here);
  }
}

/** The steps that an agent does, in order. */
export function promptsIn(steps: readonly CompiledStep[]): readonly PromptStep[] {
  return [...everyStep(steps)].flatMap(({ step }) => (step.kind === 'prompt' ? [step] : []));
}

/** The steps that WorkRail does itself, in order. */
export function commandsIn(steps: readonly CompiledStep[]): readonly (RunStep | FailStep)[] {
  return [...everyStep(steps)].flatMap(({ step }) => (step.kind === 'run' || step.kind === 'fail' ? [step] : []));
}

/** The same steps, those that an agent does changed. */
export function mapPrompts(
  steps: readonly CompiledStep[],
  change: (step: PromptStep, at: string) => PromptStep,
  at = '/steps',
): readonly CompiledStep[] {
  return steps.map((step, index): CompiledStep => {
    const here = `${at}/${index}`;
    if (step.kind === 'prompt') return change(step, here);
    return 'steps' in step ? { ...step, steps: mapPrompts(step.steps, change, `${here}/steps`) } : step;
  });
}

/** Context keys that a step sets: it asks for them, be it only where they are known, or takes them from its artifacts. */
export const keysSet = ({ sets, takes = {} }: PromptStep): readonly string[] => [
  ...Object.keys(sets),
  ...Object.keys(takes),
];

/** Context keys that a loop collects: nobody hands them in. */
export const keysCollected = (step: CompiledStep): readonly string[] =>
  step.kind === 'loop' ? Object.keys(step.collect ?? {}) : [];

/** Context keys that a step gets from an agent or the user. */
export const keysGiven = (step: PromptStep): readonly string[] => [
  ...keysSet(step),
  ...step.needs.map(({ key }) => key),
];
