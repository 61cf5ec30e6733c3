import { oncePerObject } from '../../base/once-per-object.js';
import type { CompiledStep, CompiledWorkflow, LoopStep } from '../compiled/compiled-workflow.js';
import { keysSet, stepsIn } from '../compiled/visit-steps.js';
import { stepReads } from './step-reads.js';

/** Where each context key is read or set, so that a walk through a workflow can pass over all that does not speak of it. */
export interface KeyMentions {
  /** Every step in order, those inside of others right after them. */
  readonly steps: readonly CompiledStep[];
  readonly spots: ReadonlyMap<string, Spot>;
  /** Places in `steps`. */
  readonly byKey: ReadonlyMap<string, readonly number[]>;
  /** From each place in `steps`, the next one that speaks of a key that any condition reads. */
  readonly nextAsked: readonly number[];
}

export interface Spot {
  readonly at: number;
  /** How many of the steps beside it surely run a prompt step: those before it, and those with it. */
  readonly sureBefore: number;
  readonly sureWith: number;
}

export const keyMentions = oncePerObject((workflow: CompiledWorkflow): KeyMentions => {
  const steps: CompiledStep[] = [];
  const spots = new Map<string, Spot>();
  const byKey = new Map<string, number[]>();
  const asked = new Set<string>();
  const walk = (list: readonly CompiledStep[]): number => {
    let sure = 0;
    for (const step of list) {
      const at = steps.push(step) - 1;
      const { before: first, entering, goingOn, inside } = stepReads(step);
      const keys = new Set(step.kind === 'prompt' ? keysSet(step) : []);
      for (const { read, condition } of [...first, ...entering, ...goingOn, ...inside]) {
        keys.add(read.key);
        if (condition) asked.add(read.key);
      }
      for (const key of keys) {
        const places = byKey.get(key) ?? [];
        byKey.set(key, places);
        places.push(at);
      }
      const sureInside = walk(stepsIn(step));
      const isSure = step.if === undefined && surelyPrompts(step, sureInside);
      spots.set(step.id, { at, sureBefore: sure, sureWith: sure + (isSure ? 1 : 0) });
      if (isSure) sure += 1;
    }
    return sure;
  };
  walk(workflow.steps);
  const speaking = new Set([...asked].flatMap((key) => byKey.get(key) ?? []));
  const nextAsked = steps.map((_, at) => at);
  for (let at = steps.length - 1; at >= 0; at -= 1)
    nextAsked[at] = speaking.has(at) ? at : (nextAsked[at + 1] ?? Infinity);
  return { steps, spots, byKey, nextAsked };
});

function surelyPrompts(step: CompiledStep, sureInside: number): boolean {
  switch (step.kind) {
    case 'prompt':
      return true;
    case 'group':
      return sureInside > 0;
    case 'loop':
      return sureInside > 0 && isSureToRun(step);
    // Nobody hands a key back there.
    case 'run':
    case 'fail':
      return false;
  }
}

export function isSureToRun({ loop }: LoopStep): boolean {
  return loop.type === 'until' || (loop.type === 'repeat' && typeof loop.times === 'number' && loop.times > 0);
}
