import { closestName } from '../../base/closest-name.js';
import type { JsonObject } from '../../base/json-value.js';
import { oncePerObject } from '../../base/once-per-object.js';
import { isUsage } from '../../base/usage.js';
import type { CompiledWorkflow, OutputContract } from '../compiled/compiled-workflow.js';
import { promptsIn } from '../compiled/visit-steps.js';
import { contractPacks, packContract } from './contract-packs.js';
import { JudgingWork } from './judging-work.js';
import { type ArtifactProblem, checkArtifact } from './output-contract.js';

/** Its form is that of the assessment it names, which the step that asks for it knows. */
const assessmentKind = 'wr.assessment';

/** What the steps of a workflow ask for, by kind; of one kind they may ask for different things. */
const askedFor = oncePerObject((workflow: CompiledWorkflow): ReadonlyMap<string, readonly OutputContract[]> => {
  const asked = new Map<string, readonly OutputContract[]>();
  for (const { outputs, assessments = [] } of promptsIn(workflow.steps)) {
    for (const contract of outputs) asked.set(contract.kind, [...(asked.get(contract.kind) ?? []), contract]);
    if (assessments.length > 0) asked.set(assessmentKind, []);
  }
  return asked;
});

const packOfKind: ReadonlyMap<string, string> = new Map(
  [...contractPacks.values()].map(({ kind, ref }) => [kind, ref]),
);

/** The contracts by which an artifact is judged wherever it comes; undefined for a kind that nobody knows. */
function contractsOf(workflow: CompiledWorkflow | undefined, kind: string): readonly OutputContract[] | undefined {
  const asked = workflow === undefined ? undefined : askedFor(workflow).get(kind);
  if (asked !== undefined) return asked;
  const ref = packOfKind.get(kind);
  if (ref === undefined) return undefined;
  const pack = kind === assessmentKind ? undefined : packContract(ref, false);
  return pack === undefined ? [] : [pack];
}

/** What is wrong with an artifact that was not asked for where it came, by the contract of its kind that comes closest. Usage is no part of the work: the answer warns of what cannot be counted. */
export function checkUnasked(
  workflow: CompiledWorkflow | undefined,
  artifact: JsonObject,
  work = new JudgingWork(),
): readonly ArtifactProblem[] {
  const contracts = isUsage(artifact) ? [] : (contractsOf(workflow, kindOf(artifact)) ?? []);
  const found = contracts.map((contract) => checkArtifact(contract, artifact, work));
  return found.some((problems) => problems.length === 0)
    ? []
    : (found.toSorted((a, b) => a.length - b.length)[0] ?? []);
}

export interface UnknownKind {
  readonly kind: string;
  readonly nearest: string | undefined;
}

/** Kinds that no contract knows, each with the one that may have been meant. */
export function unknownKinds(
  workflow: CompiledWorkflow | undefined,
  artifacts: readonly JsonObject[] = [],
): readonly UnknownKind[] {
  const kinds = [...new Set(artifacts.map(kindOf))].filter((kind) => contractsOf(workflow, kind) === undefined);
  if (kinds.length === 0) return [];
  const known = [...(workflow === undefined ? [] : askedFor(workflow).keys()), ...packOfKind.keys()];
  return kinds.map((kind) => ({ kind, nearest: closestName(kind, known) }));
}

export const kindOf = ({ kind }: JsonObject): string => (typeof kind === 'string' ? kind : '');
