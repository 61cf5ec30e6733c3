import type { DocumentForm } from '../../base/closed-sets.js';
import type { DocumentFold, OutputContract } from '../compiled/compiled-workflow.js';
import { contractPacks } from './contract-packs.js';

/** How the packs that fold into a document want it shown. Nothing for a document that no pack of the workflow knows. */
export function documentForm(
  contracts: readonly OutputContract[],
  { document, fold }: Pick<DocumentFold, 'document' | 'fold'>,
): DocumentForm | undefined {
  for (const { contract = '' } of contracts) {
    const known = contractPacks.get(contract)?.documents.find((one) => one.document === document && one.fold === fold);
    if (known?.shownAs !== undefined) return known.shownAs;
  }
  return undefined;
}
