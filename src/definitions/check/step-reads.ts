import type { CompiledStep, LoopStep, PromptStep } from '../compiled/compiled-workflow.js';
import { contextReads, type ContextRead } from '../expression/context-reads.js';
import { holesIn, promptTexts } from '../expand/step-expressions.js';
import { templateExpressions } from '../expression/template.js';

export interface StepRead {
  readonly read: ContextRead;
  /** What depends on it: whether step “Read every file” runs. */
  readonly phrase: string;
  /** A condition stops the run when it cannot be answered; a text only says so. */
  readonly condition: boolean;
}

/** Which context keys a step itself reads, by the moment at which it does. */
export interface StepReads {
  /** Its own `if`. */
  readonly before: readonly StepRead[];
  /** What a loop asks before it first runs, and before it goes on. */
  readonly entering: readonly StepRead[];
  readonly goingOn: readonly StepRead[];
  /** What a prompt step says and asks. */
  readonly inside: readonly StepRead[];
}

const known = new WeakMap<CompiledStep, StepReads>();

export function stepReads(step: CompiledStep): StepReads {
  const before = known.get(step);
  if (before) return before;
  const name = nameOf(step);
  const reads: StepReads = {
    before: step.if === undefined ? [] : readsOf(step.if, `whether ${name} runs`, 'boolean'),
    entering: step.kind === 'loop' ? enteringReads(step, name) : [],
    goingOn:
      step.kind === 'loop' && isTested(step) ? readsOf(step.loop.test, `whether ${name} goes on`, 'boolean') : [],
    inside: step.kind === 'prompt' ? promptReads(step, name) : [],
  };
  known.set(step, reads);
  return reads;
}

const isTested = (step: LoopStep): step is LoopStep & { readonly loop: { readonly test: string } } =>
  step.loop.type === 'while' || step.loop.type === 'until';

/** Lists and counts are fixed when the loop is entered. */
function enteringReads({ loop }: LoopStep, name: string): readonly StepRead[] {
  if (loop.type === 'while') return readsOf(loop.test, `whether ${name} runs`, 'boolean');
  if (loop.type === 'foreach') return readsOf(loop.list, `what ${name} goes over`, 'array');
  return loop.type === 'repeat' && typeof loop.times === 'string'
    ? readsOf(loop.times, `how often ${name} runs`, 'number')
    : [];
}

function promptReads(step: PromptStep, name: string): readonly StepRead[] {
  const told = holesIn(promptTexts(step)).flatMap((source) =>
    contextReads(source).map((read): StepRead => ({ read, phrase: `the prompt of ${name}`, condition: false })),
  );
  // None of these can stop a run: what they cannot tell they take as agreement to ask for, or a part to leave out.
  const mild = (source: string | undefined, phrase: string): readonly StepRead[] =>
    source === undefined
      ? []
      : readsOf(source, phrase, 'boolean').map(({ read, ...rest }) => ({ ...rest, read: { ...read, guarded: true } }));
  // Asked with what the step itself hands back.
  const own = contextReads(step.confirmIf ?? '').every(({ key }) => Object.hasOwn(step.sets, key));
  return [
    ...told,
    ...(own ? [] : mild(step.confirmIf, `whether ${name} needs the user's agreement`)),
    ...[...(step.fragments ?? []), ...(step.delegates ?? [])].flatMap((part) => mild(part.if, `what ${name} says`)),
  ];
}

/** `type` is what the whole expression must be: it tells the type of a key that stands alone. */
function readsOf(source: string, phrase: string, type: NonNullable<ContextRead['type']>): readonly StepRead[] {
  return contextReads(source).map((read) => ({
    read: source === `context.${read.key}` ? { ...read, type: read.type ?? type } : read,
    phrase,
    condition: true,
  }));
}

function nameOf(step: CompiledStep): string {
  // A title with holes means nothing outside of its own scope.
  const title = templateExpressions(step.title).length === 0 ? `“${step.title}”` : `\`${step.id}\``;
  return `${step.kind === 'loop' ? 'loop' : 'step'} ${title}`;
}
