import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../base/json-value.js';
import type { Compilation, Routines } from './compilation.js';
import { compileSource } from '../compile-source.js';
import type { CompiledStep, CompiledWorkflow, PromptStep } from '../compiled/compiled-workflow.js';
import { everyStep, promptsIn } from '../compiled/visit-steps.js';
import { delegatePieces } from './delegate-pieces.js';
import { evaluate, evaluateCondition } from '../expression/expression.js';
import { expressionTree, type ExpressionTree } from '../expression/expression-tree.js';
import { pinWorkflow } from '../compiled/pin.js';
import { printExpression } from '../expression/print-expression.js';
import { renderTemplate } from '../expression/template.js';

/** Sources by id, each compiled when it is asked for, as a library does it. */
function routinesOf(sources: { readonly [id: string]: string }): Routines {
  const open = new Set<string>();
  const done = new Map<string, Compilation>();
  const find: Routines = Object.assign(
    (id: string) =>
      Object.hasOwn(sources, id)
        ? {
            file: `${id}.yaml`,
            source: () => undefined,
            compile: () => {
              if (open.has(id)) return undefined;
              open.add(id);
              const compilation = done.get(id) ?? compileSource(sources[id]!, `${id}.yaml`, find);
              done.set(id, compilation);
              open.delete(id);
              return compilation;
            },
          }
        : undefined,
    { ids: () => Object.keys(sources) },
  );
  return find;
}

const compile = (text: string, sources: { readonly [id: string]: string } = {}): Compilation =>
  compileSource(text, 'main.yaml', routinesOf(sources));
const compiled = (text: string, sources: { readonly [id: string]: string } = {}): CompiledWorkflow => {
  const result = compile(text, sources);
  if (!result.ok) throw new Error(JSON.stringify(result.violations, null, 1));
  return result.workflow;
};
const rulesOf = (text: string, sources: { readonly [id: string]: string } = {}): readonly unknown[] => {
  const result = compile(text, sources);
  return result.ok
    ? []
    : result.violations
        .filter(({ severity }) => severity === 'error')
        .map(({ rule, line, column }) => [rule, line, column]);
};
const flat = (steps: readonly CompiledStep[]): readonly CompiledStep[] => [...everyStep(steps)].map(({ step }) => step);
const prompts = (workflow: CompiledWorkflow): readonly PromptStep[] => promptsIn(workflow.steps);
const routine = (steps: string, inputs = '{ x: { type: any } }'): string =>
  `workflow: team.r\nkind: routine\ntitle: R\ndescription: D\ninputs: ${inputs}\nsteps:\n${steps}`;
const caller = (given: string, before = ''): string =>
  `workflow: team.x\ndescription: D\nsteps:\n${before}  - id: c\n    call: team.r\n    with: ${given}\n`;

describe('a call', () => {
  it('becomes a group of the routine’s steps, with everything the routine says', () => {
    const workflow = compiled(
      'workflow: team.x\ndescription: D\nuses: [wr.features.capabilities]\nreferences: [ { id: a, title: A, path: a.md } ]\nsteps:\n  - { id: first, prompt: Go. }\n  - { id: c, if: context.big, call: team.r, with: { focus: "${{ context.focus }}" } }\n  - { id: last, if: "has(outputs.first)", prompt: "${{ outputs[\\"c-look\\"].notes }}" }\n',
      {
        'team.r':
          'workflow: team.r\nkind: routine\ntitle: Look closely\ndescription: D\nguidance: [ "Mind ${{ inputs.focus }}." ]\npreconditions: [ A diff. ]\nclarify: [ Which? ]\nreferences: [ { id: a, title: B, path: b.md } ]\ninputs: { focus: { type: string, required: true }, depth: { type: integer, default: 2 } }\nsteps:\n  - { id: look, title: "Look at ${{ inputs.focus }}", prompt: "Depth ${{ inputs.depth }}, half ${{ inputs.depth / 4 }}.", output: { contract: wr.contracts.loop_control } }\n  - { id: again, if: has(outputs.look.notes) && inputs.depth > 1, prompt: Again. }\n',
      },
    );
    const group = workflow.steps[1];
    expect(group).toMatchObject({ kind: 'group', id: 'c', title: 'Look closely', if: 'context.big' });
    const [, look, again] = prompts(workflow);
    expect(look).toMatchObject({
      id: 'c-look',
      title: 'Look at ${{ context.focus }}',
      prompt: 'Depth 2, half ${{ 2.0 / 4 }}.',
    });
    expect(look?.guidance.slice(0, 3)).toEqual([
      'Mind ${{ context.focus }}.',
      'Make sure of this first: A diff.',
      'Settle this first: Which?',
    ]);
    expect(again).toMatchObject({ id: 'c-again', if: 'has(outputs["c-look"].notes) && 2.0 > 1' });
    expect(again?.guidance[0]).toBe('Mind ${{ context.focus }}.');
    expect(workflow.references).toEqual([
      { id: 'a', title: 'A', path: 'a.md', authoritative: false },
      { id: 'team.r.a', title: 'B', path: 'b.md', authoritative: false },
    ]);
    expect(workflow.provenance?.filter(({ from }) => !from.startsWith('feature'))).toEqual([
      { at: '/references/1', from: 'routine team.r' },
      { at: '/steps/1', from: 'routine team.r' },
      { at: '/steps/1/steps/0/outputs/0', from: 'contract wr.contracts.loop_control' },
    ]);
    for (const { at, from } of workflow.provenance ?? [])
      if (from.startsWith('feature'))
        expect(
          at
            .slice(1)
            .split('/')
            .reduce<unknown>((value, key) => (value as { readonly [key: string]: unknown })[key], workflow),
        ).toEqual(expect.any(String));
  });

  it.each([
    ['text', '"a"', 'inputs.x + "inputs.x"', '"a" + "inputs.x"'],
    ['a member', '"${{ context.k }}"', 'has(inputs.x) && inputs.x == 1', 'has(context.k) && context.k == 1'],
    ['a literal under has', '1', 'has(inputs.x)', 'true'],
    [
      'an operator inside a tighter one',
      '"${{ context.a + context.b }}"',
      'inputs.x * 2',
      '(context.a + context.b) * 2',
    ],
    [
      'a choice inside a choice',
      '"${{ context.a ? 1 : 2 }}"',
      'inputs.x ? inputs.x : 3',
      '(context.a ? 1 : 2) ? (context.a ? 1 : 2) : 3',
    ],
    [
      'a variable of the same name',
      '"${{ context.k }}"',
      'context.list.map(inputs, inputs.x)',
      'context.list.map(inputs, inputs.x)',
    ],
    [
      'a macro that would hide a name',
      '"${{ item.k }}"',
      'context.list.filter(item, item.x == inputs.x)',
      'context.list.filter(item_c, item_c.x == item.k)',
    ],
    ['a whole object', '{ k: "${{ context.k }}", l: [1, "b"] }', 'inputs.x.k', '{"k": context.k, "l": [1.0, "b"]}.k'],
    ['text around a hole', '"a ${{ context.k }} b"', 'inputs.x == "y"', '"a " + string(context.k) + " b" == "y"'],
    ['the inputs as a whole', '1', 'size(inputs) > 0', 'size({"x": 1.0}) > 0'],
    ['an input under another name of the context', '1', 'context.inputs.x == inputs.x', 'context.inputs.x == 1.0'],
    ['a worked out step', '1', 'has(outputs[context.s])', 'has(outputs["c-" + context.s])'],
  ])('replaces %s in the tree', (_, given, source, expected) => {
    const workflow = compiled(
      caller(`{ x: ${given} }`)
        .replace('  - id: c\n    call', '  - id: loop\n    foreach: context.items\n    steps:\n    - id: c\n      call')
        .replace('\n    with', '\n      with'),
      { 'team.r': routine(`  - { id: a, prompt: '\${{ ${source} }}' }`) },
    );
    expect(prompts(workflow)[0]?.prompt).toBe(expected === 'true' ? expected : `\${{ ${expected} }}`);
  });

  it('leaves an input that was not given one that is not there', () => {
    const [step] = prompts(
      compiled(caller('{}'), { 'team.r': routine('  - { id: a, prompt: "${{ inputs.x }}", if: "!has(inputs.x)" }') }),
    );
    expect(step).toMatchObject({ if: '!false', prompt: '${{ {}.x }}' });
    expect(
      renderTemplate(step!.prompt, { inputs: { x: 'not mine' }, context: {}, outputs: {}, names: {} }).problems,
    ).toHaveLength(1);
  });

  it('keeps the names of the caller’s loops apart from those of the routine', () => {
    const source =
      'workflow: team.x\ndescription: D\nsteps:\n  - id: outer\n    foreach: context.areas\n    as: area\n    steps:\n      - { id: c, call: team.r, with: { x: "${{ area.name }} ${{ iteration }}" } }\n';
    const workflow = compiled(source, {
      'team.r': routine(
        '  - id: inner\n    foreach: context.list\n    as: area\n    steps: [ { id: a, prompt: "${{ area }} of ${{ inputs.x }} in ${{ iteration }}" } ]',
      ),
    });
    expect(workflow.steps[0]).toMatchObject({ kind: 'loop', counter: 'iteration_of_outer', loop: { as: 'area' } });
    const inner = flat(workflow.steps).find(({ id }) => id === 'c-inner');
    expect(inner).toMatchObject({ loop: { as: 'area_c' } });
    expect(prompts(workflow)[0]?.prompt).toBe(
      '${{ area_c }} of ${{ string(area.name) + " " + string(iteration_of_outer) }} in ${{ iteration }}',
    );
  });

  it('does not let given text become a hole', () => {
    const given = ['${{ "$" }}', '{ context.k }}', '$', '{{ x }}', '', '${{ "${{ context.k }}" }}'];
    for (const text of given) {
      const [step] = prompts(
        compiled(
          `{"workflow":"team.x","description":"d","steps":[{"id":"c","call":"team.r","with":{"x":${JSON.stringify(text.startsWith('${{') ? text : `\${{ ${JSON.stringify(text)} }}`)}}}]}`,
          { 'team.r': routine('  - { id: a, prompt: "$${{ inputs.x }}{ a ${{ inputs.x }}" }') },
        ),
      );
      const plain = text === '${{ "$" }}' ? '$' : text === '${{ "${{ context.k }}" }}' ? '${{ context.k }}' : text;
      expect(renderTemplate(step!.prompt, { inputs: {}, context: { k: 'WRONG' }, outputs: {}, names: {} })).toEqual({
        text: `$${plain}{ a ${plain}`,
        problems: [],
      });
    }
  });

  it('goes into calls of calls', () => {
    const workflow = compiled(caller('{ x: 3 }'), {
      'team.r': routine('  - { id: d, call: team.s, with: { y: "${{ inputs.x + 1 }}" } }'),
      'team.s':
        'workflow: team.s\nkind: routine\ndescription: D\ninputs: { y: { type: number } }\nsteps: [ { id: a, prompt: "${{ inputs.y }}" }, { id: b, if: has(outputs.a), prompt: b } ]',
    });
    expect(flat(workflow.steps).map(({ id }) => id)).toEqual(['c', 'c-d', 'c-d-a', 'c-d-b']);
    expect(flat(workflow.steps)[2]).toMatchObject({ prompt: '${{ 3.0 + 1 }}' });
    expect(flat(workflow.steps)[3]).toMatchObject({ if: 'has(outputs["c-d-a"])' });
    expect(workflow.provenance).toEqual([
      { at: '/steps/0', from: 'routine team.r' },
      { at: '/steps/0/steps/0', from: 'routine team.s' },
    ]);
  });

  it.each<[string, string, { readonly [id: string]: string }, readonly unknown[]]>([
    ['an unknown routine', caller('{}'), {}, [['routine', 5, 11]]],
    ['a broken routine', caller('{}'), { 'team.r': routine('  - { id: a }') }, [['routine', 5, 11]]],
    [
      'a missing input',
      caller('{}'),
      { 'team.r': routine('  - { id: a, prompt: "${{ inputs.x }}" }', '{ x: { type: string, required: true } }') },
      [['missing', 5, 5]],
    ],
    [
      'an unknown input',
      caller('{ y: 1 }'),
      { 'team.r': routine('  - { id: a, prompt: "${{ inputs.x }}" }') },
      [['unknown_key', 6, 13]],
    ],
    [
      'a wrong type',
      caller('{ x: text }'),
      { 'team.r': routine('  - { id: a, prompt: "${{ inputs.x }}" }', '{ x: { type: integer } }') },
      [['value', 6, 16]],
    ],
    [
      'a name that the caller has not',
      caller('{ x: "${{ area.x }}" }'),
      { 'team.r': routine('  - { id: a, prompt: "${{ inputs.x }}" }') },
      [['expression', 6, 17]],
    ],
    [
      'a call of itself',
      'workflow: team.r\ndescription: D\nkind: routine\nsteps: [ { id: c, call: team.s } ]',
      { 'team.s': 'workflow: team.s\nkind: routine\ndescription: D\nsteps: [ { id: c, call: team.s } ]' },
      [['call_cycle', 4, 25]],
    ],
    [
      'a circle',
      caller('{}'),
      {
        'team.r': routine('  - { id: a, call: team.s }', '{}'),
        'team.s': routine('  - { id: a, call: team.r }', '{}').replace('team.r', 'team.s'),
      },
      [['call_cycle', 5, 11]],
    ],
    [
      'an id that the routine brings',
      'workflow: team.x\ndescription: D\nsteps:\n  - { id: c-a, prompt: p }\n  - { id: c, call: team.r }',
      { 'team.r': routine('  - { id: a, prompt: p }', '{}') },
      [['duplicate_id', 5, 5]],
    ],
    [
      'an expression that grows too long',
      caller(`{ x: "${'y'.repeat(1500)}" }`),
      { 'team.r': routine('  - { id: a, prompt: p, if: inputs.x == inputs.x }') },
      [['routine', 5, 11]],
    ],
    [
      'outputs as a whole',
      caller('{}'),
      { 'team.r': routine('  - { id: a, prompt: p, if: size(outputs) > 0 }', '{}') },
      [['routine', 5, 11]],
    ],
    [
      'fields of a prompt on a call',
      `${caller('{}')}    role: r\n`,
      { 'team.r': routine('  - { id: a, prompt: p }', '{}') },
      [['body', 7, 5]],
    ],
    [
      'with without call',
      'workflow: team.x\ndescription: D\nsteps: [ { id: a, prompt: p, with: {} } ]',
      {},
      [['body', 3, 30]],
    ],
    [
      'a delegate without a routine that is given something',
      'workflow: team.x\ndescription: D\nsteps: [ { id: a, delegate: [ { goal: G, with: {} } ] } ]',
      {},
      [['body', 3, 42]],
    ],
    [
      'a delegate of an unknown routine',
      'workflow: team.x\ndescription: D\nsteps: [ { id: a, delegate: [ { goal: G, routine: team.r } ] } ]',
      {},
      [['routine', 3, 51]],
    ],
  ])('refuses %s', (_, text, sources, expected) => {
    expect(rulesOf(text, sources)).toEqual(expected);
  });

  it('is the same whatever the order of what it is given', () => {
    const sources = {
      'team.r': routine(
        '  - { id: a, prompt: "${{ inputs.x }} ${{ inputs.y }} ${{ inputs }}", sets: { b: { type: any }, a: { type: any } } }',
        '{ y: { type: any }, x: { type: any } }',
      ),
    };
    const other = {
      'team.r': routine(
        '  - { id: a, prompt: "${{ inputs.x }} ${{ inputs.y }} ${{ inputs }}", sets: { a: { type: any }, b: { type: any } } }',
        '{ x: { type: any }, y: { type: any } }',
      ),
    };
    const one = compiled(caller('{ x: { k: 1, l: 2 }, y: 1 }'), sources);
    expect(pinWorkflow(compiled(caller('{ y: 1, x: { l: 2, k: 1 } }'), other)).hash).toBe(pinWorkflow(one).hash);
    const spread = (given: string): string =>
      `workflow: team.x\ndescription: D\nsteps: [ { id: s, delegate: [ { routine: team.r, goal: G, with: ${given} } ] } ]`;
    expect(pinWorkflow(compiled(spread('{ y: 1, x: { l: 2, k: 1 } }'), other)).hash).toBe(
      pinWorkflow(compiled(spread('{ x: { k: 1, l: 2 }, y: 1 }'), sources)).hash,
    );
    expect(pinWorkflow(compiled(caller('{ x: { k: 1, l: 3 }, y: 1 }'), sources)).hash).not.toBe(pinWorkflow(one).hash);
  });

  it('ends in bounded time where calls multiply', () => {
    const doubling = Object.fromEntries(
      Array.from({ length: 60 }, (_, at) => [
        `team.r${at}`,
        `workflow: team.r${at}\nkind: routine\ndescription: D\nsteps:\n${at === 0 ? '  - { id: a, prompt: p }' : `  - { id: a, call: team.r${at - 1} }\n  - { id: b, call: team.r${at - 1} }`}`,
      ]),
    );
    expect(rulesOf('workflow: team.x\ndescription: D\nsteps: [ { id: c, call: team.r59 } ]', doubling)).toEqual([
      ['routine', 3, 25],
    ]);
    const large = `workflow: team.r\nkind: routine\ndescription: D\nsteps:\n${Array.from({ length: 10 }, (_, at) => `  - { id: s${at}, prompt: ${'x'.repeat(60_000)} }`).join('\n')}`;
    const many = `workflow: team.x\ndescription: D\nsteps:\n${Array.from({ length: 150 }, (_, at) => `  - { id: c${at}, call: team.r }`).join('\n')}`;
    expect(rulesOf(many, { 'team.r': large }).slice(0, 1)).toEqual([['limit', 10, 21]]);
  });
});

describe('a delegate', () => {
  it('is a brief of the routine: numbered, with its inputs, in the caller’s scope', () => {
    const [step] = prompts(
      compiled(
        'workflow: team.x\ndescription: D\nsteps:\n  - id: spread\n    role: You weigh.\n    delegate:\n      - { routine: team.r, goal: "Correctness of ${{ context.what }}", with: { x: "${{ context.area }}" }, if: context.area != "" }\n',
        {
          'team.r': routine(
            '  - id: look\n    title: Look\n    prompt: "Look at ${{ inputs.x }}."\n    sets: { found: { type: array } }\n  - id: each\n    foreach: context.found\n    steps: [ { id: weigh, if: has(item.x), prompt: "Weigh ${{ item.x }} and ${{ size(context.found) }}." } ]',
          ),
        },
      ),
    );
    expect(step?.delegates).toHaveLength(1);
    const [delegate] = step!.delegates!;
    expect(delegate).toMatchObject({
      title: 'R',
      goal: 'Correctness of ${{ context.what }}',
      if: 'context.area != ""',
    });
    const told = renderTemplate(delegate!.text, { inputs: {}, context: { area: 'api' }, outputs: {}, names: {} });
    expect(told.problems).toEqual([]);
    expect(told.text).toContain('1. **Look**');
    expect(told.text).toContain('Look at api.');
    expect(told.text).toContain('For each `item` of `context.found`');
    expect(told.text).toContain('Weigh `item.x` and `size(context.found)`.');
    expect(told.text).toContain('only where `has(item.x)`');
    expect(told.text).toContain('Hand back:');
  });
});

describe('several pieces by one routine', () => {
  const brief =
    'workflow: team.r\nkind: routine\ntitle: Attack it\ndescription: Use this when something should be attacked.\nguidance: [ "Mind ${{ inputs.angle }}." ]\ninputs: { subject: { type: string, required: true }, angle: { type: string }, deep: { type: boolean, default: false } }\nsteps:\n  - { id: look, title: "Look at ${{ inputs.subject }}", prompt: "From ${{ inputs.angle }}: ${{ inputs.subject + \'!\' }} at ${{ context.place }}.", if: inputs.angle != "none" }\n';
  const spread = (pieces: string): PromptStep =>
    prompts(
      compiled(`workflow: team.x\ndescription: D\nsteps:\n  - id: spread\n    delegate: [ ${pieces} ]\n`, {
        'team.r': brief,
      }),
    )[0]!;
  const told = (
    step: PromptStep,
    out: readonly string[] = [],
  ): readonly { readonly title: string; readonly text: string }[] =>
    delegatePieces(step, (condition) => !out.includes(condition ?? '')).map(({ title, text }) => {
      const { text: filled, problems } = renderTemplate(text, {
        inputs: {},
        context: { place: 'home', what: 'disks' },
        outputs: {},
        names: {},
      });
      expect(problems).toEqual([]);
      return { title, text: filled };
    });

  it('are told it once, each with what is its own', () => {
    const step = spread(
      '{ routine: team.r, goal: Load, with: { subject: the export, angle: "load of ${{ context.what }}" } }, { routine: team.r, goal: Abuse, with: { subject: the export, angle: abuse } }',
    );
    expect(step.delegates).toEqual([
      {
        title: 'Attack it (1)',
        goal: 'Load',
        text: '- `angle` is ${{ "load of " + string(context.what) }}',
        brief: 'team.r',
      },
      { title: 'Attack it (2)', goal: 'Abuse', text: '- `angle` is abuse', brief: 'team.r' },
    ]);
    const [first, second] = told(step);
    expect(first?.text).toContain(
      '- Mind `angle`.\n\n1. **Look at the export** (only where `angle != "none"`)\n\n   From `angle`: the export! at home.',
    );
    expect(first?.text).toContain('In this piece\n- `angle` is load of disks');
    expect(second?.text).toBe(
      'All that is told under “Attack it (1)” holds here too.\n\nIn this piece\n- `angle` is abuse',
    );
    expect(first?.text, 'when to choose it is no matter of whoever does it').not.toContain('Use this when');
  });

  it('have it with the first that is told', () => {
    const [only] = told(
      spread(
        '{ routine: team.r, goal: Load, with: { subject: a, angle: b }, if: context.one }, { routine: team.r, title: Abuse, goal: G, with: { subject: c, angle: d } }',
      ),
      ['context.one'],
    );
    expect(only?.title).toBe('Abuse');
    expect(only?.text).toContain('Look at `subject`');
    expect(only?.text).toContain('- `angle` is d\n- `subject` is c');
  });

  it('are told it each where one is given what the other is not', () => {
    const step = spread(
      '{ routine: team.r, goal: Load, with: { subject: a, angle: b } }, { routine: team.r, goal: Abuse, with: { subject: a } }',
    );
    expect(step.briefs).toBeUndefined();
    expect(step.delegates?.map(({ text }) => text.includes('Look at a'))).toEqual([true, true]);
  });

  it('are the same in a caller of the caller', () => {
    const sources = {
      'team.r': brief,
      'team.s':
        'workflow: team.s\nkind: routine\ndescription: D\ninputs: { what: { type: string } }\nsteps:\n  - id: spread\n    delegate: [ { routine: team.r, goal: "Load of ${{ inputs.what }}", with: { subject: "${{ inputs.what }}", angle: b } }, { routine: team.r, goal: G, with: { subject: "${{ inputs.what }}", angle: d } } ]\n',
    };
    const [step] = prompts(
      compiled(
        'workflow: team.x\ndescription: D\nsteps: [ { id: c, call: team.s, with: { what: "${{ context.what }}" } } ]',
        sources,
      ),
    );
    const [first, second] = told(step!);
    expect(first?.text).toContain('Look at disks');
    expect(second?.text).toContain('- `angle` is d');
  });
});

describe('a condition of a routine', () => {
  it('says in its caller what it says on its own, whatever the context', () => {
    const conditions = [
      'inputs.x == context.k',
      'has(inputs.x) && inputs.x > 1',
      'context.k in [inputs.x, 2]',
      'inputs.x + 1 > 2',
      '!(inputs.x == 1) || has(context.k)',
      'size(string(inputs.x)) > 1',
      '[1, 2].exists(v, v == inputs.x)',
      'inputs.x / 2 == 0.5',
    ];
    const values = fc.oneof(
      fc.integer({ min: -3, max: 3 }),
      fc.double({ noNaN: true, noDefaultInfinity: true, min: -9, max: 9 }),
      fc.string(),
      fc.boolean(),
      fc.constant(null),
      fc.array(fc.integer(), { maxLength: 2 }),
      fc.dictionary(fc.constantFrom('a', 'b'), fc.integer()),
    );
    fc.assert(
      fc.property(fc.constantFrom(...conditions), values, fc.option(values, { nil: undefined }), (condition, x, k) => {
        const value = x as JsonValue;
        fc.pre(!JSON.stringify(value).includes('${{') && !Object.is(value, -0));
        const result = compile(
          JSON.stringify({ workflow: 'team.x', steps: [{ id: 'c', call: 'team.r', with: { x: value } }] }),
          {
            'team.r': JSON.stringify({
              workflow: 'team.r',
              kind: 'routine',
              inputs: { x: { type: 'any' } },
              steps: [{ id: 'a', if: condition, prompt: 'p' }],
            }),
          },
        );
        expect(result.ok).toBe(true);
        if (!result.ok) return;
        const context = k === undefined ? {} : { k: k as JsonValue };
        const scope = { context, outputs: {}, names: {} };
        const [own, called] = [
          evaluateCondition(condition, { ...scope, inputs: { x: value } }),
          evaluateCondition(prompts(result.workflow)[0]!.if!, { ...scope, inputs: {} }),
        ];
        expect({ ok: called.ok, value: called.ok && called.value, missing: !called.ok && called.missing }).toEqual({
          ok: own.ok,
          value: own.ok && own.value,
          missing: !own.ok && own.missing,
        });
      }),
    );
  });
});

describe('printExpression', () => {
  const leaf: fc.Arbitrary<ExpressionTree> = fc.oneof(
    fc
      .oneof(
        fc.string(),
        fc.boolean(),
        fc.constant(null),
        fc.nat().map(BigInt),
        fc.double({ noNaN: true, noDefaultInfinity: true, min: 0 }).map((value) => (Object.is(value, -0) ? 0 : value)),
      )
      .map((value): ExpressionTree => ({ op: 'literal', value })),
    fc.constantFrom('context', 'inputs', 'item').map((name): ExpressionTree => ({ op: 'name', name })),
  );
  const trees = fc.letrec<{ tree: ExpressionTree }>((tie) => ({
    tree: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      leaf,
      fc.record({
        op: fc.constant('member' as const),
        of: tie('tree'),
        key: fc
          .oneof(fc.constantFrom('a', 'in', 'a b', '0'), fc.string())
          .map((value): ExpressionTree => ({ op: 'literal', value })),
      }),
      fc.record({
        op: fc.constantFrom(
          '==' as const,
          '<' as const,
          'in' as const,
          '+' as const,
          '-' as const,
          '*' as const,
          '&&' as const,
          '||' as const,
        ),
        left: tie('tree'),
        right: tie('tree'),
      }),
      fc.record({ op: fc.constantFrom('not' as const, 'minus' as const), of: tie('tree') }),
      fc.record({ op: fc.constant('choose' as const), test: tie('tree'), then: tie('tree'), otherwise: tie('tree') }),
      fc.record({ op: fc.constant('list' as const), items: fc.array(tie('tree'), { maxLength: 2 }) }),
      fc.record({
        op: fc.constant('map' as const),
        entries: fc.array(
          fc.tuple(
            fc.string().map((value): ExpressionTree => ({ op: 'literal', value })),
            tie('tree'),
          ),
          { maxLength: 2 },
        ),
      }),
      fc.record({
        op: fc.constant('each' as const),
        macro: fc.constantFrom('all' as const, 'map' as const),
        list: tie('tree'),
        variable: fc.constant('v'),
        bodies: fc.tuple(tie('tree')),
      }),
      fc.record({
        op: fc.constant('call' as const),
        function: fc.constant('contains'),
        method: fc.constant(true),
        args: fc.tuple(tie('tree'), tie('tree')),
      }),
    ) as fc.Arbitrary<ExpressionTree>,
  })).tree;

  it('reads back as the same tree, or as one of the same value', () => {
    const scope = { inputs: { a: 1 }, context: { a: 'x', in: [1, 2] }, outputs: {}, names: { item: { a: true } } };
    fc.assert(
      fc.property(trees, (tree) => {
        const source = printExpression(tree);
        const read = expressionTree(source);
        fc.pre(source.length < 1500);
        expect(read.ok ? '' : `${source}: ${read.error}`).toBe('');
        if (!read.ok) return;
        expect(printExpression(read.value)).toBe(source);
        expect(evaluate(source, scope)).toEqual(evaluate(printExpression(read.value), scope));
        expect(read.value).toEqual(tree);
      }),
    );
  });
});
