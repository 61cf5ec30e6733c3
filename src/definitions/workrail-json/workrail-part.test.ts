import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, test } from 'vitest';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json-value.js';
import { compileSource } from '../compile-source.js';
import type { CompiledWorkflow, PromptStep } from '../compiled/compiled-workflow.js';
import { promptsIn } from '../compiled/visit-steps.js';

const around = (step: JsonObject, more: JsonObject = {}): JsonObject => ({
  id: 'team.x',
  name: 'X',
  description: 'Use this.',
  version: '1.0.0',
  steps: [{ id: 'one', title: 'One', prompt: 'Go.', ...step }],
  ...more,
});
function compiled(source: JsonObject): { readonly workflow: CompiledWorkflow; readonly warned: readonly string[] } {
  const compilation = compileSource(JSON.stringify(source, null, 1), 'x.json');
  if (!compilation.ok) throw new Error(JSON.stringify(compilation.violations, null, 1));
  return { workflow: compilation.workflow, warned: compilation.warnings.map(({ pointer }) => pointer) };
}
const first = (source: JsonObject): PromptStep => promptsIn(compiled(source).workflow.steps)[0]!;
const assessment: JsonObject = {
  id: 'ready',
  purpose: 'Can it go out?',
  dimensions: [{ id: 'clarity', purpose: 'Is it clear?', levels: ['low', 'high'] }],
};

describe('what stands in place of an object', () => {
  it.each<[string, JsonObject, JsonObject]>([
    [
      'a contract by its name',
      { outputContract: 'wr.contracts.coding_handoff' },
      { outputContract: { contractRef: 'wr.contracts.coding_handoff' } },
    ],
    [
      'a list of contracts',
      { outputContract: ['wr.contracts.gate_verdict'] },
      { outputContract: { contractRef: 'wr.contracts.gate_verdict' } },
    ],
    [
      'a routine by its name',
      { templateCall: 'wr.templates.routine.nowhere' },
      { templateCall: { templateId: 'wr.templates.routine.nowhere' } },
    ],
    ['an empty call beside a prompt', { templateCall: {} }, {}],
    ['a call that is none', { templateCall: false }, {}],
    ['a call of nothing', { templateCall: [] }, {}],
    ['an audit that lists nothing', { audit: [] }, { audit: true }],
    ['what comes after, left blank', { synthesis: ' ' }, {}],
    [
      'a piece of work by its routine',
      { parallelDelegations: ['routine-nowhere'] },
      { parallelDelegations: [{ workflowId: 'routine-nowhere' }] },
    ],
    [
      'a fragment that is a text',
      { promptFragments: ['Mind the gap.'] },
      { promptFragments: [{ text: 'Mind the gap.' }] },
    ],
    [
      'fragments by their names',
      { promptFragments: { gap: { text: 'Mind it.', when: { var: 'a' } } } },
      { promptFragments: [{ id: 'gap', text: 'Mind it.', when: { var: 'a' } }] },
    ],
    [
      'blocks that are one text',
      { prompt: null, promptBlocks: 'Make it safe.' },
      { prompt: null, promptBlocks: { goal: 'Make it safe.' } },
    ],
    [
      'blocks that are a list',
      { prompt: null, promptBlocks: ['Look.', 'Leap.'] },
      { prompt: null, promptBlocks: { procedure: ['Look.', 'Leap.'] } },
    ],
    ['a title over several lines', { title: ['The', ' first '] }, { title: 'The first' }],
    ['a title under the name of a name', { title: null, name: 'The first' }, { title: 'The first' }],
    [
      'conditions in a list',
      { runCondition: [{ var: 'a' }, { var: 'b', equals: 1 }] },
      { runCondition: { and: [{ var: 'a' }, { var: 'b', equals: 1 }] } },
    ],
    [
      'a condition that says that it means the context',
      { runCondition: { var: 'context.size', equals: 'L' } },
      { runCondition: { var: 'size', equals: 'L' } },
    ],
    [
      'a condition that writes its name as a hole',
      { runCondition: { var: '{{ size }}', equals: 'L' } },
      { runCondition: { var: 'size', equals: 'L' } },
    ],
    ['a condition without words', { runCondition: '' }, {}],
    ['agreement in words', { requireConfirmation: 'always' }, { requireConfirmation: true }],
    ['no agreement in words', { requireConfirmation: 'never' }, { requireConfirmation: false }],
    [
      'agreement under several conditions',
      { requireConfirmation: [{ var: 'a' }, { var: 'b' }] },
      { requireConfirmation: { and: [{ var: 'a' }, { var: 'b' }] } },
    ],
  ])('is read: %s', (_, loose, strict) => {
    expect(compiled(around(loose)).workflow).toEqual(compiled(around(strict)).workflow);
  });

  it.each<[string, JsonObject, JsonObject]>([
    ['a file whose name is empty', { name: '', title: 'A title' }, { name: 'A title' }],
    ['a file named by its title', { name: null, title: 'A title' }, { name: 'A title' }],
    ['a reference by its path', { references: ['docs/style.md'] }, { references: [{ source: 'docs/style.md' }] }],
    [
      'references by their ids',
      { references: { style: { source: 'docs/style.md' } } },
      { references: [{ id: 'style', source: 'docs/style.md' }] },
    ],
    [
      'functions by their names',
      { functionDefinitions: { rate: 'Rate it.', sum: { definition: 'Sum it.' } } },
      {
        functionDefinitions: [
          { name: 'rate', definition: 'Rate it.' },
          { name: 'sum', definition: 'Sum it.' },
        ],
      },
    ],
    [
      'guidance by its names',
      { metaGuidance: { scope: 'Keep to the ticket.', style: ['Plain', 'short'] } },
      { metaGuidance: ['scope: Keep to the ticket.', 'style: Plain, short'] },
    ],
    [
      'questions with more than their text',
      { clarificationPrompts: [{ question: 'Which base?' }, { question: 'How far?', options: ['all', 'some'] }] },
      { clarificationPrompts: ['Which base?', 'question: How far?; options: all, some'] },
    ],
    [
      'a feature with more than its name',
      { features: [{ id: 'wr.features.capabilities', config: {} }] },
      { features: ['wr.features.capabilities'] },
    ],
    [
      'a wish for autonomy alone',
      { recommendedPreferences: 'guided' },
      { recommendedPreferences: { recommendedAutonomy: 'guided' } },
    ],
  ])('is read: %s', (_, loose, strict) => {
    expect(compiled(around({}, loose)).workflow).toEqual(compiled(around({}, strict)).workflow);
  });

  it('is read: assessments and dimensions by their names, and what follows in two words', () => {
    const step = { assessmentRefs: ['ready'], assessmentConsequences: [{ when: 'low', effect: 'Ask again.' }] };
    const byName = {
      ready: {
        purpose: 'Can it go out?',
        dimensions: { clarity: { purpose: 'Is it clear?', levels: ['low', 'high'] } },
      },
    };
    expect(first(around(step, { assessments: byName })).assessments).toEqual([
      {
        ...assessment,
        dimensions: [{ ...(assessment['dimensions'] as readonly JsonObject[])[0], required: true }],
        followUps: [{ level: 'low', guidance: 'Ask again.' }],
      },
    ]);
  });

  it('is told to the agent where it is words that nothing can act on', () => {
    expect(first(around({ requireConfirmation: 'when the plan touches money' }))).toMatchObject({
      confirm: true,
      guidance: ['Ask for agreement: when the plan touches money'],
    });
    const { workflow, warned } = compiled(
      around({
        prompt: null,
        promptBlocks: { goal: 'Make it safe.', riskNotes: ['{{size}} counts.'], background: 'It broke twice.' },
      }),
    );
    expect(promptsIn(workflow.steps)[0]!.prompt).toBe(
      '## Goal\nMake it safe.\n\n## riskNotes\n- ${{ context.size }} counts.\n\n## background\nIt broke twice.',
    );
    expect(warned).toEqual(['/steps/0/promptBlocks/riskNotes', '/steps/0/promptBlocks/background']);
  });

  it('is told where it stands beside its other spelling, and is lost', () => {
    expect(compiled(around({ name: 'Another' }, { title: 'Another' })).warned).toEqual(['/steps/0/name', '/title']);
    expect(compiled(around({ title: null, name: 'Another' }, { name: null, title: 'Another' })).warned).toEqual([]);
  });

  it('is what a step says of itself beside its prompt', () => {
    expect(first(around({ description: 'About {{size}}.', guidance: 'Slowly.' }))).toMatchObject({
      prompt: 'Go.',
      guidance: ['Slowly.', 'About ${{ context.size }}.'],
    });
  });

  it('is nothing at all', () => {
    expect(first(around({ guidance: [null, 'Go on.'], outputContract: {} }))).toMatchObject({
      guidance: ['Go on.'],
      outputs: [],
      notes: 'required',
    });
  });

  it('is a title, where a step has nothing else to say', () => {
    const { workflow, warned } = compiled(around({ prompt: null, title: 'Look at {{thing}}', guidance: 'Twice.' }));
    expect(workflow.steps).toMatchObject([{ prompt: 'Look at ${{ context.thing }}', guidance: ['Twice.'] }]);
    expect(warned).toEqual(['/steps/0']);
  });
});

describe('a loop that is written loosely', () => {
  const looped = (loop: JsonValue, more: JsonObject = {}): JsonObject =>
    around({ type: 'loop', prompt: null, loop, body: [{ id: 'two', title: 'Two', prompt: 'Again.' }], ...more });

  it.each<[string, JsonObject, JsonObject]>([
    [
      'a hyphen in its type',
      looped({ type: 'for-each', items: 'things' }),
      looped({ type: 'forEach', items: 'things' }),
    ],
    [
      'a type of another language, and items',
      looped({ type: 'iterate', items: 'things' }),
      looped({ type: 'forEach', items: 'things' }),
    ],
    [
      'a type of another language, and a count',
      looped({ type: 'repeat', count: 2 }),
      looped({ type: 'for', count: 2 }),
    ],
    [
      'a maximum for a count',
      looped({ type: 'for', maxIterations: 3 }),
      looped({ type: 'for', count: 3, maxIterations: 3 }),
    ],
    [
      'who decides in one word',
      looped({ type: 'while', conditionSource: 'artifact_contract', maxIterations: 3 }),
      looped({ type: 'while', conditionSource: { kind: 'artifact_contract' }, maxIterations: 3 }),
    ],
    [
      'a source that is the condition',
      looped({
        type: 'while',
        conditionSource: { kind: 'context_variable', var: 'more', equals: true },
        maxIterations: 3,
      }),
      looped({ type: 'while', condition: { var: 'more', equals: true }, maxIterations: 3 }),
    ],
    [
      'steps for a body',
      looped({ type: 'for', count: 2 }, { body: null, steps: [{ id: 'two', title: 'Two', prompt: 'Again.' }] }),
      looped({ type: 'for', count: 2 }),
    ],
  ])('is read: %s', (_, loose, strict) => {
    expect(compiled(loose).workflow).toEqual(compiled(strict).workflow);
  });
});

describe('what is left empty', () => {
  const folder = fileURLToPath(new URL('../../../fixtures/workrail-json/', import.meta.url));
  /** Without these nothing can run, or something else runs than was meant. */
  const needed = [
    'id',
    'steps',
    'body',
    'loop',
    'type',
    'items',
    'count',
    'templateCall',
    'contractRef',
    'levels',
    'dimensions',
    'assessments',
  ];

  test.each(readdirSync(folder).filter((name) => name.endsWith('.json')))(
    'refuses no file: any optional field of %s',
    (file) => {
      const source = JSON.parse(readFileSync(folder + file, 'utf8')) as JsonObject;
      let tried = 0;
      for (const path of optionalPlaces(source)) {
        for (const empty of [null, '', [], {}, [null]] as const) {
          const compilation = compileSource(JSON.stringify(withAt(source, path, empty)), file);
          expect(
            compilation.ok ? [] : compilation.violations.filter(({ severity }) => severity === 'error'),
            `${path.join('/')} is ${JSON.stringify(empty)}`,
          ).toEqual([]);
          tried += 1;
        }
      }
      expect(tried).toBeGreaterThan(20);
    },
  );

  function* optionalPlaces(
    value: JsonValue,
    path: readonly (string | number)[] = [],
  ): Generator<readonly (string | number)[]> {
    if (Array.isArray(value))
      for (const [index, item] of (value as readonly JsonValue[]).entries())
        yield* optionalPlaces(item, [...path, index]);
    else if (isJsonObject(value))
      for (const [key, item] of Object.entries(value)) {
        if (!needed.includes(key)) yield [...path, key];
        yield* optionalPlaces(item, [...path, key]);
      }
  }

  function withAt(value: JsonValue, [step, ...rest]: readonly (string | number)[], by: JsonValue): JsonValue {
    if (step === undefined) return by;
    if (Array.isArray(value))
      return (value as readonly JsonValue[]).map((item, index) => (index === step ? withAt(item, rest, by) : item));
    return Object.fromEntries(
      Object.entries(value as JsonObject).map(([key, item]) => [key, key === step ? withAt(item, rest, by) : item]),
    );
  }
});
