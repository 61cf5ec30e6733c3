import type { CompiledStep, LoopStep, PromptStep } from '../compiled/compiled-workflow.js';
import { templateExpressions } from '../expression/template.js';

/** Every text of a prompt step that may hold holes. */
export function promptTexts(step: PromptStep): readonly string[] {
  const parts = [...(step.fragments ?? []), ...(step.delegates ?? []), ...(step.briefs ?? [])];
  return [
    step.title,
    step.role ?? '',
    step.prompt,
    ...step.guidance,
    ...parts.map(({ text }) => text),
    ...(step.delegates ?? []).flatMap(({ title, goal }) => [title, goal]),
  ];
}

/** What parts of a prompt step hang on, besides the step's own `if`. */
export function promptConditions(step: PromptStep): readonly string[] {
  return [step.confirmIf, ...[...(step.fragments ?? []), ...(step.delegates ?? [])].map((part) => part.if)].filter(
    (condition) => condition !== undefined,
  );
}

export function holesIn(texts: readonly string[]): readonly string[] {
  return texts.flatMap((text) => templateExpressions(text).map(({ source }) => source));
}

export function loopExpressions({ loop }: LoopStep): readonly string[] {
  if (loop.type === 'foreach') return [loop.list];
  if (loop.type === 'while' || loop.type === 'until') return [loop.test];
  return loop.type === 'repeat' && typeof loop.times === 'string' ? [loop.times] : [];
}

/** Every expression of a step itself, those in its texts included. */
export function stepExpressions(step: CompiledStep): readonly string[] {
  const own = step.if === undefined ? [] : [step.if];
  if (step.kind === 'group') return [...own, ...holesIn([step.title])];
  if (step.kind === 'loop') return [...own, ...holesIn([step.title]), ...loopExpressions(step)];
  return [...own, ...promptConditions(step), ...holesIn(promptTexts(step))];
}
