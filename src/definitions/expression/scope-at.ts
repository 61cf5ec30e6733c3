import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json-value.js';
import { lazyObject } from '../../base/lazy-object.js';
import { own } from '../../base/own.js';
import type { RoundsAt } from '../../base/rounds.js';
import type { StateSeen } from '../../base/state-seen.js';
import type { CompiledWorkflow } from '../compiled/compiled-workflow.js';
import type { Scope } from './expression.js';
import { ledgerAt, ledgerValue } from './ledger.js';
import { type Frame, type Lists, pathOf, placesOf } from '../compiled/place.js';

/** What expressions can see from outside of the definition. */
export interface Facts {
  readonly inputs: JsonObject;
  readonly context: JsonObject;
  readonly outputs: JsonObject;
  readonly lists: Lists;
  /** The shared state of the session. */
  readonly state?: StateSeen;
  /** The rounds that steps were done in, by the path of the loop. */
  readonly rounds?: RoundsAt;
  /** What `wr.loop_control` artifacts said last, by loop and iteration: `hunt@2`. */
  readonly controls: Controls;
}

export type Controls = { readonly [iteration: string]: 'continue' | 'stop' };

/** The names visible at a place in the run: each foreach around it binds its element, each loop its counters, the innermost loop its iteration. */
export function scopeAt(workflow: CompiledWorkflow, facts: Omit<Facts, 'controls'>, frames: readonly Frame[]): Scope {
  const places = placesOf(workflow);
  const names: [string, JsonValue][] = [];
  for (const frame of frames) {
    const place = places.get(frame.loop);
    if (place?.step.kind !== 'loop') continue;
    const { step } = place;
    if (step.counter !== undefined) names.push([step.counter, frame.iteration]);
    if (step.index !== undefined) names.push([step.index, frame.iteration - 1]);
    if (step.loop.type !== 'foreach') continue;
    const list = own(facts.lists, pathOf(place.around, frames, step.id));
    names.push([step.loop.as, list?.[frame.iteration - 1] ?? null]);
  }
  const innermost = frames.at(-1);
  return {
    inputs: facts.inputs,
    context: facts.context,
    outputs: wholeOutputs(facts.outputs),
    ledger: ledgersAt(workflow, facts, frames),
    names: Object.fromEntries(names),
    ...(facts.state !== undefined && { state: facts.state }),
    ...(innermost !== undefined && { iteration: innermost.iteration }),
  };
}

/** Every loop has a ledger; one that was not come to has no rounds. */
function ledgersAt(
  workflow: CompiledWorkflow,
  { rounds = () => undefined, lists }: Omit<Facts, 'controls'>,
  frames: readonly Frame[],
): JsonObject {
  const places = placesOf(workflow);
  const ledger = (id: string): JsonObject | undefined => {
    const place = places.get(id);
    return place?.step.kind === 'loop' ? ledgerValue(ledgerAt(place, frames, rounds, lists)) : undefined;
  };
  return lazyObject(ledger, () =>
    Object.fromEntries(
      [...places.keys()].flatMap((id) => (places.get(id)?.step.kind === 'loop' ? [[id, ledger(id)!]] : [])),
    ),
  );
}

/** What an agent left always has both members: notes that nobody wrote are empty text, artifacts an empty list. */
function wholeOutputs(outputs: JsonObject): JsonObject {
  const whole = (output: JsonValue): JsonValue =>
    isJsonObject(output) && !Object.hasOwn(output, 'ok')
      ? { notes: output['notes'] ?? '', artifacts: output['artifacts'] ?? [] }
      : output;
  return lazyObject(
    (step) => (Object.hasOwn(outputs, step) ? whole(outputs[step]!) : undefined),
    () => Object.fromEntries(Object.entries(outputs).map(([step, output]) => [step, whole(output)])),
  );
}
