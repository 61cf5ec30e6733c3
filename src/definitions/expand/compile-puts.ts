import type { Put } from '../compiled/compiled-workflow.js';
import type { StepSource } from '../source/workflow-format.js';
import { sortedEntries } from './sorted-entries.js';

/** What holds another comes before it, in whatever order the file has them. A value that is no expression is one that says so. */
export function compilePuts({ puts = {} }: StepSource): { readonly puts?: readonly Put[] } {
  const all = sortedEntries(puts).map(([path, value]): Put => ({
    path,
    value: typeof value === 'string' ? value.trim() : JSON.stringify(value),
  }));
  return all.length === 0 ? {} : { puts: all };
}
