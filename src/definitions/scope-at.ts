import type { JsonObject, JsonValue } from '../base/json-value.js';
import type { CompiledWorkflow } from './compiled-workflow.js';
import type { Scope } from './expression.js';
import { type Frame, type Lists, pathOf, placesOf } from './place.js';

/** What expressions can see from outside of the definition. */
export interface Facts {
  readonly inputs: JsonObject;
  readonly context: JsonObject;
  readonly outputs: JsonObject;
  readonly lists: Lists;
}

/** The names visible at a place in the run: each foreach around it binds its element, the innermost loop its iteration. */
export function scopeAt(workflow: CompiledWorkflow, facts: Facts, frames: readonly Frame[]): Scope {
  const places = placesOf(workflow);
  const names: [string, JsonValue][] = [];
  for (const frame of frames) {
    const place = places.get(frame.loop);
    if (place?.step.kind !== 'loop' || place.step.loop.type !== 'foreach') continue;
    const list = facts.lists[pathOf(place.around, frames, place.step.id)];
    names.push([place.step.loop.as, list?.[frame.iteration - 1] ?? null]);
  }
  const innermost = frames.at(-1);
  return {
    inputs: facts.inputs,
    context: facts.context,
    outputs: facts.outputs,
    names: Object.fromEntries(names),
    ...(innermost !== undefined && { iteration: innermost.iteration }),
  };
}
