import { digestOf } from '../../base/digest.js';
import type { JsonObject } from '../../base/json-value.js';
import type { CompiledWorkflow } from './compiled-workflow.js';

/** Where each catalog is called. */
export type AddressOf = (catalog: string) => string | undefined;

export interface PlannedCatalog {
  readonly id: string;
  readonly hash: string;
  readonly address?: string;
}

/** The catalogs that a workflow uses, as it knows them, and where they are called now. */
export function plannedCatalogs(
  { operations = {} }: CompiledWorkflow,
  addressOf: AddressOf,
): readonly PlannedCatalog[] {
  const hashes = new Map(
    Object.entries(operations).map(([key, { catalogHash }]) => [key.split(' ')[0] ?? key, catalogHash]),
  );
  return [...hashes].map(([id, hash]) => {
    const address = addressOf(id);
    return { id, hash, ...(address !== undefined && { address }) };
  });
}

/** What a person agrees to: the workflow as it is pinned, its inputs, and where it is sent. */
export const planHash = (pin: string, inputs: JsonObject, catalogs: readonly PlannedCatalog[]): string =>
  `pl_${digestOf({ pin, inputs, catalogs: catalogs.map((one) => ({ ...one })) }).slice(0, 16)}`;
