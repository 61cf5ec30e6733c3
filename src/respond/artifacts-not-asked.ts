import { firstWords } from '../base/byte-budget.js';
import type { WarningTold } from '../contract/answer.js';
import type { CompiledWorkflow } from '../definitions/compiled/compiled-workflow.js';
import { unknownKinds } from '../definitions/contracts/known-contracts.js';
import type { Output } from '../events/event-data.js';

const told = 3;

/** Artifacts of kinds that nobody knows: no document shows them, and no later step finds them by their name. */
export function artifactsNotAsked(
  workflow: CompiledWorkflow | undefined,
  output: Output | undefined,
): readonly WarningTold[] {
  const unknown = unknownKinds(workflow, output?.artifacts);
  const warnings = unknown.slice(0, told).map(({ kind, nearest }): WarningTold => ({
    code: 'ARTIFACT_NOT_ASKED',
    message: `no step asks for an artifact of kind “${firstWords(kind, 60)}”, and no contract knows it: it was kept as it came${nearest === undefined ? '' : `; did you mean “${nearest}”?`}`,
  }));
  const more = unknown.length - told;
  return more <= 0
    ? warnings
    : [...warnings, { code: 'ARTIFACT_NOT_ASKED', message: `${more} more kinds of artifacts are not known` }];
}
