import type { CompiledWorkflow } from '../compiled/compiled-workflow.js';
import { placesOf } from '../compiled/place.js';
import { keysCollected, keysGiven } from '../compiled/visit-steps.js';
import { contextReads } from '../expression/context-reads.js';
import { stepExpressions } from './step-expressions.js';

interface ContextKeys {
  readonly set: readonly string[];
  readonly onlyRead: readonly string[];
}

const known = new WeakMap<CompiledWorkflow, ContextKeys>();

/** The context keys that steps hand back or the user gives, and those that are read and have to come from elsewhere. */
export function contextKeys(workflow: CompiledWorkflow): ContextKeys {
  const before = known.get(workflow);
  if (before) return before;
  const [set, read] = [new Set<string>(), new Set<string>()];
  for (const { step } of placesOf(workflow).values())
    for (const { key } of stepExpressions(step).flatMap(contextReads)) read.add(key);
  for (const { step } of placesOf(workflow).values())
    for (const key of step.kind === 'prompt' ? keysGiven(step) : keysCollected(step)) set.add(key);
  const keys = { set: [...set].toSorted(), onlyRead: [...read].filter((key) => !set.has(key)).toSorted() };
  known.set(workflow, keys);
  return keys;
}
