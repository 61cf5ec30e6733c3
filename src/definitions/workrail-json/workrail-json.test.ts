import { describe, expect, it } from 'vitest';
import { expectTimeInStep, expectTimeWithin } from '../../../property-tests/worlds/time-in-step.js';
import {
  around,
  compiled,
  documents,
  files,
  first,
  objectOf,
  parsed,
  promptsOf,
  routines,
  workflowOf,
} from '../../../property-tests/worlds/workrail-json-world.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json-value.js';
import { compileSource } from '../compile-source.js';
import { contextReads } from '../expression/context-reads.js';
import { compiledWorkflow } from '../compiled/compiled-workflow.js';
import { promptsIn } from '../compiled/visit-steps.js';
import type { CompiledStep, PromptStep } from '../compiled/compiled-workflow.js';
import { evaluate } from '../expression/expression.js';
import { isWorkrailJson } from '../source/is-workrail-json.js';
import { pinWorkflow, readPin } from '../compiled/pin.js';
import { compileWorkrailJson } from './workrail-json.js';
import type { FindRoutine } from './workrail-surroundings.js';

describe.each(files)('%s', (file) => {
  it('compiles into a form that can be pinned and read again', () => {
    const workflow = workflowOf(file);
    expect(isWorkrailJson(objectOf(documents.get(file)!))).toBe(true);
    expect(compiledWorkflow.safeParse(workflow).error).toBeUndefined();
    const pin = pinWorkflow(workflow);
    expect(readPin(pin.text, pin.hash)).toEqual({ ok: true, value: JSON.parse(JSON.stringify(workflow)) as unknown });
    for (const step of promptsIn(workflow.steps)) expect(step.id).not.toMatch(/[/@]/u);
  });

  it('keeps every text of its author', () => {
    const kept = [...stringsIn(JSON.parse(JSON.stringify(workflowOf(file))) as JsonValue)].map(comparable).join('\n');
    for (const { path, text } of authoredIn(documents.get(file)!.value))
      for (const piece of comparable(text).split('…')) expect(kept, path).toContain(piece.trim());
  });
});

/** Holes, whatever they are written like, as an ellipsis. */
function comparable(text: string): string {
  return text
    .replaceAll('${{ "${{" }}', '${{')
    .replaceAll(/\$\{\{ (?:context|current|slice|package)[^}]*\}\}|\{\{[\w.]+\}\}|(?<![{$"])\{\w+\}/gu, '…');
}

function* stringsIn(value: JsonValue): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (typeof value === 'object' && value !== null)
    for (const inner of Object.values(value as JsonObject)) yield* stringsIn(inner);
}

/** Words that say how the file is to be read, and nothing that an agent could be told. */
const grammar = [
  'type',
  'kind',
  'flags',
  'scope',
  'resolveFrom',
  'metricsProfile',
  'modelTier',
  'autoRecognitionPatterns',
  'surprise',
  'templateId',
  'loopId',
  'contractRef',
  'slotId',
  'acceptedKinds',
  'about',
  'body',
  'functionReferences',
  'features',
  'forAssessment',
  'indexVar',
  'iterationVar',
  'assessmentRefs',
  'workflowId',
];

function* authoredIn(value: JsonValue, path = ''): Generator<{ readonly path: string; readonly text: string }> {
  // The condition of a loop that an artifact ends is passed over, with a warning.
  if (typeof value === 'string' && value !== 'keepWriting') yield { path, text: value };
  else if (Array.isArray(value))
    for (const [at, item] of (value as readonly JsonValue[]).entries()) yield* authoredIn(item, `${path}/${at}`);
  else if (isJsonObject(value))
    for (const [key, item] of Object.entries(value))
      if (!grammar.includes(key) && !(path.includes('extensionPoints') && key === 'purpose'))
        yield* authoredIn(item, `${path}/${key}`);
}

it('reads a file in step with its size', async () => {
  const fileOf = (length: number) => {
    const steps = Array.from({ length }, (_, at): JsonObject => ({
      id: `step-${at}`,
      title: `Step ${at}`,
      prompt: `Do {{thing${at}}} well. `.repeat(40),
      runCondition: {
        and: [
          { var: `v${at}`, equals: 'Large' },
          { var: 'w', in: [at, 'x'] },
        ],
      },
    }));
    return parsed(JSON.stringify({ ...around({}), steps }));
  };
  const [small, large] = [fileOf(4), fileOf(64)];
  await expectTimeInStep((size) => {
    expect(compileWorkrailJson(size === 64 ? large : small, 'x.json', routines).ok).toBe(true);
  }, 64);
});

describe('the workflow', () => {
  it('says when to choose it, what to keep to, and what to settle', () => {
    expect(workflowOf('change-intake.json')).toMatchObject({
      id: 'wr.change-intake',
      kind: 'workflow',
      title: 'Take in a change request',
      description: expect.stringMatching(
        /^Use this when .*\n\nA short intake .*\n\nFor example: Should we .*; A customer/su,
      ),
      guidance: ['Read before you estimate.', 'Say what you do not know.'],
      preconditions: [expect.any(String), expect.any(String)],
      clarify: [expect.any(String), expect.any(String)],
      recommends: { autonomy: 'guided', riskPolicy: 'conservative' },
    });
    expect(workflowOf('routine-fresh-eyes.json').kind).toBe('routine');
    expect(
      workflowOf(
        around(
          {},
          { recommendedPreferences: { recommendedAutonomy: 'never_stop', recommendedRiskPolicy: 'aggressive' } },
        ),
      ).recommends,
    ).toEqual({ autonomy: 'full_auto_never_stop', riskPolicy: 'aggressive' });
    expect(compiled(around({}, { recommendedPreferences: { recommendedAutonomy: 'constructor' } }))).toMatchObject({
      ok: true,
      warnings: [{ rule: 'choice' }],
    });
  });

  it('names its references, and tells those of a package apart', () => {
    expect(workflowOf('legacy_helpers.json').references).toEqual([
      {
        id: 'style',
        title: 'House style',
        path: 'docs/style.md',
        purpose: 'How texts are written',
        authoritative: true,
      },
      { id: 'notes', title: 'Notes', path: 'docs/notes.md', authoritative: false },
    ]);
    expect(workflowOf('calls-routines.json').references).toMatchObject([
      { id: 'choosing', purpose: expect.stringContaining('package') },
    ]);
  });

  it('gives functions to the steps that refer to them or call them, and to everybody what nobody does', () => {
    const steps = promptsOf('legacy_helpers.json');
    expect(steps.get('rate')?.functions?.map(({ name }) => name)).toEqual(['rateIt', 'explain']);
    expect(steps.get('mention')?.functions?.map(({ name }) => name)).toEqual(['explain']);
    expect(steps.get('own')?.functions).toEqual([{ name: 'sumUp', params: [], text: 'Three lines, no more.' }]);
    expect(workflowOf('legacy_helpers.json').guidance).toContain(
      'restFirst(): Before any long answer, stop and read it once.',
    );
  });
});

describe('a prompt', () => {
  it('has its blocks in one order, with snippets, extension points and features in them', () => {
    const steps = promptsOf('in-blocks.json');
    const { prompt, guidance } = steps.get('gather')!;
    expect([...prompt.matchAll(/^## (.*)$/gmu)].map(([, heading]) => heading)).toEqual([
      'Goal',
      'Constraints',
      'Procedure',
      'Output Required',
      'Verify',
    ]);
    expect(prompt).toContain('1. List what is known about ${{ context.subject }}.\n2. Add what the search finds.');
    expect(prompt).toContain('- **candidates**: a list of names\n- **notesMarkdown**: why each');
    expect(prompt).toContain('- Every one has a source. ');
    expect(guidance.length).toBeGreaterThan(0);
    expect(steps.get('rate')!.prompt).toMatch(
      /^## Goal\nRate each candidate on three levels, from weak to strong\.\n\n## Constraints\nRate what was seen, and not what is hoped for\.\n\n- /u,
    );
    expect(steps.get('choose')!.prompt).not.toContain('wr.refs');
    expect(workflowOf('in-blocks.json').provenance).toContainEqual({
      at: '/steps/0/prompt',
      from: 'snippet wr.refs.notes_first_durability',
    });
    expect(steps.get('gather')!.fragments).toEqual([
      {
        id: 'thorough',
        if: 'wr_equals(wr_get(context, "rigor"), "THOROUGH")',
        text: 'Look into the archives of ${{ context.subject }} as well.',
      },
      { id: 'always', text: 'Keep the list where you can find it again.' },
    ]);
  });

  it('says features for the whole run where no prompt has blocks', () => {
    expect(workflowOf('many-hands.json').guidance.length).toBeGreaterThan(3);
  });

  it('stands for an unknown snippet by its name', () => {
    const compilation = compiled(around({ prompt: 'Go. {{wr.refs.look_twice}}' }));
    expect(compilation).toMatchObject({
      ok: true,
      workflow: { steps: [{ prompt: 'Go. Mind this: look twice.' }] },
      warnings: [{ rule: 'unknown_snippet' }],
    });
  });
});

describe('what is handed back', () => {
  it.each<[string, JsonObject, Partial<PromptStep>]>([
    ['notes, when nothing is said', {}, { notes: 'required', confirm: false }],
    ['no notes, when they are optional', { notesOptional: true }, { notes: 'optional' }],
    [
      'a contract instead of notes',
      { outputContract: { contractRef: 'wr.contracts.gate_verdict' } },
      { notes: 'optional', outputs: [expect.objectContaining({ kind: 'wr.gate_verdict', required: true })] },
    ],
    [
      'a contract that may be left out',
      { outputContract: { contractRef: 'wr.contracts.gate_verdict', required: false } },
      { outputs: [expect.objectContaining({ required: false })] },
    ],
    ['agreement', { requireConfirmation: true }, { confirm: true }],
    ['no agreement', { requireConfirmation: false }, { confirm: false }],
    [
      'agreement under a condition',
      { requireConfirmation: { var: 'a', equals: 1 } },
      { confirm: true, confirmIf: 'wr_equals(wr_get(context, "a"), 1)' },
    ],
    [
      'agreement under a condition of its own',
      { requireConfirmation: { condition: { var: 'a' } } },
      { confirm: true, confirmIf: 'wr_true(wr_get(context, "a"))' },
    ],
    ['agreement of somebody', { requireConfirmation: { kind: 'human_approval' } }, { confirm: true }],
    [
      'agreement of a coordinator under a condition',
      { requireConfirmation: { kind: 'coordinator_eval', condition: { var: 'a' } } },
      { confirm: true, confirmIf: 'wr_true(wr_get(context, "a"))', guidance: [expect.stringContaining('coordinator')] },
    ],
    ['one rule', { validationCriteria: { type: 'contains', value: 'X' } }, { rules: [{ contains: 'X' }] }],
    [
      'several words',
      { validationCriteria: { type: 'Contains', value: ['X', 'Y'] } },
      { rules: [{ contains: 'X' }, { contains: 'Y' }] },
    ],
    [
      'a length',
      { validationCriteria: [{ type: 'length', min: 2, max: 9 }] },
      { rules: [{ minLength: 2 }, { maxLength: 9 }] },
    ],
    [
      'a pattern',
      { validationCriteria: [{ type: 'regex', pattern: '^a', flags: 'gi' }] },
      { rules: [{ matches: '(?i)^a' }] },
    ],
    [
      'rules within rules',
      {
        validationCriteria: {
          or: [
            {
              and: [
                { type: 'contains', value: 'A' },
                { type: 'contains', value: 'B' },
              ],
            },
            { not: { type: 'contains', value: 'C' } },
          ],
        },
      },
      { rules: [{ any: [{ all: [{ contains: 'A' }, { contains: 'B' }] }, { not: { contains: 'C' } }] }] },
    ],
    [
      'what an author says of a rule',
      { validationCriteria: [{ type: 'contains', value: 'X', message: 'Say X' }] },
      { guidance: ['The notes are checked: Say X'] },
    ],
  ])('is %s', (_, step, expected) => {
    expect(first(step)).toMatchObject(expected);
  });

  it('is an assessment, with what follows from it', () => {
    expect(promptsOf('judged.json').get('assess')?.assessments).toMatchObject([
      {
        id: 'readiness',
        dimensions: [
          { id: 'clarity', required: true },
          { id: 'evidence', required: false },
        ],
        followUps: [{ level: 'low', guidance: 'Ask for what is unclear, then assess once more.' }],
      },
      { id: 'exposure', followUps: [{ level: 'many' }] },
    ]);
  });

  it('asks for a conditional criterion, and does not enforce it', () => {
    expect(promptsOf('judged.json').get('extras')).toMatchObject({
      rules: [],
      guidance: ['Where paid is true: the notes must contain "Cost": Costs are named'],
    });
  });
});

describe('a loop', () => {
  const loops = (file: string): readonly CompiledStep[] => workflowOf(file).steps.filter(({ kind }) => kind === 'loop');

  it('is of every kind, with its names', () => {
    expect(loops('slice-by-slice.json')).toMatchObject([
      {
        id: 'each-slice',
        loop: { type: 'foreach', list: 'context.slices', as: 'currentSlice' },
        counter: 'sliceNumber',
        index: 'sliceIndex',
        max: 20,
      },
      { id: 'polish', loop: { type: 'repeat', times: 'context.passes' }, counter: 'currentIteration', max: 3 },
      {
        id: 'twice',
        loop: { type: 'repeat', times: 2 },
        counter: 'package_',
        steps: [{ prompt: 'Round ${{ package_ }}.' }],
      },
      {
        id: 'questions-loop',
        loop: { type: 'while', test: 'wr_gt(wr_get(context, "openQuestions"), 0)' },
        if: 'wr_gt(wr_get(context, "openQuestions"), 0)',
      },
      { id: 'until-green', loop: { type: 'until', test: 'wr_equals(wr_get(context, "build"), "green")' } },
    ]);
    expect(loops('rounds.json')).toMatchObject([{ loop: { type: 'control' } }, { loop: { type: 'control' } }]);
  });

  it('takes a step of the top level as its body, and only there', () => {
    const workflow = workflowOf('slice-by-slice.json');
    expect(workflow.steps.map(({ id }) => id)).not.toContain('settle-question');
    expect(workflow.steps.find(({ id }) => id === 'questions-loop')).toMatchObject({
      steps: [{ id: 'settle-question', prompt: expect.stringContaining('${{ currentIteration }}') }],
    });
  });

  it('hands its guidance to every step, and its confirmation to the last', () => {
    const steps = promptsOf('slice-by-slice.json');
    for (const id of ['build-slice', 'check-slice'])
      expect(steps.get(id)?.guidance).toEqual([
        'Part of “Slices of ${{ context.featureBranch }}”.',
        'One slice is one commit.',
      ]);
    expect(steps.get('mend-build')?.confirm).toBe(true);
  });

  it('that an artifact ends has a step that may hand it back', () => {
    const body = [
      { id: 'aa', title: 'A', prompt: 'a' },
      { id: 'bb', title: 'B', prompt: 'b' },
    ];
    const compilation = compiled(
      around({
        type: 'loop',
        prompt: 'Rounds.',
        loop: {
          type: 'while',
          conditionSource: { kind: 'artifact_contract', contractRef: 'wr.contracts.loop_control', loopId: 'x' },
          maxIterations: 2,
        },
        body,
      }),
    );
    expect(compilation).toMatchObject({
      ok: true,
      workflow: {
        steps: [
          {
            steps: [
              { prompt: 'Rounds.\n\na', outputs: [] },
              { outputs: [{ kind: 'wr.loop_control', required: false }] },
            ],
          },
        ],
      },
      warnings: [{ rule: 'loop_exit' }],
    });
  });
});

describe('a call', () => {
  it('puts the steps of a routine in its place', () => {
    const workflow = workflowOf('calls-routines.json');
    expect(workflow.steps.map(({ id, title, if: condition }) => [id, title, condition])).toEqual([
      ['frame', 'Frame the decision', undefined],
      [
        'weigh.draw-up',
        'Options for the decision about ${{ context.topic }}',
        'wr_equals(wr_get(context, "stakes"), "high")',
      ],
      [
        'weigh.attack.look',
        'Look at both options for the decision about ${{ context.topic }}',
        'wr_equals(wr_get(context, "stakes"), "high") && !wr_equals(wr_get(context, "rigor"), "QUICK")',
      ],
      [
        'weigh.attack.tell',
        'Tell',
        'wr_equals(wr_get(context, "stakes"), "high") && !wr_equals(wr_get(context, "rigor"), "QUICK")',
      ],
      ['weigh.pick', 'Pick one', 'wr_equals(wr_get(context, "stakes"), "high")'],
      ['record', 'Record it', undefined],
    ]);
    const steps = promptsOf('calls-routines.json');
    expect(steps.get('weigh.draw-up')).toMatchObject({
      confirm: false,
      prompt:
        'Draw up two options for the decision about ${{ context.topic }}, 2 paragraphs each. Write JSON such as {"a": 1} as it is.',
    });
    expect(steps.get('weigh.pick')).toMatchObject({
      confirm: true,
      guidance: [
        'Part of “Weigh the options”.',
        'An option nobody could want is not an option.',
        'Stay with the question that was framed.',
      ],
    });
    expect(workflow.provenance).toContainEqual({ at: '/steps/2', from: 'routine routine-fresh-eyes' });
  });

  it('gives a sub-agent the whole of a routine', () => {
    const [eyes, options, nobody] = promptsOf('many-hands.json').get('spread')!.delegates!;
    expect(eyes).toMatchObject({
      title: 'Fresh eyes',
      goal: 'Find what ${{ context.subject }} takes for granted',
      text: expect.stringMatching(
        /Given:\n- constraints: \$\{\{ context\.limitsOfSubject \}\}\n- what: the subject.*read, search.*Mind \$\{\{ context\.limitsOfSubject \}\}\..*doubt\(what\).*at least 20 characters/su,
      ),
    });
    expect(options).toMatchObject({
      if: 'wr_equals(wr_get(context, "rigor"), "THOROUGH")',
      text: expect.stringContaining('docs/choosing.md'),
    });
    expect(nobody).toMatchObject({
      goal: 'Do what only a person can do',
      text: expect.stringContaining('routine-of-nobody'),
    });
    expect(promptsOf('many-hands.json').get('area-spread')!.delegates).toMatchObject([
      { goal: 'Look at ${{ currentItem }}', text: expect.stringContaining('### 1. Look at ${{ currentItem }}') },
    ]);
  });

  it('may not lead back to itself, however many files it goes through', async () => {
    const calling = (id: string, ...others: readonly string[]): JsonObject => ({
      id: `routine-${id}`,
      name: id,
      description: 'd',
      version: '1.0.0',
      steps: others.map((other, at) => ({
        id: `call-${at}`,
        title: 'Call',
        templateCall: { templateId: `wr.templates.routine.${other}` },
      })),
    });
    const find =
      (all: readonly JsonObject[]): FindRoutine =>
      (id) => {
        const one = all.find((some) => some['id'] === id);
        return one && { source: () => one };
      };
    const round = [calling('a', 'b'), calling('b', 'a')];
    expect(compiled(round[0]!, find(round))).toMatchObject({
      ok: false,
      violations: [{ rule: 'cycle', line: 1, message: expect.stringContaining('routine-a → routine-b → routine-a') }],
    });
    expect(compiled(calling('a', 'a'), find([calling('a', 'a')]))).toMatchObject({
      ok: false,
      violations: [{ rule: 'cycle' }],
    });
    // Ten calls of ten calls of ten: told, and not worked through.
    const wide = ['b', 'c', 'd', 'e', 'f'].map((id, at, all) =>
      all[at + 1] === undefined
        ? { ...calling(id), steps: [{ id: 'end', title: 'End', prompt: 'x' }] }
        : calling(id, ...Array.from({ length: 10 }, () => all[at + 1]!)),
    );
    const ofDepth = (depth: number) => (): void => {
      expect(
        compiled(calling('a', ...Array.from({ length: 10 }, () => 'bcdef'.at(-depth)!)), find(wide)),
      ).toMatchObject({
        ok: false,
        violations: expect.arrayContaining([expect.objectContaining({ rule: 'limit' })]),
      });
    };
    await expectTimeWithin(8, ofDepth(5), ofDepth(3));
  });
});

describe('a routine of our own format', () => {
  const yaml = `
workflow: project.two_sides
kind: routine
title: Two sides
description: Use this to see both sides.
version: 1.0.0
guidance: [ "Be fair to \${{ inputs.subject }}." ]
inputs:
  subject: { type: string, required: true, description: What has two sides }
  depth: { type: integer, default: 1 }
steps:
  - { id: first, prompt: "The first side of \${{ inputs.subject }}, \${{ inputs.depth + 1 }} lines." }
  - { id: second, prompt: "The second side." , output: { contract: wr.contracts.findings } }
`;
  const own: FindRoutine = (id) =>
    id === 'project.two_sides'
      ? { source: () => parsed(yaml, 'x.yaml').value, compile: () => compileSource(yaml, 'x.yaml') }
      : undefined;
  const calling = (args: JsonObject, more: JsonObject = {}): JsonObject =>
    around({
      templateCall: { templateId: 'wr.templates.routine.two-sides', args },
      prompt: undefined as never,
      ...more,
    });

  it('stands where a template names it, with arguments for inputs', () => {
    const compilation = compiled(
      calling(
        { Subject: 'the {{plan}}', depth: '2' },
        { runCondition: { var: 'size', equals: 'Large' }, requireConfirmation: true },
      ),
      own,
    );
    expect(compilation).toMatchObject({
      ok: true,
      warnings: [],
      workflow: {
        steps: [
          {
            kind: 'group',
            id: 'one',
            if: 'wr_equals(wr_get(context, "size"), "Large")',
            steps: [
              {
                id: 'one-first',
                confirm: false,
                prompt: 'The first side of ${{ "the " + string(context.plan) }}, ${{ 2.0 + 1 }} lines.',
              },
              { id: 'one-second', confirm: true },
            ],
          },
        ],
        provenance: [
          { at: '/steps/0', from: 'routine project.two_sides' },
          { at: '/steps/0/steps/1/outputs/0', from: 'contract wr.contracts.findings' },
        ],
      },
    });
  });

  it('is told what it lacks and what it does not know, and works all the same', () => {
    const compilation = compiled(calling({ subjet: 'x', depth: 'deep' }), own);
    expect(compilation).toMatchObject({
      ok: true,
      warnings: expect.arrayContaining(
        [
          { rule: 'argument', closest: 'subject' },
          { rule: 'argument', message: expect.stringContaining('What has two sides') },
        ].map((one) => expect.objectContaining({ rule: one.rule })),
      ),
    });
    expect(JSON.stringify(compilation)).toContain('(What has two sides)');
  });

  it('is given to a sub-agent in full', () => {
    expect(
      first(
        {
          parallelDelegations: [
            { workflowId: 'routine-two-sides', args: { subject: 'the {{plan}}' }, modelTier: 'heavy' },
          ],
        },
        {},
        own,
      ).delegates,
    ).toMatchObject([
      {
        title: 'Two sides',
        goal: 'Use this to see both sides.',
        text: expect.stringMatching(/“heavy”.*The first side of \$\{\{ "the " \+ string\(context\.plan\) \}\}/su),
      },
    ]);
  });
});

it('says what a missing routine was meant for, with all that it was given', () => {
  const step = first({
    templateCall: { templateId: 'wr.templates.routine.look-around', args: { where: 'the {{place}}', depth: 2 } },
    prompt: undefined as never,
    guidance: ['Be quick.'],
  });
  expect(step).toMatchObject({
    id: 'one',
    title: 'One',
    prompt: expect.stringMatching(/look-around.*Given:\n- where: the \$\{\{ context\.place \}\}\n- depth: 2/su),
    guidance: ['Be quick.'],
    notes: 'required',
  });
});

it('goes by the last of two equal keys, and says so', () => {
  const compilation = compileSource(
    '{"id": "wr.x", "name": "X", "description": "d", "steps": [{"id": "one", "prompt": "a", "prompt": "b"}]}',
    'x.json',
  );
  expect(compilation).toMatchObject({
    ok: true,
    workflow: { steps: [{ prompt: 'b' }] },
    warnings: [{ rule: 'duplicate_key', line: 1 }],
  });
  expect(compileSource('{"workflow": "team.x", "title": "X", "title": "Y", "steps": []}', 'x.json')).toMatchObject({
    ok: false,
  });
});

it('takes a loop over a list that nobody could have set for one over nothing', () => {
  const loop = (type: JsonObject, before: readonly JsonObject[] = []): CompiledStep =>
    workflowOf({
      ...around({}),
      steps: [
        ...before,
        { id: 'go-over', type: 'loop', title: 'L', loop: type, body: [{ id: 'body-step', prompt: 'x' }] },
      ],
    }).steps.at(-1)!;
  expect(loop({ type: 'forEach', items: 'things' })).toMatchObject({
    loop: { list: 'has(context.things) ? context.things : []' },
  });
  expect(loop({ type: 'forEach', items: 'affected-areas' })).toMatchObject({
    loop: { list: 'has(context["affected-areas"]) ? context["affected-areas"] : []' },
  });
  expect(loop({ type: 'for', count: 'in' })).toMatchObject({
    loop: { times: 'has(context["in"]) ? context["in"] : 0' },
  });
  expect(loop({ type: 'for', count: 'n.m' })).toMatchObject({ loop: { times: 'has(context.n.m) ? context.n.m : 0' } });
  expect(
    loop({ type: 'forEach', items: 'things' }, [{ id: 'perhaps', prompt: 'x', runCondition: { var: 'a' } }]),
  ).toMatchObject({ loop: { list: expect.stringContaining('has(') } });
  expect(loop({ type: 'forEach', items: 'things' }, [{ id: 'surely', prompt: 'x' }])).toMatchObject({
    loop: { list: 'context.things' },
  });
  expect(contextReads('has(context.things) && context.n > 1 ? context.things : []')).toMatchObject([
    { key: 'things', type: 'array', guarded: true },
    { key: 'n' },
  ]);
  expect(loop({ type: 'forEach', items: 'odd things' }, [{ id: 'surely', prompt: 'x' }])).toMatchObject({
    loop: { list: 'context["odd things"]' },
  });
});

it('goes over a list that stands in the file, up to a length', () => {
  const over = (items: readonly JsonValue[]): JsonObject =>
    around({
      type: 'loop',
      loop: { type: 'forEach', items: [...items], itemVar: 'file' },
      body: [{ id: 'deep', prompt: '{{file.path}}' }],
    });
  const many = Array.from({ length: 200 }, (_, at): JsonObject => ({
    path: `src/some/folder/${at}.ts`,
    size: 1e19 + at,
    note: 'a "quoted"\nline',
  }));
  const step = workflowOf(over(many)).steps[0]!;
  const list = step.kind === 'loop' && step.loop.type === 'foreach' ? step.loop.list : '';
  expect(evaluate(list, { inputs: {}, context: {}, outputs: {}, names: {} })).toEqual({ ok: true, value: many });
  expect(compiled(over([...many, ...many, ...many]))).toMatchObject({
    ok: false,
    violations: [{ rule: 'limit', pointer: '/steps/0/loop/items' }],
  });
});

it('takes a list that an element of another lacks for one of nothing', () => {
  const inner = (loop: JsonObject): JsonObject => ({
    id: 'inner',
    type: 'loop',
    loop,
    body: [{ id: 'deep', prompt: '{{part}}' }],
  });
  const outer = (loop: JsonObject): CompiledStep =>
    workflowOf(
      around({ type: 'loop', loop: { type: 'forEach', items: ['x'], itemVar: 'module' }, body: [inner(loop)] }),
    ).steps[0]!;
  expect(outer({ type: 'forEach', items: 'module.parts', itemVar: 'part' })).toMatchObject({
    steps: [{ loop: { list: 'has(module.parts) ? module.parts : []' } }],
  });
  expect(outer({ type: 'for', count: '{{module.times}}' })).toMatchObject({
    steps: [{ loop: { times: 'has(module.times) ? module.times : 0' } }],
  });
  expect(outer({ type: 'forEach', items: 'module', itemVar: 'part' })).toMatchObject({
    steps: [{ loop: { list: 'module' } }],
  });
});

it('keeps the name of a hole in an id', () => {
  expect(workflowOf({ ...around({}), steps: [{ id: 'build-{{slice.name}}', prompt: 'x' }] }).steps).toMatchObject([
    { id: 'build-slice.name' },
  ]);
});

it('passes on what an author wishes of a step', () => {
  const step = first(
    {
      askForFiles: true,
      modelTier: 'heavy',
      functionCalls: ['rate(x)', { name: 'sum', args: { of: 'it' } }, 5],
      expectedOutput: { a: 1 },
    },
    {
      modelTier: 'mid',
      functionDefinitions: [
        { name: 'rate', definition: 'Rate it.' },
        { name: 'sum', definition: 'Sum it.' },
      ],
    },
  );
  expect(step.guidance).toEqual([
    'Expected output: {"a":1}',
    expect.stringContaining('files'),
    'Call rate(x).',
    'Call sum with {"args":{"of":"it"}}.',
    'Call 5.',
    expect.stringContaining('heavy'),
  ]);
  expect(step.functions?.map(({ name }) => name)).toEqual(['rate', 'sum']);
});

describe('what generated files have brought to light', () => {
  const loopOf = (loop: JsonObject, body: readonly JsonObject[] = [{ id: 'body-step', prompt: 'x' }]): CompiledStep =>
    workflowOf(around({ type: 'loop', loop, body })).steps[0]!;

  it('a condition that says nothing holds: it ends an `until`, and never a `while`', () => {
    expect(loopOf({ type: 'until', condition: {}, maxIterations: 2 })).toMatchObject({
      loop: { type: 'until', test: 'true' },
    });
    expect(
      loopOf({
        type: 'until',
        conditionSource: { kind: 'context_variable', condition: { and: [] } },
        maxIterations: 2,
      }),
    ).toMatchObject({ loop: { test: 'true' } });
    expect(loopOf({ type: 'while', condition: {}, maxIterations: 2 })).toMatchObject({ loop: { test: 'true' } });
    expect(loopOf({ type: 'until', maxIterations: 2 })).toMatchObject({ loop: { test: 'false' } });
  });

  it('the word that ends a loop is asked of a step of its own, and of none in a loop inside of it', () => {
    const inner = { id: 'inner', type: 'loop', loop: { type: 'for', count: 2 }, body: [{ id: 'deep', prompt: 'x' }] };
    const source = { type: 'while', conditionSource: { kind: 'artifact_contract' }, maxIterations: 2 };
    expect(loopOf(source, [{ id: 'own', prompt: 'x' }, inner])).toMatchObject({
      steps: [{ id: 'own', outputs: [{ kind: 'wr.loop_control' }] }, { steps: [{ id: 'deep', outputs: [] }] }],
    });
    expect(loopOf(source, [inner])).toMatchObject({ loop: { type: 'control' }, steps: [{ steps: [{ outputs: [] }] }] });
  });

  it('agreement that a loop asks for is asked for after each of its rounds, whatever its last step says', () => {
    const asked = (outer: JsonValue, inner: JsonValue): Partial<PromptStep> => {
      const { confirm, confirmIf = 'always' } = first({
        type: 'loop',
        prompt: null as never,
        requireConfirmation: outer,
        loop: { type: 'for', count: 2 },
        body: [{ id: 'two', prompt: 'x', requireConfirmation: inner }],
      });
      return { confirm, ...(confirm && { confirmIf }) };
    };
    const [a, b] = [{ var: 'a' }, { var: 'b' }];
    expect(asked(true, a)).toEqual({ confirm: true, confirmIf: 'always' });
    expect(asked(a, true)).toEqual({ confirm: true, confirmIf: 'always' });
    expect(asked(a, b)).toEqual({
      confirm: true,
      confirmIf: 'wr_true(wr_get(context, "b")) || wr_true(wr_get(context, "a"))',
    });
    expect(asked(false, b)).toEqual({ confirm: true, confirmIf: 'wr_true(wr_get(context, "b"))' });
    expect(asked(a, false)).toEqual({ confirm: true, confirmIf: 'wr_true(wr_get(context, "a"))' });
    expect(asked(false, false)).toEqual({ confirm: false });
  });

  it('what a loop says is told inside of it, with the names of its own round', () => {
    const loop = { type: 'forEach', items: ['x'], itemVar: 'slice', iterationVar: 'nth' };
    const step = first({
      type: 'loop',
      title: 'Slice {{slice.name}}',
      prompt: 'Round {{nth}}.',
      guidance: ['Keep to {{slice.name}} of {{size}}.'],
      agentRole: 'Owner of {{slice.name}}',
      requireConfirmation: { var: 'nth', gt: 1 },
      promptFragments: [{ when: { var: 'slice.risky' }, text: '{{slice.risk}}' }],
      loop,
      body: [{ id: 'two', prompt: 'Go.' }],
    });
    expect(step).toMatchObject({
      prompt: 'Round ${{ nth }}.\n\nGo.',
      role: 'Owner of ${{ wr_part(slice, "name") }}',
      guidance: [
        'Part of “Slice ${{ wr_part(slice, "name") }}”.',
        'Keep to ${{ wr_part(slice, "name") }} of ${{ context.size }}.',
      ],
      confirmIf: 'wr_gt(nth, 1)',
      fragments: [{ if: 'wr_true(wr_get(slice, "risky"))', text: '${{ wr_part(slice, "risk") }}' }],
    });
  });

  it('a sub-agent is told how often a loop goes round, in the words that its texts use', () => {
    const briefed = (loop: JsonObject): string => {
      const routine = {
        id: 'routine-two',
        name: 'R',
        description: 'd',
        steps: [
          {
            id: 'rounds',
            type: 'loop',
            title: 'Rounds',
            loop,
            body: [{ id: 'look', prompt: 'Round {{currentIteration}} of {{slice}} in {{area}}.' }],
          },
        ],
      };
      const step = first(
        {
          parallelDelegations: [
            { workflowId: 'routine-two', goal: 'g', contextMapping: { place: 'area', slice: 'slice' } },
          ],
        },
        {},
        (id) => (id === 'routine-two' ? { source: () => routine } : undefined),
      );
      return step.delegates![0]!.text;
    };
    expect(briefed({ type: 'forEach', items: 'slices', itemVar: 'slice', maxIterations: 4 })).toMatch(
      /Once for each slice of slices, at most 4 times:.*Round \{\{currentIteration\}\} of \{\{slice\}\} in \$\{\{ context\.place \}\}\./su,
    );
    expect(briefed({ type: 'for', count: 2 })).toMatch(/2 times:.*of \$\{\{ context\.slice \}\}/su);
    expect(briefed({ type: 'while', condition: { var: 'open', gt: 0 }, maxIterations: 5 })).toContain(
      'As long as open is more than 0, asked before each round, at most 5 times:',
    );
    expect(briefed({ type: 'until', condition: { var: 'done', equals: true }, maxIterations: 5 })).toContain(
      'Until done is true, asked after each round, at most 5 times:',
    );
    expect(briefed({ type: 'while', conditionSource: { kind: 'artifact_contract' }, maxIterations: 5 })).toContain(
      'until another would bring nothing new',
    );
  });

  it.each(['routine-two', 'routine_two', 'wr.routine.two', 'project.routine-two', 'user.routine_two', 'repo.two'])(
    'a routine is found under the id %s',
    (id) => {
      const routine = { id, name: 'R', description: 'd', steps: [{ id: 'look', prompt: 'Look.' }] };
      const find: FindRoutine = (asked) => (asked === id ? { source: () => routine } : undefined);
      expect(
        first({ templateCall: { templateId: 'wr.templates.routine.two' }, prompt: null as never }, {}, find).prompt,
      ).toBe('Look.');
      expect(
        first({ parallelDelegations: [{ workflowId: 'routine-two', goal: 'g' }] }, {}, find).delegates?.[0]?.text,
      ).toContain('Look.');
    },
  );

  it('a sub-agent gets what is mapped for it wherever its routine writes an argument', () => {
    const routine = {
      id: 'routine-two',
      name: 'R',
      description: 'd',
      preconditions: ['It is {focus}.'],
      clarificationPrompts: ['How far?'],
      steps: [{ id: 'look', prompt: 'Look at {focus} for {why}, {{focus}} for {{ why }}, {{other}}.' }],
    };
    const step = first(
      {
        parallelDelegations: [
          { workflowId: 'routine-two', goal: 'g', contextMapping: { area: 'focus' }, args: { why: 'fun' } },
        ],
      },
      {},
      (id) => (id === 'routine-two' ? { source: () => routine } : undefined),
    );
    expect(step.delegates?.[0]?.text).toContain(
      'Look at ${{ context.area }} for fun, ${{ context.area }} for fun, {{other}}.',
    );
    expect(step.delegates?.[0]?.text).toContain(
      '- Make sure of this first: It is ${{ context.area }}.\n- Settle this first: How far?',
    );
  });

  it('a list of texts in a block is not run together', () => {
    expect(
      first({
        prompt: null as never,
        promptBlocks: { goal: ['One.', 'Two.'], outputRequired: { files: ['a.ts', 'b.ts'] } },
      }).prompt,
    ).toBe('## Goal\nOne.\nTwo.\n\n## Output Required\n- **files**: a.ts\nb.ts');
  });

  it('what a loop defines may be referred to inside of it', () => {
    const lone = { name: 'lone', definition: 'Alone.' };
    const body = [{ id: 'two', prompt: 'x', functionReferences: ['lone()'] }];
    expect(
      compiled(
        around({
          type: 'loop',
          prompt: null as never,
          functionDefinitions: [lone],
          loop: { type: 'for', count: 1 },
          body,
        }),
      ),
    ).toMatchObject({
      ok: true,
      warnings: [],
      workflow: { guidance: [], steps: [{ steps: [{ functions: [{ name: 'lone' }] }] }] },
    });
  });

  it('what is settled before a routine stands in whichever of its steps runs first', () => {
    const routine = {
      id: 'routine-two',
      name: 'R',
      description: 'd',
      preconditions: ['Ready.'],
      steps: [
        { id: 'perhaps', prompt: 'a', runCondition: { var: 'x' } },
        { id: 'surely', prompt: 'b' },
        { id: 'later', prompt: 'c' },
      ],
    };
    const steps = promptsIn(
      workflowOf(around({ prompt: 'Intro.', templateCall: { templateId: 'wr.templates.routine.two' } }), (id) =>
        id === 'routine-two' ? { source: () => routine } : undefined,
      ).steps,
    );
    expect(steps.map(({ prompt, guidance }) => [prompt, guidance.includes('Make sure of this first: Ready.')])).toEqual(
      [
        ['Intro.\n\na', true],
        ['Intro.\n\nb', true],
        ['c', false],
      ],
    );
  });
});

describe('what follows a step', () => {
  it('is a step of its own', () => {
    expect(
      workflowOf('many-hands.json')
        .steps.slice(-4)
        .map(({ id, title }) => [id, title]),
    ).toEqual([
      ['combine', 'Combine'],
      ['combine__verification', 'Verification: Combine'],
      ['combine__audit', 'Audit the whole'],
      ['combine__synthesis', 'Synthesis: Combine'],
    ]);
    expect(promptsOf('many-hands.json').get('combine__audit')?.prompt).toBe(
      'Look for what nobody looked at.\n\n**instructions**:\n- Start with the dull parts.\n- End with the dangerous ones.',
    );
  });
});

describe('what an author of the format may rely on', () => {
  const warningsOf = (
    source: JsonObject,
  ): readonly { readonly rule: string; readonly pointer: string; readonly message: string }[] => {
    const compilation = compiled(source);
    if (!compilation.ok) throw new Error(JSON.stringify(compilation.violations));
    return compilation.warnings;
  };
  const looped = (loop: JsonObject, body: JsonObject): JsonObject =>
    around({
      type: 'loop',
      prompt: null,
      loop: { maxIterations: 3, ...loop },
      body: [{ id: 'turn', title: 'Turn', prompt: 'Go {{currentIndex}} {{at}}.', ...body }],
    });

  it.each<JsonObject>([
    { type: 'while', condition: { var: 'more' } },
    { type: 'until', condition: { var: 'done' } },
    { type: 'for', count: 2 },
    { type: 'forEach', items: 'things' },
  ])('an index in a loop %j', (loop) => {
    expect(promptsIn(workflowOf(looped(loop, {})).steps)[0]!.prompt).toContain(
      'Go ${{ currentIndex }} ${{ context.at }}.',
    );
    expect(workflowOf(looped(loop, {})).steps[0]).toMatchObject({ index: 'currentIndex' });
    expect(promptsIn(workflowOf(looped({ ...loop, indexVar: 'at' }, {})).steps)[0]!.prompt).toContain('${{ at }}.');
  });

  it('the index of a list, in a loop inside of it', () => {
    const inner = {
      type: 'loop',
      prompt: null,
      loop: { type: 'while', condition: { var: 'more' }, maxIterations: 2 },
      body: [{ id: 'deep', title: 'Deep', prompt: '{{currentIndex}}' }],
    };
    const outer = workflowOf(looped({ type: 'forEach', items: 'things' }, inner)).steps[0];
    expect(outer).toMatchObject({ index: 'currentIndex', steps: [{ kind: 'loop', steps: [{ id: 'deep' }] }] });
    expect(outer?.kind === 'loop' && outer.steps[0]).not.toHaveProperty('index');
  });

  it('a word where something is passed over or printed as it is', () => {
    expect(warningsOf(looped({ type: 'while', condition: { var: 'more' }, itemVar: 'thing' }, {}))).toMatchObject([
      { rule: 'ignored_key', pointer: '/steps/0/loop/itemVar' },
    ]);
    expect(warningsOf(around({ prompt: 'Item {{itemIndex > 1}} of {{count + 1}}.' }))).toMatchObject([
      {
        rule: 'template',
        pointer: '/steps/0/prompt',
        message: expect.stringContaining('`{{itemIndex > 1}}` is not a name'),
      },
    ]);
    expect(
      warningsOf(
        around(
          { prompt: '{{wr.bindings.how}}' },
          { extensionPoints: [{ slotId: 'how', purpose: 'How to go about it', default: 'Go slowly.' }] },
        ),
      ),
    ).toMatchObject([{ rule: 'ignored_key', pointer: '/extensionPoints/0/purpose' }]);
    expect(
      warningsOf(
        around(
          { prompt: '{{wr.bindings.how}}' },
          { extensionPoints: [{ slotId: 'how', purpose: 'How to go about it' }] },
        ),
      ),
    ).toEqual([]);
  });

  it('what is said of the parameters of a function', () => {
    const step = (parameters: JsonValue): PromptStep =>
      first({ prompt: 'Call rate(x).', functionDefinitions: [{ name: 'rate', definition: 'Rate it.', parameters }] });
    expect(step([{ name: 'x', type: 'string', description: 'What to rate' }, { name: 'y' }, 'z']).functions).toEqual([
      { name: 'rate', params: ['x', 'y', 'z'], text: 'Rate it.\nx: What to rate' },
    ]);
    expect(step({ x: { description: 'What to rate' }, y: 'How hard' }).functions?.[0]?.text).toBe(
      'Rate it.\nx: What to rate\ny: How hard',
    );
  });
});
