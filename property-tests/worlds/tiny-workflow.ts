import fc from 'fast-check';
import { stringify } from 'yaml';
import type { JsonObject, JsonValue } from '../../src/base/json-value.js';

/** A small language of workflows: everything that decides which step comes next, and nothing else. */
export type TinyStep = TinyPrompt | TinyGroup | TinyLoop;

export interface TinyPrompt {
  readonly kind: 'prompt';
  readonly id: string;
  readonly if: Test | undefined;
  readonly sets: readonly KeyName[];
  readonly needs: readonly string[];
  readonly confirm: boolean;
  readonly notes: 'encouraged' | 'required' | 'optional';
  readonly minLength: number | undefined;
  readonly artifact: boolean;
  /** What its title shows of the loops around it: nothing, the iteration, or the element of this variable. */
  readonly shows: 'nothing' | 'iteration' | { readonly element: string };
}
export interface TinyGroup {
  readonly kind: 'group';
  readonly id: string;
  readonly if: Test | undefined;
  readonly steps: readonly TinyStep[];
}
export interface TinyLoop {
  readonly kind: 'loop';
  readonly id: string;
  readonly if: Test | undefined;
  readonly loop:
    | { readonly type: 'foreach'; readonly as: string }
    | { readonly type: 'while' | 'until'; readonly test: Test }
    | { readonly type: 'repeat'; readonly times: number }
    | { readonly type: 'repeat_count' };
  readonly max: number;
  readonly steps: readonly TinyStep[];
}

export type KeyName = 'flag' | 'level' | 'count' | 'items';
export type Test =
  | { readonly kind: 'flag' | 'not_flag' | 'has_flag' | 'large' }
  | { readonly kind: 'count_above'; readonly number: number }
  | { readonly kind: 'iteration_below'; readonly number: number };

export interface TinyWorkflow {
  readonly name: string;
  readonly version: number;
  readonly asksGoal: boolean;
  readonly steps: readonly TinyStep[];
}

export const idOf = ({ name }: Pick<TinyWorkflow, 'name'>): string => `wr.${name}`;

/** The values that agents hand back for a key, right ones and wrong ones. */
export const rightValues: { readonly [key in KeyName]: readonly JsonValue[] } = {
  flag: [true, false],
  level: ['Small', 'Large'],
  count: [0, 1, 2, 3],
  items: [[], ['a'], ['b', 7], ['c', 'd', 'e']],
};
export const wrongValues: { readonly [key in KeyName]: readonly JsonValue[] } = {
  flag: ['maybe'],
  level: ['Huge', 5],
  count: ['many', 9],
  items: ['none'],
};
export const keyNames = Object.keys(rightValues) as readonly KeyName[];

// Generation

interface Raw {
  readonly body: 'prompt' | 'group' | 'foreach' | 'while' | 'until' | 'repeat' | 'repeat_count';
  readonly if: Test | undefined;
  readonly test: Test;
  readonly number: number;
  readonly max: number;
  readonly prompt: {
    readonly sets: readonly KeyName[];
    readonly needs: readonly string[];
    readonly confirm: boolean;
    readonly notes: TinyPrompt['notes'];
    readonly minLength: number | undefined;
    readonly artifact: boolean;
    readonly shows: number;
  };
  readonly steps: readonly Raw[];
}

const test: fc.Arbitrary<Test> = fc.oneof(
  fc.constantFrom<Test>({ kind: 'flag' }, { kind: 'not_flag' }, { kind: 'has_flag' }, { kind: 'large' }),
  fc.record({
    kind: fc.constantFrom('count_above' as const, 'iteration_below' as const),
    number: fc.integer({ min: 0, max: 3 }),
  }),
);
const seldom = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value });
const rarely = fc.integer({ min: 0, max: 7 }).map((die) => die === 7);

const prompt = fc.record({
  sets: fc.oneof(
    { weight: 2, arbitrary: fc.constant([]) },
    { weight: 2, arbitrary: fc.subarray([...keyNames], { maxLength: 2 }) },
  ),
  needs: fc.oneof(
    { weight: 6, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.constantFrom(['secret'], ['design'], ['design', 'secret']) },
  ),
  confirm: rarely,
  notes: fc.constantFrom('encouraged' as const, 'encouraged' as const, 'required' as const, 'optional' as const),
  minLength: seldom(fc.constantFrom(5, 20)),
  artifact: rarely,
  shows: fc.nat(2),
});

function rawStep(depth: number): fc.Arbitrary<Raw> {
  const bodies: fc.Arbitrary<Raw['body']> =
    depth === 0
      ? fc.constant('prompt')
      : fc.constantFrom('prompt', 'prompt', 'prompt', 'group', 'foreach', 'while', 'until', 'repeat', 'repeat_count');
  return bodies.chain((body) =>
    fc.record({
      body: fc.constant(body),
      if: seldom(test),
      test,
      number: fc.integer({ min: 0, max: 3 }),
      max: fc.integer({ min: 1, max: 3 }),
      prompt,
      steps: body === 'prompt' ? fc.constant([]) : fc.array(rawStep(depth - 1), { minLength: 1, maxLength: 3 }),
    }),
  );
}

interface Around {
  readonly inLoop: boolean;
  readonly variables: readonly string[];
}

/** Gives each step its id, and puts right what makes no sense where it stands: an iteration outside of a loop. */
function named(raws: readonly Raw[], around: Around, ids: { next: number }): readonly TinyStep[] {
  return raws.map((raw): TinyStep => {
    ids.next += 1;
    const number = ids.next;
    const condition = raw.if === undefined ? undefined : fitting(raw.if, around.inLoop);
    if (raw.body === 'prompt') {
      const { shows, ...rest } = raw.prompt;
      const variable = around.variables.at(-1);
      return {
        kind: 'prompt',
        id: `s${number}`,
        if: condition,
        ...rest,
        shows:
          shows === 1 && around.inLoop
            ? 'iteration'
            : shows === 2 && variable !== undefined
              ? { element: variable }
              : 'nothing',
      };
    }
    if (raw.body === 'group')
      return { kind: 'group', id: `g${number}`, if: condition, steps: named(raw.steps, around, ids) };
    const as = `x${number}`;
    const inside = { inLoop: true, variables: raw.body === 'foreach' ? [...around.variables, as] : around.variables };
    return {
      kind: 'loop',
      id: `l${number}`,
      if: condition,
      loop: loopOf(raw, as),
      max: raw.max,
      steps: named(raw.steps, inside, ids),
    };
  });
}

function loopOf({ body, test: of, number }: Raw, as: string): TinyLoop['loop'] {
  if (body === 'foreach') return { type: 'foreach', as };
  if (body === 'while' || body === 'until') return { type: body, test: of };
  return body === 'repeat' ? { type: 'repeat', times: number } : { type: 'repeat_count' };
}

const fitting = (of: Test, inLoop: boolean): Test => (of.kind === 'iteration_below' && !inLoop ? { kind: 'flag' } : of);

export function tinyWorkflow(name: string, depth = 3): fc.Arbitrary<TinyWorkflow> {
  return fc.record({
    name: fc.constant(name),
    version: fc.constant(1),
    asksGoal: rarely,
    steps: fc
      .array(rawStep(depth), { minLength: 1, maxLength: 4 })
      .map((raws) => named(raws, { inLoop: false, variables: [] }, { next: 0 })),
  });
}

/** Steps without conditions: the plainest thing to walk along. */
export function straightWorkflow(name: string, steps: number): TinyWorkflow {
  return {
    name,
    version: 1,
    asksGoal: false,
    steps: Array.from({ length: steps }, (_, at) => ({
      kind: 'prompt',
      id: `s${at + 1}`,
      if: undefined,
      sets: [],
      needs: [],
      confirm: false,
      notes: 'encouraged',
      minLength: undefined,
      artifact: false,
      shows: 'nothing',
    })),
  };
}

// Rendering

export function renderWorkflow(workflow: TinyWorkflow): string {
  return stringify({
    workflow: idOf(workflow),
    title: `Tiny ${workflow.name}`,
    description: 'Made by a generator.',
    version: `${workflow.version}.0.0`,
    ...(workflow.asksGoal && { inputs: { goal: { type: 'string', required: true } } }),
    steps: workflow.steps.map(rendered),
  });
}

function rendered(step: TinyStep): JsonObject {
  const condition = step.if === undefined ? {} : { if: testText(step.if) };
  if (step.kind === 'group') return { id: step.id, ...condition, steps: step.steps.map(rendered) };
  if (step.kind === 'loop')
    return { id: step.id, ...condition, ...loopText(step), max: step.max, steps: step.steps.map(rendered) };
  return {
    id: step.id,
    title: titleText(step),
    ...condition,
    prompt: `Do ${step.id}.`,
    ...(step.sets.length > 0 && { sets: Object.fromEntries(step.sets.map((key) => [key, specOf[key]])) }),
    ...(step.needs.length > 0 && {
      needs: step.needs.map((key) => ({ reason: 'needs_user_artifact', key, ask: `Please give ${key}.` })),
    }),
    ...(step.confirm && { confirm: true }),
    notes: step.notes,
    ...(step.minLength !== undefined && { rules: [{ minLength: step.minLength }] }),
    ...(step.artifact && {
      output: {
        kind: 'tiny.result',
        required: true,
        schema: { type: 'object', required: ['size'], properties: { size: { type: 'integer' } } },
        example: { size: 1 },
      },
    }),
  };
}

const specOf: { readonly [key in KeyName]: JsonObject } = {
  flag: { type: 'boolean' },
  level: { type: 'string', enum: ['Small', 'Large'] },
  count: { type: 'integer', minimum: 0, maximum: 3 },
  items: { type: 'array' },
};

function titleText({ id, shows }: TinyPrompt): string {
  if (shows === 'nothing') return `Step ${id}`;
  return shows === 'iteration' ? `Round \${{ iteration }} of ${id}` : `Take \${{ ${shows.element} }} in ${id}`;
}

function loopText({ loop }: TinyLoop): JsonObject {
  switch (loop.type) {
    case 'foreach':
      return { foreach: 'context.items', as: loop.as };
    case 'while':
      return { while: testText(loop.test) };
    case 'until':
      return { until: testText(loop.test) };
    case 'repeat':
      return { repeat: loop.times };
    case 'repeat_count':
      return { repeat: 'context.count' };
  }
}

function testText(of: Test): string {
  switch (of.kind) {
    case 'flag':
      return 'context.flag';
    case 'not_flag':
      return '!context.flag';
    case 'has_flag':
      return 'has(context.flag) && context.flag';
    case 'large':
      return 'context.level == "Large"';
    case 'count_above':
      return `context.count > ${of.number}`;
    case 'iteration_below':
      return `iteration < ${of.number}`;
  }
}
