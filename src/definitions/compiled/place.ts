import { assert } from '../../base/assert.js';
import type { JsonValue } from '../../base/json-value.js';
import { oncePerObject } from '../../base/once-per-object.js';
import { own } from '../../base/own.js';
import type { CompiledWorkflow, PromptStep } from './compiled-workflow.js';
import { everyStep, keysCollected, keysGiven, type Place, promptsIn } from './visit-steps.js';

/** One loop a run is inside of, and which iteration it is in, from 1. */
export interface Frame {
  readonly loop: string;
  readonly iteration: number;
}

/** The fixed list of each loop that has been entered, by the loop's path. */
export type Lists = { readonly [loop: string]: readonly JsonValue[] };

export const placesOf = oncePerObject(
  (workflow: CompiledWorkflow): ReadonlyMap<string, Place> =>
    new Map([...everyStep(workflow.steps)].map((place) => [place.step.id, place])),
);

/** The loop that collects each such key; of several the last. */
export const collectors = oncePerObject(
  (workflow: CompiledWorkflow): ReadonlyMap<string, string> =>
    new Map([...everyStep(workflow.steps)].flatMap(({ step }) => keysCollected(step).map((key) => [key, step.id]))),
);

/** Keys that are lists from the start of a run: those that loops collect, and those that steps only ever add to. */
export const listsFromStart = oncePerObject((workflow: CompiledWorkflow): ReadonlySet<string> => {
  const steps = promptsIn(workflow.steps);
  const isAdded = (step: PromptStep, key: string): boolean => own(step.sets, key)?.add === true;
  const given = new Set(steps.flatMap((step) => keysGiven(step).filter((key) => !isAdded(step, key))));
  const added = steps.flatMap((step) => Object.keys(step.sets).filter((key) => isAdded(step, key)));
  return new Set([...collectors(workflow).keys(), ...added.filter((key) => !given.has(key))]);
});

export function promptStep(workflow: CompiledWorkflow, id: string): PromptStep {
  const step = placesOf(workflow).get(id)?.step;
  assert(step?.kind === 'prompt', `a pinned workflow has the prompt step ${id} that its run names`);
  return step;
}

/** `findings@2/look`: each loop with its iteration, each group by its id, then the step. What a routine's steps have before their own ids stands there already. */
export function pathOf(around: Place['around'], frames: readonly Frame[], id: string): string {
  let prefix = '';
  const short = (name: string): string => (prefix !== '' && name.startsWith(prefix) ? name.slice(prefix.length) : name);
  const names = around.map((outer) => {
    const name = short(outer.id);
    if ('routine' in outer) prefix = `${outer.id}-`;
    const frame = frames.find(({ loop }) => loop === outer.id);
    return frame === undefined ? name : `${name}@${frame.iteration}`;
  });
  return [...names, short(id)].join('/');
}
