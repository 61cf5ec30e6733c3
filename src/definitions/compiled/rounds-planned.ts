import type { JsonValue } from '../../base/json-value.js';
import type { LoopStep } from './compiled-workflow.js';

/** How many rounds were fixed when a loop was entered with this list; undefined where each round decides about the next. */
export function roundsPlanned({ loop }: LoopStep, listOf: () => readonly JsonValue[] | undefined): number | undefined {
  if (loop.type === 'foreach') return listOf()?.length;
  if (loop.type !== 'repeat') return undefined;
  return typeof loop.times === 'number' ? loop.times : Number(listOf()?.[0] ?? 0);
}
