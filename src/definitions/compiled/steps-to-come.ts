import { oncePerObject } from '../../base/once-per-object.js';
import { own } from '../../base/own.js';
import type { CompiledWorkflow } from './compiled-workflow.js';
import { type Frame, type Lists, pathOf, placesOf } from './place.js';

/** Of each prompt step how many come before it; of each loop how many it holds. */
const counted = oncePerObject((workflow: CompiledWorkflow) => {
  const before = new Map<string, number>();
  const within = new Map<string, number>();
  for (const { step, around } of placesOf(workflow).values()) {
    if (step.kind !== 'prompt') continue;
    before.set(step.id, before.size);
    for (const { id } of around) within.set(id, (within.get(id) ?? 0) + 1);
  }
  return { before, within };
});

/** About how many steps are still to do, the one that waits included: each once, and the rounds that a list still holds. */
export function stepsToCome(
  workflow: CompiledWorkflow,
  { id, frames }: { readonly id: string; readonly frames: readonly Frame[] },
  lists: Lists,
): number {
  const { before, within } = counted(workflow);
  const further = frames.map(({ loop, iteration }) => {
    const place = placesOf(workflow).get(loop);
    const list = place === undefined ? undefined : own(lists, pathOf(place.around, frames, loop));
    return Math.max(0, (list?.length ?? 0) - iteration) * (within.get(loop) ?? 0);
  });
  return before.size - (before.get(id) ?? 0) + further.reduce((sum, steps) => sum + steps, 0);
}
