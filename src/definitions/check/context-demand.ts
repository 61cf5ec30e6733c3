import type { JsonValue } from '../../base/json-value.js';
import { oncePerObject } from '../../base/once-per-object.js';
import { own } from '../../base/own.js';
import type { CompiledStep, CompiledWorkflow, PromptStep, ValueSpec } from '../compiled/compiled-workflow.js';
import type { ContextRead } from '../expression/context-reads.js';
import { expectedExample } from './expected-shape.js';
import { askingExample } from './asking-example.js';
import { isSureToRun, keyMentions } from './key-mentions.js';
import { listsFromStart, placesOf } from '../compiled/place.js';
import { keysSet, promptsIn, stepsIn } from '../compiled/visit-steps.js';
import { memoize } from '../expression/memoize.js';
import { stepReads, type StepRead } from './step-reads.js';

export interface ContextDemand {
  readonly key: string;
  readonly spec: ValueSpec;
  /** A right value, with the members and elements that are read of it. */
  readonly example: JsonValue;
  /** The step's own `sets` names it. Otherwise a later condition reads it and no step in between is sure to set it. */
  readonly declared: boolean;
  /** Without it the step cannot be completed: it is the step's own, or a condition may be asked right after this step. */
  readonly required: boolean;
  /** What depends on it, as phrases: whether step “Read every file” runs. */
  readonly neededBy: readonly string[];
}

/**
 * Which context keys a step should hand back. Every key that a condition can read after this step, before a step that
 * is sure to set it, is here: an agent that sets them all is never stopped by a key that nobody set.
 */
export function contextDemand(
  workflow: CompiledWorkflow,
  stepId: string,
  wants: (key: string) => boolean = () => true,
): readonly ContextDemand[] {
  const place = placesOf(workflow).get(stepId);
  if (place?.step.kind !== 'prompt') return [];
  const { sets, takes = {} } = place.step;
  const demands = new Map<string, Noted>();
  const isWanted = memoize(wants);
  const lists = listsFromStart(workflow);
  for (const [key, { required }] of Object.entries(sets))
    demands.set(key, { ...nothingNoted(), declared: true, required: required !== false });
  const note: Note = ({ read, phrase, condition, agreement }, { next, between, set, perhaps }) => {
    // Once another step has surely set it anew, what depends on it depends on that step.
    if (set.has(read.key) || Object.hasOwn(takes, read.key)) return;
    const known = demands.get(read.key);
    if (!known && !(condition && isInTime(read, next) && !lists.has(read.key) && isWanted(read.key))) return;
    const demand = known ?? nothingNoted();
    demands.set(read.key, demand);
    if (agreement !== undefined) demand.agreements.add(agreement);
    const asked = condition && next && !read.guarded && !perhaps.has(read.key);
    // Whoever only plans a list in the next step should not make one up in this one.
    demand.neededBy.add(
      asked && between && !demand.declared ? `${phrase} (leave it out where another step comes first)` : phrase,
    );
    demand.reads.push(read);
    if (asked && !lists.has(read.key)) demand.required = true;
  };
  for (const one of stepReads(place.step).agreement) if (one.read.lenient === true) note(one, beginning());
  walkOn(workflow, stepId, Object.keys(sets), note);
  return [...demands].map(([key, { declared, required, neededBy, reads: of, agreements }]) => {
    const known = (declared ? own(sets, key) : undefined) ?? declaredSpecs(workflow).get(key) ?? inferredSpec(of);
    const isOpen =
      known.type === 'any' && known.description === undefined && of.some(({ lenient }) => lenient === true);
    const spec = isOpen ? inferredSpec(of) : known;
    const example = askingExample(agreements, key) ?? expectedExample(workflow, key, spec);
    return { key, spec, example, declared, required, neededBy: [...neededBy] };
  });
}

/** The keys without which a condition after a step may be answered wrongly, before any other step is sure to set them. */
export function keysDeciding(workflow: CompiledWorkflow, { id, sets }: PromptStep): ReadonlySet<string> {
  const keys = new Set<string>();
  walkOn(workflow, id, Object.keys(sets), ({ read, condition, mild }, { set }) => {
    if (condition && mild === undefined && !set.has(read.key) && (read.lenient === true || !read.guarded))
      // Where it is compared with null, not to be set is an answer.
      if (!read.values.includes(null)) keys.add(read.key);
  });
  return keys;
}

/** No run stops for want of it, so that nobody is asked for it before the step that may be the last one before its reader. */
const isInTime = ({ lenient }: ContextRead, next: boolean): boolean => next || lenient !== true;

interface Noted {
  declared: boolean;
  required: boolean;
  readonly neededBy: Set<string>;
  readonly reads: ContextRead[];
  /** Conditions of the WorkRail JSON format that ask with it whether somebody has to agree. */
  readonly agreements: Set<string>;
}

const nothingNoted = (): Noted => ({
  declared: false,
  required: false,
  neededBy: new Set(),
  reads: [],
  agreements: new Set(),
});

/** What is known of the steps passed since the one that asks. One of it goes all the way, and is changed as it goes. */
interface Way {
  /** No prompt step is sure to lie in between, so that this step may be the last one that can set a key. */
  next: boolean;
  /** A prompt step may lie in between, whether it is sure to or not. */
  between: boolean;
  /** Keys set by steps that are sure to have run, also in the order in which they were passed, and by steps that may have. */
  readonly set: Set<string>;
  readonly trail: string[];
  readonly perhaps: Set<string>;
}

type Note = (read: StepRead, way: Way) => void;

const beginning = (): Way => ({ next: true, between: false, set: new Set(), trail: [], perhaps: new Set() });

/** The way from a step to the end of its workflow, by every turn that a run may take. */
function walkOn(workflow: CompiledWorkflow, stepId: string, declared: readonly string[], note: Note): void {
  const way = beginning();
  const tell = (reads: readonly StepRead[]): void => {
    for (const read of reads) note(read, way);
  };
  const places = placesOf(workflow);
  const { around, step } = places.get(stepId)!;
  const { steps: order, spots, byKey, nextAsked } = keyMentions(workflow);
  [...around, step].toReversed().forEach((entry, at, all) => {
    // Leaving a body by its end: its loop may go round before the siblings after it have their turn.
    if (entry.kind === 'loop') {
      tell(stepReads(entry).goingOn);
      perhapsPassing(way, () => pass(entry.steps));
    }
    const outer = all[at + 1];
    pass(outer ? stepsIn(outer) : workflow.steps, places.get(entry.id)!.index + 1);
  });

  function pass(steps: readonly CompiledStep[], from = 0): void {
    for (let index = from; index < steps.length; index += 1) {
      index = passOver(steps, index);
      const one = steps[index];
      if (one === undefined) return;
      tell(stepReads(one).before);
      if (one.if === undefined) run(one);
      else perhapsPassing(way, () => run(one));
    }
  }

  /** As far as the next of these steps in which one of the keys is spoken of. */
  function passOver(steps: readonly CompiledStep[], from: number): number {
    const first = spots.get(steps[from]!.id)!;
    const asked = nextAsked[first.at]!;
    if (asked === first.at) return from;
    // Other keys are of no account: nothing stops for want of them, and this step does not set them.
    const open = declared.filter((key) => !way.set.has(key)).map((key) => firstFrom(byKey.get(key) ?? [], first.at));
    const found = order[Math.min(asked, ...open)];
    const { around: outside } = places.get(steps[from]!.id)!;
    const place = found && places.get(found.id);
    const isHere = place !== undefined && place.around[outside.length - 1] === outside.at(-1);
    const holder = isHere ? (place.around[outside.length] ?? place.step) : undefined;
    const to = holder === undefined ? steps.length : places.get(holder.id)!.index;
    if (to === from) return to;
    way.between = true;
    if (spots.get(steps[to - 1]!.id)!.sureWith > first.sureBefore) way.next = false;
    return to;
  }

  function run(one: CompiledStep): void {
    const { entering, goingOn, inside } = stepReads(one);
    switch (one.kind) {
      case 'group':
        return pass(one.steps);
      case 'loop': {
        const round = (): void => {
          pass(one.steps);
          tell(goingOn);
        };
        tell(entering);
        return isSureToRun(one) ? round() : perhapsPassing(way, round);
      }
      case 'run':
      case 'fail':
        return tell(inside);
      case 'prompt':
        tell(inside);
        way.next = false;
        way.between = true;
        for (const key of keysSet(one)) {
          way.perhaps.add(key);
          if (way.set.has(key) || own(one.sets, key)?.required === false) continue;
          way.set.add(key);
          way.trail.push(key);
        }
    }
  }
}

/** Where it may be passed by, nothing is sure that was not sure before. */
function perhapsPassing(way: Way, pass: () => void): void {
  const {
    next,
    trail: { length: sure },
  } = way;
  pass();
  way.next = next;
  for (const key of way.trail.splice(sure)) way.set.delete(key);
}

/** The first of some places, which ascend, that is not before another. */
function firstFrom(places: readonly number[], from: number): number {
  let [low, high] = [0, places.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (places[middle]! < from) low = middle + 1;
    else high = middle;
  }
  return places[low] ?? Infinity;
}

/** What the first step that sets a key says of it. */
const declaredSpecs = oncePerObject((workflow: CompiledWorkflow): ReadonlyMap<string, ValueSpec> => {
  const found = new Map<string, ValueSpec>();
  for (const { sets } of promptsIn(workflow.steps))
    for (const [key, spec] of Object.entries(sets)) if (!found.has(key)) found.set(key, spec);
  return found;
});

/** A spec that says what the conditions tell, and refuses nothing else: other values are an author's "otherwise". */
function inferredSpec(reads: readonly ContextRead[]): ValueSpec {
  const type = reads.find((read) => read.type !== undefined)?.type ?? 'any';
  const values = [...new Set<JsonValue>(reads.flatMap((read) => read.values))];
  // Null takes a key out: there it is nothing to hand back.
  const isNothing = (value: JsonValue): boolean => value === null && reads.some(({ lenient }) => lenient === true);
  const [example] = values.filter((value) => (type === 'any' || type === typeof value) && !isNothing(value));
  const compared = values.map((value) => JSON.stringify(value)).join(', ');
  return {
    type,
    ...(values.length === 0 ? {} : { description: `conditions compare it with ${compared}` }),
    ...(example === undefined ? {} : { example }),
  };
}
