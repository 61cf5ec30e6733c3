import { describe, expect, it, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../base/json-value.js';
import { contextDemand } from '../check/context-demand.js';
import { compileSource } from '../compile-source.js';
import type { CompiledWorkflow } from '../compiled/compiled-workflow.js';
import { promptsIn } from '../compiled/visit-steps.js';

function compiled(...steps: readonly JsonObject[]): CompiledWorkflow {
  const source = { id: 'p.x', name: 'X', description: 'D', version: '1.0.0', steps };
  const result = compileSource(JSON.stringify(source), 'x.json');
  if (!result.ok) throw new Error(JSON.stringify(result.violations));
  return result.workflow;
}

const step = (id: string, prompt: string, more: JsonObject = {}): JsonObject => ({ id, title: id, prompt, ...more });
const whenLarge: JsonObject = { runCondition: { var: 'size', equals: 'Large' } };

/** Each step with the keys it asks for; `!` stands behind those without which it is not done. */
function asked(workflow: CompiledWorkflow, knows: readonly string[] = []): { readonly [step: string]: string } {
  return Object.fromEntries(
    promptsIn(workflow.steps).map(({ id, sets }) => [
      id,
      contextDemand(workflow, id, (key) => !knows.includes(key))
        .map(({ key, declared }) => `${key}${declared && sets[key]?.required !== false ? '!' : ''}`)
        .join(' '),
    ]),
  );
}

describe('a key of the WorkRail JSON format', () => {
  it('is asked for at each step whose text says to set or update it, be it known, and not at the first one', () => {
    const workflow = compiled(
      step('look', 'Look around.'),
      step('measure', 'Set `size` to Small or Large.'),
      step('again', 'Adjust `size` where you were wrong.'),
      step('large', 'L', whenLarge),
    );
    expect(asked(workflow)).toEqual({ look: '', measure: 'size!', again: 'size', large: '' });
    expect(asked(workflow, ['size'])).toEqual({ look: '', measure: 'size!', again: 'size', large: '' });
  });

  it('is asked for right before its reader where no text names it, and no more once it is known', () => {
    const workflow = compiled(step('look', 'Look.'), step('measure', 'Measure.'), step('large', 'L', whenLarge));
    expect(asked(workflow)).toEqual({ look: '', measure: 'size', large: '' });
    expect(asked(workflow, ['size'])).toEqual({ look: '', measure: '', large: '' });
  });

  it('is asked for by each step that may be the last one before its reader', () => {
    const workflow = compiled(
      step('look', 'Look.'),
      step('deep', 'Deep.', { runCondition: { var: 'deep', equals: true } }),
      step('large', 'L', whenLarge),
    );
    expect(asked(workflow, ['deep'])).toEqual({ look: 'size', deep: 'size', large: '' });
  });

  it('is needed at the one step that names it, however far its reader is', () => {
    const workflow = compiled(step('measure', 'Capture `size`.'), step('look', 'Look.'), step('large', 'L', whenLarge));
    expect(asked(workflow, ['size'])).toEqual({ measure: 'size!', look: '', large: '' });
  });

  it('is needed once more where the step before it may be passed over', () => {
    const workflow = compiled(
      step('start', 'Set `deep`.'),
      step('measure', 'Set `size`.', { runCondition: { var: 'deep', equals: true } }),
      step('mend', 'Update `size`.'),
      step('large', 'L', whenLarge),
    );
    expect(asked(workflow)).toMatchObject({ measure: 'size!', mend: 'size!' });
  });

  it('is not asked for before the step that sets it and asks with it for agreement, with whatever else it asks', () => {
    const either = {
      or: [
        { var: 'changed', equals: true },
        { var: 'level', equals: 'Low' },
      ],
    };
    const workflow = compiled(step('look', 'Look.'), step('again', 'Set `changed`.', { requireConfirmation: either }));
    expect(asked(workflow)).toEqual({ look: 'level', again: 'changed! level' });
  });

  it('is not needed where a condition asks whether it is set', () => {
    const workflow = compiled(
      step('measure', 'Set `size` where there is one.'),
      step('none', 'N', { runCondition: { var: 'size', equals: null } }),
    );
    expect(asked(workflow)).toEqual({ measure: 'size', none: '' });
  });

  it('that only holes read is asked for where the text says to set it', () => {
    const workflow = compiled(
      step('one', 'One.'),
      step('two', 'Work.', { guidance: ['Update processed or errors counter'] }),
      step('sum', 'Processed: {{processed}}, errors: {{errors}}'),
    );
    expect(asked(workflow)).toEqual({
      one: '',
      two: 'processed errors',
      sum: '',
    });
  });

  it('takes what is given as its conditions do, and is shown by what they compare it with', () => {
    const workflow = compiled(step('measure', 'Set `size` and `ready`.'), step('large', 'L', whenLarge), {
      ...step('go', 'G'),
      runCondition: { var: 'ready', equals: true },
    });
    expect(promptsIn(workflow.steps)[0]!.sets).toEqual({ size: { type: 'any' }, ready: { type: 'any' } });
    expect(contextDemand(workflow, 'measure')).toMatchObject([
      { key: 'size', example: 'Large', spec: { type: 'string', description: 'conditions compare it with "Large"' } },
      { key: 'ready', example: true, spec: { type: 'boolean' } },
    ]);
  });

  it('is a list or a count where a loop takes it as one', () => {
    const body = [step('do', 'Do it.')];
    const loop = (id: string, loop: JsonObject): JsonObject => ({
      id,
      type: 'loop',
      title: 'L',
      loop,
      body,
    });
    const workflow = compiled(
      step('plan', "Store the slices in the context variable 'slices', and set passes=2."),
      loop('each', { type: 'forEach', items: 'slices' }),
      { ...loop('times', { type: 'for', count: 'passes' }), body: [step('pass', 'P')] },
    );
    expect(promptsIn(workflow.steps)[0]!.sets).toMatchObject({
      slices: { type: 'array' },
      passes: { type: 'integer' },
    });
  });
});

it('a loop over a list that only a step sets which may be skipped goes round no time without it', () => {
  const each: JsonObject = {
    id: 'each',
    type: 'loop',
    title: 'Each',
    loop: { type: 'forEach', items: 'slices' },
    body: [step('do', 'Do it.')],
  };
  const lists = (...before: readonly JsonObject[]): unknown =>
    compiled(...before, each).steps.flatMap((one) =>
      one.kind === 'loop' && one.loop.type === 'foreach' ? [one.loop.list] : [],
    );
  const perhaps = step('plan', 'Set `slices`.', { runCondition: { var: 'deep', equals: true } });
  expect(lists(step('look', 'Look.'), perhaps)).toEqual(['has(context.slices) ? context.slices : []']);
  expect(lists(step('look', 'Capture `slices`.'), perhaps)).toEqual(['context.slices']);
  expect(lists(step('look', 'Look.'))).toEqual(['context.slices']);
});

describe('the example of a key that an approval hangs on', () => {
  const last = (condition: JsonObject, more: JsonObject = {}): CompiledWorkflow =>
    compiled(
      step('judge', 'Set `recommendation`, `count` and `ready`.'),
      step('hand-over', 'Hand over.', { requireConfirmation: { kind: 'human_approval', condition }, ...more }),
    );
  const examples = (workflow: CompiledWorkflow): JsonObject =>
    Object.fromEntries(contextDemand(workflow, 'judge').map(({ key, example }): [string, JsonValue] => [key, example]));

  test.each<[string, JsonObject, JsonObject]>([
    ['not_equals', { var: 'recommendation', not_equals: 'clean' }, { recommendation: '…' }],
    ['not', { not: { var: 'recommendation', equals: 'clean' } }, { recommendation: '…' }],
    ['one of some', { var: 'recommendation', in: ['minor', 'blocking'] }, { recommendation: 'minor' }],
    ['more than', { var: 'count', gt: 3 }, { count: 4 }],
    [
      'not a number',
      {
        or: [
          { var: 'recommendation', equals: 'bad' },
          { var: 'count', not_equals: 0 },
        ],
      },
      { recommendation: 'bad', count: 1 },
    ],
    ['a flag that is not set', { var: 'ready', equals: false }, { ready: false }],
    ['a flag alone', { var: 'ready' }, { ready: true }],
    [
      'all of some',
      {
        and: [
          { var: 'ready', not_equals: true },
          { var: 'recommendation', equals: 'x' },
        ],
      },
      { ready: false, recommendation: 'x' },
    ],
  ])('asks for it: %s', (_, condition, shown) => {
    expect(examples(last(condition))).toMatchObject(shown);
  });

  it('is the same at the step itself, which asks for it anew where its text speaks of it', () => {
    const condition = { var: 'recommendation', not_equals: 'clean' };
    const of = (prompt: string): unknown =>
      contextDemand(last(condition, { prompt }), 'hand-over', () => false).map(({ key, example }) => [key, example]);
    expect(of('Tell the final recommendation.')).toEqual([['recommendation', '…']]);
    expect(of('Set `recommendation` anew.')).toEqual([['recommendation', '…']]);
    expect(of('Hand over.')).toEqual([]);
  });

  it('makes the key one that the step needs where its text says to set it', () => {
    const condition = { var: 'recommendation', not_equals: 'clean' };
    expect(asked(last(condition, { prompt: 'Set `recommendation`.' }))['hand-over']).toBe('recommendation!');
    expect(asked(last(condition, { prompt: 'Tell the recommendation.' }))['hand-over']).toBe('recommendation');
  });
});
