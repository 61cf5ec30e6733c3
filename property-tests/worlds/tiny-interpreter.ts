import type { JsonObject, JsonValue } from '../../src/base/json-value.js';
import type { Test, TinyLoop, TinyPrompt, TinyStep, TinyWorkflow } from './tiny-workflow.js';

/** What the run knew when it looked for its next step. */
export interface Moment {
  readonly context: JsonObject;
  /** In never-stop what cannot be told counts as not met. */
  readonly assume: boolean;
}

export interface Pending {
  readonly step: TinyPrompt;
  readonly path: string;
  readonly title: string;
}

export interface Found {
  readonly next: Pending | undefined;
  readonly skipped: readonly string[];
  /** Paths of the loops that ended at their maximum. */
  readonly limited: readonly string[];
  /** For each thing that could not be told, the key that is missing, where that is the trouble. */
  readonly unknown: readonly (string | undefined)[];
}

/** Walks the whole run again from its beginning, handing each moment to the walk where it waited. */
export function findStep(workflow: TinyWorkflow, moments: readonly Moment[]): Found {
  const look = {
    context: {} as JsonObject,
    assume: false,
    skipped: [] as string[],
    limited: [] as string[],
    unknown: [] as (string | undefined)[],
  };
  const walk = stepsOf(workflow.steps, { path: '', iteration: undefined, elements: {} }, look);
  let next: Pending | undefined;
  for (const moment of moments) {
    Object.assign(look, { ...moment, skipped: [], limited: [], unknown: [] });
    try {
      const step = walk.next();
      next = step.done === true ? undefined : step.value;
    } catch (cause) {
      if (!(cause instanceof Halt)) throw cause;
      next = undefined;
    }
  }
  return { next, skipped: look.skipped, limited: look.limited, unknown: look.unknown };
}

/** Something cannot be told, and the run may not go on without. */
class Halt extends Error {}

interface Look extends Moment {
  readonly skipped: string[];
  readonly limited: string[];
  readonly unknown: (string | undefined)[];
}
interface Around {
  readonly path: string;
  readonly iteration: number | undefined;
  readonly elements: { readonly [name: string]: JsonValue };
}
type Walk = Generator<Pending, void, undefined>;

function* stepsOf(steps: readonly TinyStep[], around: Around, look: Look): Walk {
  for (const step of steps) {
    const path = around.path + step.id;
    if (step.if !== undefined && !holds(step.if, around.iteration, look, false)) {
      look.skipped.push(path);
      continue;
    }
    if (step.kind === 'prompt') yield { step, path, title: titleOf(step, around) };
    else if (step.kind === 'group') yield* stepsOf(step.steps, { ...around, path: `${path}/` }, look);
    else yield* loopOf(step, path, around, look);
  }
}

function* loopOf(step: TinyLoop, path: string, around: Around, look: Look): Walk {
  const { loop } = step;
  // How often it goes round is either fixed now or asked each time.
  const items = loop.type === 'foreach' ? listIn(look) : undefined;
  const times =
    items?.length ?? (loop.type === 'repeat' ? loop.times : loop.type === 'repeat_count' ? countIn(look) : undefined);
  if (times === 0 || (loop.type === 'while' && !holds(loop.test, 1, look, false))) {
    look.skipped.push(path);
    return;
  }
  for (let round = 1; ; round += 1) {
    const elements =
      loop.type === 'foreach' ? { ...around.elements, [loop.as]: items?.[round - 1] ?? null } : around.elements;
    yield* stepsOf(step.steps, { path: `${path}@${round}/`, iteration: round, elements }, look);
    const more =
      times !== undefined
        ? round < times
        : loop.type === 'while'
          ? holds(loop.test, round + 1, look, false)
          : loop.type === 'until' && !holds(loop.test, round, look, true);
    if (!more) return;
    if (round >= step.max) {
      look.limited.push(path);
      return;
    }
  }
}

function holds(test: Test, iteration: number | undefined, look: Look, otherwise: boolean): boolean {
  const { flag, level, count } = look.context;
  switch (test.kind) {
    case 'flag':
    case 'not_flag':
      if (typeof flag !== 'boolean') return untold(flag === undefined ? 'flag' : undefined, look, otherwise);
      return test.kind === 'flag' ? flag : !flag;
    case 'has_flag':
      if (flag === undefined) return false;
      return typeof flag === 'boolean' ? flag : untold(undefined, look, otherwise);
    case 'large':
      return level === undefined ? untold('level', look, otherwise) : level === 'Large';
    case 'count_above':
      if (typeof count !== 'number') return untold(count === undefined ? 'count' : undefined, look, otherwise);
      return count > test.number;
    case 'iteration_below':
      return (iteration ?? 0) < test.number;
  }
}

function listIn(look: Look): readonly JsonValue[] {
  const { items } = look.context;
  if (Array.isArray(items)) return items as readonly JsonValue[];
  untold(items === undefined ? 'items' : undefined, look, false);
  return [];
}

function countIn(look: Look): number {
  const { count } = look.context;
  if (typeof count === 'number' && Number.isInteger(count) && count >= 0) return count;
  untold(count === undefined ? 'count' : undefined, look, false);
  return 0;
}

function untold(key: string | undefined, look: Look, otherwise: boolean): boolean {
  look.unknown.push(key);
  if (!look.assume) throw new Halt();
  return otherwise;
}

function titleOf({ id, shows }: TinyPrompt, { iteration, elements }: Around): string {
  if (shows === 'nothing') return `Step ${id}`;
  return shows === 'iteration' ? `Round ${iteration} of ${id}` : `Take ${printed(elements[shows.element])} in ${id}`;
}

const printed = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : JSON.stringify(value));
