import type { SourcePath } from './source-path.js';
import { keysOf } from './workflow-format.js';

type Kind = keyof typeof keysOf;

/** Objects by the field they stand in: elements of its list, or the object itself. */
const elements: { readonly [field: string]: Kind } = {
  steps: 'step',
  needs: 'need',
  rules: 'rule',
  all: 'rule',
  any: 'rule',
  output: 'output',
  delegate: 'delegate',
  assessments: 'assessment',
  followUps: 'followUp',
  references: 'reference',
};
const objects: { readonly [field: string]: Kind } = {
  output: 'output',
  recommends: 'recommends',
  not: 'rule',
  prompt: 'blocks',
  confirm: 'confirm',
};
/** And those by the name that an author gives them, one level further in. */
const named: { readonly [field: string]: Kind } = { inputs: 'input', functions: 'function', dimensions: 'dimension' };

/** The keys that the format knows in the object at a path, for telling an author which one was meant. */
export function knownKeys(path: SourcePath): readonly string[] {
  const names = path.filter((step) => typeof step === 'string');
  const last = names.at(-1);
  const before = names.at(-2);
  if (last === undefined) return keysOf.workflow;
  if (before !== undefined && Object.hasOwn(named, before)) return keysOf[named[before]!];
  const kinds = typeof path.at(-1) === 'number' ? elements : objects;
  return keysOf[Object.hasOwn(kinds, last) ? kinds[last]! : 'value'];
}
