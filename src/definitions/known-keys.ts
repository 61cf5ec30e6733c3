import type { SourcePath } from './source-document.js';
import { keysOf } from './workflow-format.js';

/** The keys that the format knows in the object at a path, for telling an author which one was meant. */
export function knownKeys(path: SourcePath): readonly string[] {
  const names = path.filter((step) => typeof step === 'string');
  const last = names.at(-1);
  const inList = typeof path.at(-1) === 'number';
  if (last === undefined) return keysOf.workflow;
  if (last === 'steps' && inList) return keysOf.step;
  if (last === 'needs' && inList) return keysOf.need;
  if (last === 'rules' && inList) return keysOf.rule;
  if (last === 'output') return keysOf.output;
  if (last === 'recommends') return keysOf.recommends;
  if (names.at(-2) === 'inputs' && names.length === 2) return keysOf.input;
  return keysOf.value;
}
