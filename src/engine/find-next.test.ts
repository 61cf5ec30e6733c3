import { describe, expect, it } from 'vitest';
import type {
  CompiledStep,
  CompiledWorkflow,
  LoopStep,
  PromptStep,
} from '../definitions/compiled/compiled-workflow.js';
import type { Facts } from '../definitions/expression/scope-at.js';
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
