import type { CompiledWorkflow } from '../compiled/compiled-workflow.js';
import type { Frame } from '../compiled/place.js';
import { levelsToCome } from './levels-to-come.js';
import type { Facts } from './scope-at.js';

/**
 * About how many steps are still to do, the one that waits included. What is known decides conditions and rounds as if
 * nothing of it changed; a step whose condition cannot be told yet counts once, and so does such a loop.
 */
export function stepsToCome(
  workflow: CompiledWorkflow,
  at: { readonly id: string; readonly frames: readonly Frame[] },
  facts: Omit<Facts, 'controls'>,
): number {
  let count = 1;
  for (const { estimate, steps, from, left, each } of levelsToCome(workflow, at, facts))
    count += estimate.of(steps, from) + (left === 0 ? 0 : left * each());
  return count;
}
