import { describe, expect, it } from 'vitest';
import { compiled, around, first, workflowOf } from '../../../property-tests/worlds/workrail-json-world.js';
import type { JsonObject, JsonValue } from '../../base/json-value.js';
import { promptsIn } from '../compiled/visit-steps.js';

const words = "context.kind === 'big'";
const warned = (source: JsonObject): readonly string[] => {
  const compilation = compiled(source);
  if (!compilation.ok) throw new Error(JSON.stringify(compilation.violations));
  return compilation.warnings.map(({ rule }) => rule);
};

describe('a condition in words', () => {
  it.each<[string, JsonObject]>([
    ['of a step', { runCondition: words }],
    ['of a rule', { validationCriteria: [{ type: 'contains', value: 'x', condition: words }] }],
    ['of agreement', { requireConfirmation: { kind: 'human_approval', condition: words } }],
    ['among others', { requireConfirmation: [{ var: 'a' }, words] }],
    ['of a fragment', { promptFragments: [{ id: 'f', when: words, text: 'More.' }] }],
    ['of a piece of work', { parallelDelegations: [{ workflowId: 'routine-nobody', runCondition: words }] }],
    [
      'of a loop',
      { type: 'loop', loop: { type: 'while', condition: words, maxIterations: 3 }, body: [{ id: 'b', prompt: 'x' }] },
    ],
    [
      'of a loop by its source',
      {
        type: 'loop',
        loop: { type: 'until', conditionSource: { kind: 'context_variable', condition: words }, maxIterations: 3 },
        body: [{ id: 'b', prompt: 'x' }],
      },
    ],
  ])('%s is a warning, and the agent reads it', (_, step) => {
    const source = around(step);
    expect(warned(source)).toContain('condition');
    expect(JSON.stringify(promptsIn(workflowOf(source).steps))).toContain("context.kind === 'big'");
  });

  it('holds nothing back, however it stands in a condition', () => {
    const conditions: readonly JsonValue[] = [
      words,
      { not: words },
      { not: { and: [words] } },
      { or: [{ var: 'a', equals: 1 }, words] },
      { and: [words] },
      [words],
    ];
    for (const runCondition of conditions) {
      const { if: condition = 'true' } = first({ runCondition });
      expect(condition.endsWith('|| true') ? 'true' : condition, JSON.stringify(runCondition)).toBe('true');
    }
    expect(first({ runCondition: { and: [{ var: 'a', equals: 1 }, words] } }).if).toContain('wr_equals');
  });

  it('asks for agreement always, and for a rule in the agent’s judgement', () => {
    expect(first({ requireConfirmation: { condition: words } })).toMatchObject({
      confirm: true,
      guidance: [`Ask for agreement: ${words}`],
    });
    expect(first({ validationCriteria: [{ type: 'contains', value: 'x', condition: words }] })).toMatchObject({
      rules: [],
      guidance: [`Where ${words}: the notes must contain "x"`],
    });
  });

  it('ends a loop by the agent’s word', () => {
    const loop = { type: 'while', condition: words, maxIterations: 3 };
    expect(workflowOf(around({ type: 'loop', loop, body: [{ id: 'b', prompt: 'x' }] })).steps).toMatchObject([
      { loop: { type: 'control' }, steps: [{ outputs: [{ kind: 'wr.loop_control', required: false }] }] },
    ]);
  });
});

describe('text under a key that no step has', () => {
  it('is told to the agent by the name of the key, and is the body where there is no other', () => {
    const step = { title: 'Initialize', prompt: null, instructions: ['Create a session.', 'Name it {{name}}.'] };
    expect(first(step).prompt).toBe('**instructions**:\n- Create a session.\n- Name it ${{ context.name }}.');
    expect(warned(around(step))).toEqual(['unknown_key']);
    expect(first({ hints: { first: 'Look.', then: ['a', { b: 'c' }] }, note: 'Short.' }).prompt).toBe(
      'Go.\n\n**hints**:\n- first: Look.\n- then:\n  - a\n  - - b: c\n\n**note**: Short.',
    );
  });

  it('is not what holds no text, or is for people', () => {
    for (const more of [{ priority: 1 }, { flags: [true] }, { empty: '' }, { $comment: 'x' }, { _todo: 'x' }])
      expect(first(more as JsonObject).prompt).toBe('Go.');
  });
});

describe('a consequence of an assessment', () => {
  const judged = (when: JsonObject, effect: JsonObject = { guidance: 'Look again.' }) =>
    first(
      { assessmentRefs: ['r'], assessmentConsequences: [{ when, effect }] },
      {
        assessments: [
          {
            id: 'r',
            purpose: 'p',
            dimensions: [
              { id: 'clarity', purpose: 'p', levels: ['low', 'high'] },
              { id: 'reach', purpose: 'p', levels: ['low', 'wide'] },
            ],
          },
        ],
      },
    );

  it('may name its dimension, in the earlier spelling', () => {
    expect(judged({ dimensionId: 'reach', equalsLevel: 'wide' })).toMatchObject({
      guidance: [],
      assessments: [{ followUps: [{ level: 'wide', guidance: 'Look again.' }] }],
    });
    expect(judged({ dimensionId: 'clarity', equalsLevel: 'low' })).toMatchObject({
      guidance: ['Where clarity of the assessment r is low: Look again.'],
      assessments: [{ followUps: [] }],
    });
  });

  it('keeps its guidance where nothing can follow from it', () => {
    expect(judged({ forAssessment: 'other', anyEqualsLevel: 'low' }).guidance).toEqual([
      'Of the assessment, where it is low: Look again.',
    ]);
  });
});

describe('what is said once', () => {
  it('is the number of a step that its author has numbered', () => {
    const prompt = (procedure: readonly string[]): string =>
      first({ prompt: null, promptBlocks: { procedure } }).prompt;
    expect(prompt(['1. Look.', '2) Tell.'])).toBe('## Procedure\n1. Look.\n2) Tell.');
    expect(prompt(['1. Look.', 'A note.'])).toBe('## Procedure\n1. Look.\n- A note.');
    expect(prompt(['Look.', '3 things to tell.'])).toBe('## Procedure\n1. Look.\n2. 3 things to tell.');
  });

  it('is the description of a routine that is given away', () => {
    const routine = { ...around({}), id: 'routine-look', description: 'Looks at it.' };
    const [delegate] = first({ parallelDelegations: [{ workflowId: 'routine-look' }] }, {}, () => ({
      source: () => routine,
    })).delegates!;
    expect(delegate!.goal).toBe('Looks at it.');
    expect(delegate!.text).not.toContain('Looks at it.');
  });

  it('is nothing of fields that ask nothing', () => {
    expect(warned({ ...around({ hasValidation: true, metricsProfile: 'none' }), metricsProfile: 'coding' })).toEqual(
      [],
    );
  });

  it('is an example that is an object, in a line', () => {
    const { description } = workflowOf({ ...around({}), examples: [{ goal: 'word '.repeat(200) }] });
    expect(description.length).toBeLessThan(300);
  });
});
