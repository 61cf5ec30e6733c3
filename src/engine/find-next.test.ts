import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../base/json-value.js';
import type {
  CompiledStep,
  CompiledWorkflow,
  GroupStep,
  LoopStep,
  PromptStep,
} from '../definitions/compiled/compiled-workflow.js';
import type { Facts } from '../definitions/expression/scope-at.js';
import { stepsToCome } from '../definitions/expression/steps-to-come.js';
import { wayAhead } from '../definitions/expression/way-ahead.js';
import { findNext } from './find-next.js';
import type { Done } from './way.js';

const prompt = (id: string, more: Partial<PromptStep> = {}): PromptStep => ({
  kind: 'prompt',
  id,
  title: id,
  prompt: id,
  guidance: [],
  sets: {},
  needs: [],
  confirm: false,
  notes: 'optional',
  outputs: [],
  rules: [],
  ...more,
});
const loop = (
  id: string,
  of: LoopStep['loop'],
  steps: readonly CompiledStep[],
  more: Partial<LoopStep> = {},
): LoopStep => ({ kind: 'loop', id, title: id, loop: of, max: 3, steps, ...more });
const workflow = (...steps: readonly CompiledStep[]): CompiledWorkflow => ({
  compiled: 1,
  id: 'wr.test',
  kind: 'workflow',
  title: 'Test',
  description: '',
  version: '1.0.0',
  tags: [],
  guidance: [],
  preconditions: [],
  clarify: [],
  inputs: {},
  steps,
});
const facts: Facts = { inputs: {}, context: {}, outputs: {}, lists: {}, controls: {} };
const looked = (frames: Done['frames']): Done => ({ id: 'look', frames, ofRound: () => facts });

describe('a loop that an artifact controls', () => {
  const definition = workflow(loop('hunt', { type: 'control' }, [prompt('look')]), prompt('end'));
  const after = (iteration: number, controls: Facts['controls']): string | undefined =>
    findNext(definition, looked([{ loop: 'hunt', iteration }]), { ...facts, controls }, 'stop').next?.path;

  it('is entered, goes on when told or not told, and ends when told', () => {
    expect(findNext(definition, undefined, facts, 'stop').next?.path).toBe('hunt@1/look');
    expect(after(1, { 'hunt@1': 'continue' })).toBe('hunt@2/look');
    expect(after(1, {})).toBe('hunt@2/look');
    expect(after(1, { 'hunt@1': 'stop' })).toBe('end');
  });

  it('hears only what was said in this iteration', () => {
    expect(after(2, { 'hunt@1': 'stop' })).toBe('hunt@3/look');
  });

  it('ends at its maximum, and says so', () => {
    const way = findNext(definition, looked([{ loop: 'hunt', iteration: 3 }]), facts, 'stop');
    expect(way.next?.path).toBe('end');
    expect(way.limited).toHaveLength(1);
  });
});

describe('the names a loop gives', () => {
  it('are its element, its counter and its index', () => {
    const body = prompt('look', { title: '${{ n }} ${{ i }} ${{ area }}' });
    const definition = workflow(
      loop('each', { type: 'foreach', list: 'context.areas', as: 'area' }, [body], { counter: 'n', index: 'i' }),
    );
    const at = { ...facts, context: { areas: ['api', 'ui'] } };
    const first = findNext(definition, undefined, at, 'stop');
    expect(first.next?.title).toBe('1 0 api');
    const second = findNext(
      definition,
      looked(first.next?.frames ?? []),
      { ...at, lists: { each: ['api', 'ui'] } },
      'stop',
    );
    expect(second.next?.title).toBe('2 1 ui');
  });
});

describe('the steps that are told to come', () => {
  const group = (id: string, steps: readonly CompiledStep[]): GroupStep => ({ kind: 'group', id, title: id, steps });
  const condition = fc.constantFrom(
    undefined,
    'context.size == "Small"',
    'context.size != "Small"',
    'has(context.gone) && inputs.post',
    'inputs.post',
  );
  const loopOf = fc.constantFrom<LoopStep['loop'] | undefined>(
    undefined,
    { type: 'foreach', list: 'context.areas', as: 'area' },
    { type: 'repeat', times: 2 },
    { type: 'repeat', times: 'size(context.areas)' },
    { type: 'while', test: 'context.size == "Huge"' },
  );
  interface Tree {
    readonly if: string | undefined;
    readonly of: LoopStep['loop'] | undefined;
    readonly inside: readonly Tree[];
  }
  const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
    tree: fc.record({
      if: condition,
      of: loopOf,
      inside: fc.oneof({ depthSize: 'small' }, fc.constant([]), fc.array(tie('tree'), { maxLength: 3 })),
    }),
  }));
  const grow = (trees: readonly Tree[], at: string): readonly CompiledStep[] =>
    trees.map(({ if: asked, of, inside }, index): CompiledStep => {
      const id = `${at}${'abc'[index]}`;
      const steps = grow(inside, id);
      const step = steps.length === 0 ? prompt(id) : of === undefined ? group(id, steps) : loop(id, of, steps);
      return asked === undefined ? step : { ...step, if: asked };
    });

  it('are those that come, where all that is asked is known', () => {
    const context = fc.record({
      size: fc.constantFrom('Small', 'Large'),
      areas: fc.array(fc.constantFrom('api', 'ui'), { maxLength: 4 }),
      gone: fc.constant(true),
    });
    fc.assert(
      fc.property(fc.array(tree, { maxLength: 3 }), context, fc.boolean(), (trees, known, post) => {
        const definition = workflow(...grow(trees, ''));
        const told: number[] = [];
        const came: string[] = [];
        const ids: string[] = [];
        const expected: (readonly [number, string])[] = [];
        let lists: Facts['lists'] = {};
        let after: Done | undefined;
        while (came.length < 400) {
          const at: Facts = { ...facts, inputs: { post } as JsonObject, context: known, lists };
          const way = findNext(definition, after, at, 'stop');
          expect(way.unknown).toEqual([]);
          if (way.next === undefined) break;
          lists = { ...lists, ...Object.fromEntries(way.entered.map(({ loop: entered, items }) => [entered, items])) };
          const about = stepsToCome(definition, way.next, { ...at, lists });
          const ahead = [...wayAhead(definition, way.next, { ...at, lists })];
          expect(1 + ahead.reduce((sum, { count }) => sum + count, 0)).toBe(about);
          expected.push(...(ahead[0]?.step.kind === 'prompt' ? [[came.length + 1, ahead[0].step.id] as const] : []));
          told.push(came.length + about);
          came.push(way.next.path);
          ids.push(way.next.id);
          after = { ...way.next, ofRound: () => at };
        }
        if (came.length < 400) {
          expect(told).toEqual(came.map(() => came.length));
          expect(expected.map(([at]) => ids[at])).toEqual(expected.map(([, id]) => id));
        }
      }),
    );
  });

  it('are told one by one, a loop as one, with what has to hold', () => {
    const definition = workflow(
      loop('each', { type: 'foreach', list: 'context.areas', as: 'area' }, [prompt('a'), prompt('b')]),
      { ...group('check', [prompt('c', { if: 'has(context.late)' }), prompt('d')]), if: 'context.size == "Large"' },
      loop('until', { type: 'until', test: 'context.done' }, [prompt('e')]),
    );
    const context: JsonObject = { areas: ['api', 'ui', 'docs'] };
    const lists = { each: context['areas'] as readonly JsonValue[] };
    const told = (known: JsonObject, id = 'a', frames = [{ loop: 'each', iteration: 1 }]) =>
      [...wayAhead(definition, { id, frames }, { ...facts, context: known, lists })].map(
        ({ step, conditions, rounds, again, count }) => [step.id, conditions.length, rounds, again, count],
      );
    expect(told(context)).toEqual([
      ['b', 0, undefined, false, 1],
      ['each', 0, 2, true, 4],
      ['c', 2, undefined, false, 1],
      ['d', 1, undefined, false, 1],
      ['until', 0, undefined, false, 1],
    ]);
    expect(told({ ...context, size: 'Small' }).map(([id]) => id)).toEqual(['b', 'each', 'until']);
    // Whether such a loop goes on is asked after the round: nothing is counted for it.
    expect(told(context, 'e', [{ loop: 'until', iteration: 1 }])).toEqual([['until', 0, undefined, true, 0]]);
  });

  it('count once where what is asked is not known yet', () => {
    const definition = workflow(
      prompt('a'),
      prompt('b', { if: 'context.size == "Small"' }),
      prompt('c', { if: 'has(context.size) && context.size == "Small"' }),
      prompt('d', { if: 'has(outputs.b)' }),
      loop('each', { type: 'foreach', list: 'context.areas', as: 'area' }, [prompt('e', { if: 'area == "api"' })]),
    );
    const about = (context: JsonObject): number =>
      stepsToCome(definition, { id: 'a', frames: [] }, { ...facts, context });
    expect(about({})).toBe(5);
    expect(about({ size: 'Large' })).toBe(3);
    expect(about({ size: 'Large', areas: ['api', 'ui'] })).toBe(4);
  });
});
