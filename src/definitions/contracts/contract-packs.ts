import type { DocumentFold, OutputContract } from '../compiled/compiled-workflow.js';
import type { ContractPack } from './contract-pack.js';
import { controlPacks } from './contract-packs-control.js';
import { handoffPacks } from './contract-packs-handoff.js';
import { reviewPacks } from './contract-packs-review.js';
import { usagePacks } from './contract-packs-usage.js';

/** Every contract that can be named, by its ref. The set is closed: another ref is a violation. */
export const contractPacks: ReadonlyMap<string, ContractPack> = new Map(
  [...controlPacks, ...reviewPacks, ...handoffPacks, ...usagePacks].map((pack) => [pack.ref, pack]),
);

/** A pack as a step asks for it, complete: a run depends on no registry once it is pinned. */
export function packContract(ref: string, required: boolean): OutputContract | undefined {
  const pack = contractPacks.get(ref);
  if (pack === undefined) return undefined;
  const { kind, schema, example } = pack;
  // How people are shown it is no part of what a run rests on: an older pin is shown as well as a new one.
  const documents = pack.documents.map(({ shownAs: _, ...fold }): DocumentFold => fold);
  return { kind, required, schema, example, contract: ref, ...(documents.length > 0 && { documents }) };
}
