import type { Put } from '../compiled/compiled-workflow.js';
import type { StepSource } from '../source/workflow-format.js';

/** In the order of the file. A value that is no expression is one that says so. */
export function compilePuts({ puts = {} }: StepSource): { readonly puts?: readonly Put[] } {
  const all = Object.entries(puts).map(([path, value]): Put => ({
    path,
    value: typeof value === 'string' ? value.trim() : JSON.stringify(value),
  }));
  return all.length === 0 ? {} : { puts: all };
}
