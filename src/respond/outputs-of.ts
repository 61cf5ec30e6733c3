import { oncePerObject } from '../base/once-per-object.js';
import { assessmentContract } from '../definitions/contracts/assessment-contract.js';
import type { CompiledStep, OutputContract } from '../definitions/compiled/compiled-workflow.js';
import { promptsIn } from '../definitions/compiled/visit-steps.js';

/** Every contract that some step asks for, assessments included. */
export const outputsOf = oncePerObject((steps: readonly CompiledStep[]): readonly OutputContract[] =>
  promptsIn(steps).flatMap(({ outputs, assessments = [] }) => [...outputs, ...assessments.map(assessmentContract)]),
);
