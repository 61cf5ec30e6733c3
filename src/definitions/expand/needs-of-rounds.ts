import type { CompiledStep } from '../compiled/compiled-workflow.js';

/** What only the user has is asked in each round of a loop, be it that of a caller around a routine. */
export function needsOfRounds(steps: readonly CompiledStep[], isInLoop = false): readonly CompiledStep[] {
  return steps.map((step): CompiledStep => {
    if ('steps' in step) return { ...step, steps: needsOfRounds(step.steps, isInLoop || step.kind === 'loop') };
    if (step.kind !== 'prompt' || !isInLoop || step.needs.length === 0) return step;
    return { ...step, needs: step.needs.map((need) => ({ ...need, round: true as const })) };
  });
}
