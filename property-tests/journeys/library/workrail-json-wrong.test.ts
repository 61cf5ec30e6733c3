import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/base/json-value.js';
import { compileSource } from '../../../src/definitions/compile-source.js';
import { compiledWorkflow } from '../../../src/definitions/compiled/compiled-workflow.js';
import type { CompiledStep } from '../../../src/definitions/compiled/compiled-workflow.js';
import { expressionTree } from '../../../src/definitions/expression/expression-tree.js';
import { isWorkrailJson } from '../../../src/definitions/source/is-workrail-json.js';
import { pinWorkflow, readPin } from '../../../src/definitions/compiled/pin.js';
import { placesOf } from '../../../src/definitions/compiled/place.js';
import { parseSource } from '../../../src/definitions/source/source-document.js';
import { templateExpressions, unclosedHole } from '../../../src/definitions/expression/template.js';
import { compileWorkrailJson } from '../../../src/definitions/workrail-json/workrail-json.js';
import { promptsIn, stepsIn } from '../../../src/definitions/compiled/visit-steps.js';
import { around, compiled, documents, first, routines } from '../../worlds/workrail-json-world.js';

describe('a file that is not right', () => {
  it.each<[string, JsonObject, string]>([
    ['no steps', { ...around({}), steps: [] }, 'missing'],
    ['an id that no file can have', { ...around({}), id: 'Wrong Id' }, 'format'],
    ['a step with nothing to do', around({ title: '', prompt: '' }), 'body'],
    [
      'an unknown contract',
      around({ outputContract: { contractRef: 'wr.contracts.loop_controls' } }),
      'unknown_contract',
    ],
    ['an unknown assessment', around({ assessmentRefs: ['nothing'] }), 'unknown_assessment'],
    [
      'a body that is not there',
      around({ type: 'loop', loop: { type: 'for', count: 2 }, body: 'nothing' }),
      'unknown_step',
    ],
    ['a loop in itself', around({ type: 'loop', loop: { type: 'for', count: 2 }, body: 'one' }), 'unknown_step'],
    [
      'a loop of no kind',
      around({ type: 'loop', loop: { type: 'forever' }, body: [{ id: 'two', prompt: 'x' }] }),
      'choice',
    ],
    [
      'a loop over nothing',
      around({ type: 'loop', loop: { type: 'forEach' }, body: [{ id: 'two', prompt: 'x' }] }),
      'missing',
    ],
    ['a condition that is none', around({ runCondition: [1] }), 'condition'],
    ['a step that is none', { ...around({}), steps: ['one'] }, 'type'],
  ])('says %s, and where', (_, source, rule) => {
    const compilation = compiled(source);
    if (compilation.ok) throw new Error('it compiled');
    const errors = compilation.violations.filter(({ severity }) => severity === 'error');
    expect(errors.map((violation) => violation.rule)).toContain(rule);
    for (const { line, column } of errors) expect([line, column]).toEqual([expect.any(Number), expect.any(Number)]);
    expect(compilation).toMatchObject({ id: source['id'], title: 'X' });
  });

  it.each([
    ['My Flow', 'my-flow'],
    ['team/Review', 'team-review'],
    ['a.b.c', 'a.b-c'],
    ['', 'x'],
  ])('says which id was meant by %j', (id, closest) => {
    const compilation = compiled({ ...around({}), id });
    expect(
      compilation.ok ? [] : compilation.violations.map((violation) => [violation.rule, violation.closest]),
    ).toEqual([['format', closest]]);
  });

  it('says all that is wrong at once, each with what was probably meant', () => {
    const compilation = compiled({
      ...around({ assessmentRefs: ['redines'], outputContract: { contractRef: 'wr.contracts.gate_verdic' } }),
      assessments: [{ id: 'readiness', purpose: 'p', dimensions: [{ id: 'd', purpose: 'p', levels: ['a', 'b'] }] }],
    });
    expect(compilation).toMatchObject({
      ok: false,
      violations: [
        { closest: 'readiness', pointer: '/steps/0/assessmentRefs/0' },
        { closest: 'wr.contracts.gate_verdict', pointer: '/steps/0/outputContract/contractRef' },
      ],
    });
  });

  it.each<[string, JsonObject, string]>([
    ['a text that is an object', around({ title: { a: 1 } }), 'type'],
    ['unknown keys', around({ promt: 'x' }), 'unknown_key'],
    ['keys that change nothing here', around({}, { autoRecognitionPatterns: ['x'] }), 'ignored_key'],
    ['unknown functions', around({ functionReferences: ['nothing()'] }), 'unknown_function'],
    ['unknown features', around({}, { features: ['wr.features.nothing'] }), 'unknown_feature'],
    ['a missing id', { ...around({}), steps: [{ title: 'A', prompt: 'a' }] }, 'format'],
    ['an id that a path cannot hold', around({ id: 'a/b@2' }), 'format'],
    [
      'two steps of one id',
      {
        ...around({}),
        steps: [
          { id: 'one', title: 'A', prompt: 'a' },
          { id: 'one', title: 'B', prompt: 'b' },
        ],
      },
      'duplicate_id',
    ],
    [
      'an id used again in a loop',
      {
        ...around({}),
        steps: [
          { id: 'one', prompt: 'a' },
          { id: 'two', type: 'loop', loop: { type: 'for', count: 1 }, body: [{ id: 'one', prompt: 'b' }] },
        ],
      },
      'duplicate_id',
    ],
    [
      'a loop without an end',
      around({ type: 'loop', loop: { type: 'while', maxIterations: 2 }, body: [{ id: 'two', prompt: 'x' }] }),
      'loop_exit',
    ],
    [
      'a delegate without a routine',
      around({ parallelDelegations: [{ workflowId: 'routine-nothing' }] }),
      'unknown_routine',
    ],
    [
      'a rule that cannot be kept to',
      around({ validationCriteria: [{ type: 'regex', pattern: '(?=a)' }] }),
      'notes_rule',
    ],
    [
      'a level that nothing has',
      around(
        {
          assessmentRefs: ['r'],
          assessmentConsequences: [
            { when: { anyEqualsLevel: 'lo' }, effect: { kind: 'require_followup', guidance: 'g' } },
          ],
        },
        { assessments: [{ id: 'r', purpose: 'p', dimensions: [{ id: 'd', purpose: 'p', levels: ['low', 'high'] }] }] },
      ),
      'assessment',
    ],
    ['a length that nothing has', around({ validationCriteria: [{ type: 'length', min: 50, max: 10 }] }), 'notes_rule'],
    [
      'an unknown template',
      around({ templateCall: { templateId: 'wr.templates.routine.nothing' } }),
      'unknown_routine',
    ],
    [
      'a template without its argument',
      around({ templateCall: { templateId: 'wr.templates.routine.fresh-eyes' } }),
      'argument',
    ],
    ['an unknown extension point', around({ prompt: '{{wr.bindings.nothing}}' }), 'extension_point'],
    [
      'a contract under another name',
      around({ outputContract: { contractRef: 'wr.loop_control' } }),
      'unknown_contract',
    ],
    [
      'a loop that does not say its type',
      around({ type: 'loop', loop: { items: 'things' }, body: [{ id: 'two', prompt: 'x' }] }),
      'missing',
    ],
    ['a long prompt', around({ prompt: 'word '.repeat(2000) }), 'long_prompt'],
    ['a very long prompt', around({ prompt: 'word '.repeat(50_000) }), 'long_prompt'],
    ['no description', { id: 'wr.x', steps: [{ id: 'one', prompt: 'a' }] }, 'no_description'],
  ])('only warns of %s', (_, source, rule) => {
    const compilation = compiled(source);
    expect(compilation).toMatchObject({ ok: true });
    expect(compilation.ok && compilation.warnings.map((warning) => warning.rule)).toContain(rule);
  });

  it('takes lines in a list for a text, and loses nothing that it can tell', () => {
    expect(first({ prompt: ['One.', 'Two.'], guidance: 'Only one.', agentRole: 5 })).toMatchObject({
      prompt: 'One.\nTwo.',
      guidance: ['Only one.'],
      role: '5',
    });
    expect(first({ guidance: [{ text: 'Odd' }, { a: { b: 1 } }] })).toMatchObject({
      guidance: ['Odd', '{"a":{"b":1}}'],
    });
  });

  it('grows no further than a workflow may, whatever is put into its steps', () => {
    const body = Array.from({ length: 500 }, (_, at): JsonObject => ({ id: `b-${at}`, prompt: 'x' }));
    expect(
      compiled(around({ type: 'loop', loop: { type: 'for', count: 2 }, guidance: ['long '.repeat(40_000)], body })),
    ).toMatchObject({ ok: false, violations: [{ rule: 'limit' }] });
    const odd = around({
      prompt: `{{${'a.'.repeat(50_000)}${'{{ '.repeat(50_000)}`,
      runCondition: { or: Array.from({ length: 20_000 }, (_, at) => ({ var: `v${at}`, equals: at })) },
      functionReferences: Array.from({ length: 5000 }, (_, at) => `f${at}()`),
    });
    expect(compiled(odd)).toMatchObject({ ok: false });
  });

  it('is told from our own format', () => {
    expect(isWorkrailJson({ id: 'x', steps: [] })).toBe(true);
    expect(isWorkrailJson({ workflow: 'x', id: 'x', steps: [] })).toBe(false);
    expect(isWorkrailJson({ workflow: 'x', steps: [] })).toBe(false);
    expect(isWorkrailJson({ title: 'x', steps: [] })).toBe(false);
    const nameless = Object.fromEntries(Object.entries(around({})).filter(([key]) => key !== 'id'));
    expect(compileSource(JSON.stringify(nameless), 'flows/tidy-up.json')).toMatchObject({
      ok: false,
      violations: [{ rule: 'format', message: 'flows/tidy-up.json says no `id`; did you mean `tidy-up`?' }],
    });
  });
});

/** Every place in a value, as a path. */
function* placesIn(value: JsonValue, path: readonly (string | number)[] = []): Generator<readonly (string | number)[]> {
  yield path;
  if (Array.isArray(value))
    for (const [index, item] of (value as readonly JsonValue[]).entries()) yield* placesIn(item, [...path, index]);
  else if (isJsonObject(value)) for (const [key, item] of Object.entries(value)) yield* placesIn(item, [...path, key]);
}

function replaced(value: JsonValue, [step, ...rest]: readonly (string | number)[], by: JsonValue): JsonValue {
  if (step === undefined) return by;
  if (Array.isArray(value))
    return (value as readonly JsonValue[]).map((item, index) => (index === step ? replaced(item, rest, by) : item));
  return Object.fromEntries(
    Object.entries(value as JsonObject).map(([key, item]) => [key, key === step ? replaced(item, rest, by) : item]),
  );
}

function expressionsIn(step: CompiledStep): readonly (string | undefined)[] {
  if (step.kind !== 'prompt')
    return [
      step.if,
      ...(step.kind === 'loop'
        ? ['test' in step.loop ? step.loop.test : 'list' in step.loop ? step.loop.list : undefined]
        : []),
      ...stepsIn(step).flatMap(expressionsIn),
    ];
  const texts = [
    step.title,
    step.role ?? '',
    step.prompt,
    ...step.guidance,
    ...(step.fragments ?? []).map(({ text }) => text),
    ...(step.delegates ?? []).flatMap(({ title, goal, text }) => [title, goal, text]),
  ];
  for (const text of texts) expect(unclosedHole(text), text).toBeUndefined();
  return [
    step.if,
    step.confirmIf,
    ...[...(step.fragments ?? []), ...(step.delegates ?? [])].map((part) => part.if),
    ...texts.flatMap((text) => templateExpressions(text).map(({ source }) => source)),
  ];
}

it('takes whatever stands anywhere in a file: it compiles to something that can be run, or says where it is wrong', () => {
  const places = [...documents.values()].flatMap(({ value }) => [...placesIn(value)].map((path) => ({ value, path })));
  const odd = fc.oneof(
    fc.constantFrom<JsonValue>(
      null,
      true,
      false,
      0,
      -1,
      1e9,
      '',
      ' ',
      'x',
      '${{',
      '{{',
      '{{a.b}} ${{ c }} {d}',
      '{{wr.bindings.x}}',
      '{{wr.refs.x}}',
      'a/b@1',
      '__proto__',
      'constructor',
      [],
      {},
      [[]],
      [null],
      ['x', 'x'],
      { var: 'a' },
      { and: [] },
      { kind: 'text', text: 'x' },
    ),
    fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<JsonValue>,
    fc
      .constantFrom(...places)
      .map(({ value, path }) => path.reduce<JsonValue>((inner, step) => (inner as JsonObject)[step] ?? null, value)),
  );
  fc.assert(
    fc.property(fc.constantFrom(...places), odd, ({ value, path }, by) => {
      const source = replaced(value, path, by);
      const document = parseSource(JSON.stringify(source), 'x.json');
      if (!document.ok || !isJsonObject(source)) return;
      const compilation = compileWorkrailJson(document.value, 'x.json', routines);
      if (!compilation.ok) {
        expect(compilation.violations.some(({ severity }) => severity === 'error')).toBe(true);
        return;
      }
      const { workflow } = compilation;
      expect(compiledWorkflow.safeParse(workflow).error).toBeUndefined();
      expect(readPin(pinWorkflow(workflow).text, pinWorkflow(workflow).hash).ok).toBe(true);
      expect(workflow.steps.length).toBeGreaterThan(0);
      const ids = [...placesOf(workflow).keys()];
      expect(ids.length).toBe(new Set(ids).size);
      for (const expression of workflow.steps.flatMap(expressionsIn))
        if (expression !== undefined) expect(expressionTree(expression).ok, expression).toBe(true);
      for (const step of promptsIn(workflow.steps)) expect(step.prompt).not.toBe('');
    }),
    { numRuns: 1000 },
  );
}, 60_000);
