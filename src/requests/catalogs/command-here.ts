import type { OperationEntry } from '../../catalogs/openapi-catalog.js';
import type { SafetyWord } from '../../base/closed-sets.js';
import type { CommandHere } from '../../contract/catalogs-told.js';

const words: { readonly [safety in OperationEntry['safety']]: SafetyWord } = {
  safe: 'safe',
  idempotent: 'changes',
  mutating: 'changes',
  destructive: 'deletes',
};

/** What a call may do, as people tell it apart. */
export const safetyWord = ({ safety }: Pick<OperationEntry, 'safety'>): SafetyWord => words[safety];

/** One command of a list, for people. */
export function commandHere(catalog: string, operation: OperationEntry): CommandHere {
  const { id, method, path, summary } = operation;
  return { catalog, command: id, method, path, safety: safetyWord(operation), summary };
}
