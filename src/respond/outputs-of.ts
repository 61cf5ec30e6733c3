import { assessmentContract } from '../definitions/contracts/assessment-contract.js';
import type { CompiledStep, OutputContract } from '../definitions/compiled/compiled-workflow.js';
import { promptsIn } from '../definitions/compiled/visit-steps.js';

/** Every contract that some step asks for, assessments included. */
export function outputsOf(steps: readonly CompiledStep[]): readonly OutputContract[] {
  return promptsIn(steps).flatMap(({ outputs, assessments = [] }) => [
    ...outputs,
    ...assessments.map(assessmentContract),
  ]);
}
