import { firstWords } from '../base/byte-budget.js';
import { isUsage, readUsage, usageKind } from '../base/usage.js';
import type { WarningTold } from '../contract/answer.js';
import type { CompiledWorkflow } from '../definitions/compiled/compiled-workflow.js';
import { packContract } from '../definitions/contracts/contract-packs.js';
import { unknownKinds } from '../definitions/contracts/known-contracts.js';
import { checkArtifact } from '../definitions/contracts/output-contract.js';
import type { Output } from '../events/event-data.js';

const told = 3;

/** Artifacts of kinds that nobody knows: no document shows them, and no later step finds them by their name. Usage that cannot be counted is told as well. */
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
  return [
    ...warnings,
    ...(more <= 0
      ? []
      : [{ code: 'ARTIFACT_NOT_ASKED', message: `${more} more kinds of artifacts are not known` } as const]),
    ...usageNotCounted(output),
  ];
}

/** The step does not wait for it: what is wrong is said, and the right one can come with a checkpoint. */
function usageNotCounted(output: Output | undefined): readonly WarningTold[] {
  const wrong = (output?.artifacts ?? []).filter((artifact) => isUsage(artifact) && readUsage(artifact) === undefined);
  const [first, ...others] = wrong;
  const contract = first && packContract('wr.contracts.usage', false);
  if (first === undefined || contract === undefined) return [];
  const [problem] = checkArtifact(contract, first);
  const more = others.length === 0 ? '' : `; so ${others.length === 1 ? 'was 1 more' : `were ${others.length} more`}`;
  return [
    {
      code: 'USAGE_NOT_COUNTED',
      message: `an artifact of kind ${usageKind} was recorded and not counted: ${problem?.message ?? 'it breaks its contract'}${problem?.pointer ? ` (${problem.pointer})` : ''}${more}. Hand in a right one with a checkpoint`,
    },
  ];
}
