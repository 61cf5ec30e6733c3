import { assessmentContract } from '../definitions/contracts/assessment-contract.js';
import type { CompiledStep, OutputContract } from '../definitions/compiled/compiled-workflow.js';

/** Every contract that some step asks for, assessments included. */
export function outputsOf(steps: readonly CompiledStep[]): readonly OutputContract[] {
  return steps.flatMap((step) =>
    step.kind === 'prompt'
      ? [...step.outputs, ...(step.assessments ?? []).map(assessmentContract)]
      : outputsOf(step.steps),
  );
}
