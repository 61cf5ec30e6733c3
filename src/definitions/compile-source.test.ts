import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { JsonValue } from '../base/json-value.js';
import type { Routines } from './expand/compilation.js';
import { compileSource } from './compile-source.js';
import type { CompiledWorkflow } from './compiled/compiled-workflow.js';
import type { PatchOperation, Violation } from './source/violation.js';

const violationsOf = (text: string): readonly Violation[] => {
  const result = compileSource(text, 'test.yaml');
  if (result.ok) throw new Error('it compiled');
  return result.violations;
};
const compiled = (text: string): CompiledWorkflow => {
  const result = compileSource(text, 'test.yaml');
  if (!result.ok) throw new Error(JSON.stringify(result.violations, null, 1));
  return result.workflow;
};
/** One step's fields, in a workflow around it. */
const around = (fields: string): string =>
  `workflow: team.x\ndescription: Use this.\nsteps:\n  - id: a\n${fields.replaceAll(/^/gmu, '    ')}\n`;

/** As much of RFC 6902 as patches use. */
function applied(source: JsonValue, operation: PatchOperation): JsonValue {
  const copy = structuredClone(source);
  const at = (pointer: string): { readonly holder: { [key: string]: JsonValue }; readonly key: string } => {
    const keys = pointer
      .slice(1)
      .split('/')
      .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
    return {
      holder: keys.slice(0, -1).reduce((value, key) => (value as { [key: string]: JsonValue })[key]!, copy) as {
        [key: string]: JsonValue;
      },
      key: keys.at(-1)!,
    };
  };
  const { holder, key } = at(operation.path);
  if (operation.op === 'remove') delete holder[key];
  else if (operation.op === 'move') {
    const from = at(operation.from);
    holder[key] = from.holder[from.key]!;
    delete from.holder[from.key];
  } else holder[key] = operation.value;
  return copy;
}

const everything = `
workflow: team.review_change
title: Review a change
description: Use this to review a pull request.
version: 1.2.0
tags: [review]
guidance: [ Read before judging. ]
preconditions: [ The diff is available. ]
clarify: [ Which branch is the base? ]
recommends: { mode: guided, riskPolicy: conservative }
inputs:
  ticket: { type: string, required: true, description: Ticket id, pattern: "^[A-Z]+-\\\\d+$", example: AB-1 }
  depth:  { type: string, enum: [quick, full], default: quick }
steps:
  - id: triage
    role: You are a careful reviewer.
    prompt: |
      Read the change for \${{ inputs.ticket }}, \${{ inputs.depth }}.
    sets:
      complexity: { type: string, enum: [Small, Large] }
      areas: { type: array, items: { type: object } }
      openFindings: { type: integer, minimum: 0 }
    output: { kind: team.risk, schema: { type: object, properties: { level: { type: string } }, required: [level], additionalProperties: false }, example: { level: low } }
    rules: [ { contains: "Risk:", minLength: 80 } ]
    notes: required
    confirm: true
  - id: deep
    if: context.complexity == "Large"
    title: Read every file
    needs: [ { reason: needs_user_artifact, key: designDoc, ask: Paste the design document. } ]
    prompt: Read.
  - id: findings
    foreach: context.areas
    as: area
    steps:
      - { id: look, title: "Look at \${{ area.name }}", prompt: Look. }
  - id: fix
    while: context.openFindings > 0
    max: 5
    steps: [ { id: mend, prompt: "Round \${{ iteration }}", sets: { openFindings: { type: integer } } } ]
  - id: closing
    steps: [ { id: last_words, prompt: Sum up. } ]
`;

describe('compileSource', () => {
  it('compiles what the format can say', () => {
    const workflow = compiled(everything);
    expect(compileSource(everything, 'x')).toMatchObject({ ok: true, warnings: [] });
    expect(workflow.steps.map((step) => [step.kind, step.id, step.title])).toEqual([
      ['prompt', 'triage', 'Triage'],
      ['prompt', 'deep', 'Read every file'],
      ['loop', 'findings', 'Findings'],
      ['loop', 'fix', 'Fix'],
      ['group', 'closing', 'Closing'],
    ]);
    expect(workflow.steps[2]).toMatchObject({
      loop: { type: 'foreach', list: 'context.areas', as: 'area' },
      max: 1000,
    });
    expect(workflow.steps[0]).toMatchObject({
      rules: [{ contains: 'Risk:' }, { minLength: 80 }],
      outputs: [
        {
          kind: 'team.risk',
          required: true,
          schema: { properties: { kind: { const: 'team.risk' } }, required: ['kind', 'level'] },
          example: { kind: 'team.risk', level: 'low' },
        },
      ],
    });
    expect(workflow.recommends).toEqual({ mode: 'guided', riskPolicy: 'conservative' });
    expect(JSON.parse(JSON.stringify(workflow))).toStrictEqual(workflow);
  });

  it('reads JSON as the YAML it is', () => {
    expect(
      compiled('{"workflow": "team.x", "description": "d", "steps": [{"id": "a", "prompt": "Go\\u0020on."}]}').steps,
    ).toHaveLength(1);
  });

  it('names the known keys where nobody can tell which one was meant, or where they are few', () => {
    const needs = (keys: string): readonly string[] =>
      violationsOf(around(`prompt: p\nneeds: [ { ${keys} } ]`)).map(({ message }) => message);
    expect(needs('reason: needs_user_choice, key: way, ask: Which?, values: [a]')).toEqual([
      '`values` is not known here; known keys: reason, key, ask',
    ]);
    expect(needs('reason: needs_user_choice, key: way, question: Which?')).toContain(
      '`question` is not known here; did you mean `ask`? (known keys: reason, key, ask)',
    );
    expect(violationsOf(around('prompt: p\ncolour: red'))[0]?.message).toContain('; known keys: id, title, if, ');
  });

  it('tells whoever would ask an artifact how such a loop is written', () => {
    const loop = (fields: string): readonly string[] =>
      violationsOf(around(`${fields}\nmax: 2\nsteps: [ { id: b, prompt: p } ]`)).map(({ message }) => message);
    const written =
      'written `control: true`, with `output: { contract: wr.contracts.loop_control }` on the step inside';
    for (const fields of [
      'until: wr.contracts.loop_control',
      'until: output.decision == "stop"',
      'until: { artifact: wr.loop_control }',
    ])
      expect(loop(fields)[0]).toContain(written);
    expect(loop('control: wr.contracts.loop_control')[0]).toContain('such as `control: true`');
  });

  it('says everything at once, each at its place', () => {
    const found = violationsOf(`workflow: team.x
descripton: Use this.
steps:
  - id: one
    promt: Go.
  - id: one
    prompt: "{{ inputs.tikcet }} \${{ inputs.tikcet }}"
    if: contxt.a == 1
  - id: two
    while: context.more
    steps: [ { id: three, prompt: Go., sets: { more: { type: bool } } } ]
inputs: { ticket: { type: string } }
`);
    expect(found.map(({ severity, rule, line, column, closest }) => [severity, rule, line, column, closest])).toEqual([
      ['warning', 'no_description', 1, 1, undefined],
      ['error', 'unknown_key', 2, 1, 'description'],
      ['error', 'body', 4, 5, undefined],
      ['error', 'unknown_key', 5, 5, 'prompt'],
      ['error', 'duplicate_id', 6, 9, undefined],
      ['error', 'template', 7, 14, undefined],
      ['error', 'expression', 7, 34, 'ticket'],
      ['error', 'expression', 8, 9, 'context'],
      ['error', 'missing', 10, 5, undefined],
      ['error', 'choice', 11, 62, 'boolean'],
      ['warning', 'input_never_read', 12, 11, undefined],
    ]);
    expect(found.find(({ rule }) => rule === 'unknown_key')?.message).toBe(
      '`descripton` is not known here; did you mean `description`?',
    );
    expect(compileSource('workflow: team.x\ntitle: T\nsteps: 1', 'x')).toMatchObject({
      ok: false,
      id: 'team.x',
      title: 'T',
    });
  });

  it('says once that a loop has no steps, and nothing of the names that it would give', () => {
    const found = violationsOf(
      'workflow: team.x\ndescription: d\nsteps:\n  - { id: a, prompt: Go., sets: { areas: { type: array } } }\n  - { id: b, title: "${{ item }}", foreach: context.areas, if: item != "", prompt: "${{ item }} in ${{ iteration }}, ${{ itme }}" }\n',
    );
    expect(found.map(({ rule, pointer }) => [rule, pointer])).toEqual([
      ['body', '/steps/1/foreach'],
      ['expression', '/steps/1/prompt'],
    ]);
  });

  it.each([
    ['an unknown loop variable', 'steps: [ { id: b, prompt: "${{ area.name }}" } ]', 'expression'],
    ['a variable outside its loop', 'if: item.x\nforeach: context.l\nsteps: [ { id: b, prompt: x } ]', 'expression'],
    ['iteration outside a loop', 'if: iteration > 1\nprompt: x', 'expression'],
    ['an unknown step in outputs', 'if: has(outputs.b.notes)\nprompt: x', 'expression'],
    ['a syntax error', 'if: context.a ==\nprompt: x', 'expression'],
    ['a reserved loop variable', 'foreach: context.l\nas: loop\nsteps: [ { id: b, prompt: x } ]', 'loop_variable'],
    ['a root as loop variable', 'foreach: context.l\nas: context\nsteps: [ { id: b, prompt: x } ]', 'loop_variable'],
    [
      'a hidden loop variable',
      'foreach: context.l\nsteps: [ { id: b, foreach: context.m, steps: [ { id: c, prompt: x } ] } ]',
      'loop_variable',
    ],
    ['no body', 'title: T', 'body'],
    ['two bodies', 'prompt: x\nsteps: [ { id: b, prompt: x } ]', 'body'],
    ['two loops', 'foreach: context.l\nrepeat: 2\nsteps: [ { id: b, prompt: x } ]', 'body'],
    ['a prompt field on a loop', 'repeat: 2\nrole: r\nsteps: [ { id: b, prompt: x } ]', 'body'],
    ['a loop without max', 'until: "true"\nsteps: [ { id: b, prompt: x } ]', 'missing'],
    ['a max above the limit', 'until: "true"\nmax: 1001\nsteps: [ { id: b, prompt: x } ]', 'limit'],
    ['text that YAML made an object', 'prompt: x\nguidance: [ Mind this: it matters ]', 'type'],
    ['a need without reason', 'prompt: x\nneeds: [ { key: k, ask: Give it. } ]', 'missing'],
    [
      'an example that fails its schema',
      'prompt: x\noutput: { kind: t.k, schema: { properties: { n: { type: number } } }, example: { n: x } }',
      'example',
    ],
    [
      'a schema with a misspelt keyword',
      'prompt: x\noutput: { kind: t.k, schema: { propertis: {} }, example: {} }',
      'schema',
    ],
    [
      'a schema with a choice of nothing',
      'prompt: x\noutput: { kind: t.k, schema: { properties: { a: { enum: [] } } }, example: {} }',
      'schema',
    ],
    [
      'a schema that refers to elsewhere',
      'prompt: x\noutput: { kind: t.k, schema: { $ref: "https://example.com/s.json" }, example: {} }',
      'schema',
    ],
    ['a schema without example', 'prompt: x\noutput: { kind: t.k, schema: {} }', 'missing'],
    [
      'another kind in the example',
      'prompt: x\noutput: { kind: t.k, schema: {}, example: { kind: t.other } }',
      'example',
    ],
    ['a contract that is not there', 'prompt: x\noutput: { contract: wr.contracts.review_heder }', 'contract'],
    ['a pattern that nothing matches', 'prompt: x\nsets: { k: { type: string, pattern: "^[A-Z]$^" } }', 'value'],
    [
      'a pattern that cannot be linear',
      'prompt: x\nsets: { k: { type: string, pattern: "(?=a)", example: a } }',
      'value',
    ],
    ['a bound without sense', 'prompt: x\nsets: { k: { type: string, minimum: 1 } }', 'value'],
    ['an empty rule', 'prompt: x\nrules: [ {} ]', 'notes_rule'],
    ['rules that exclude each other', 'prompt: x\nrules: [ { minLength: 9 }, { maxLength: 8 } ]', 'notes_rule'],
    ['an unclosed hole', 'prompt: "${{ inputs.x"', 'template'],
    ['a name that no expression can read', 'prompt: x\nsets: { "a key": { type: string } }', 'format'],
    ['__proto__', 'prompt: x\nsets: { __proto__: { type: string } }', 'unknown_key'],
    ['a key twice', 'prompt: x\nprompt: y', 'duplicate_key'],
    ['a number that is not JSON', 'prompt: x\nsets: { k: { type: number, maximum: .inf } }', 'type'],
    ['a custom tag', 'prompt: !!js/function "x"', 'yaml'],
  ])('refuses %s', (_, fields, rule) => {
    const found = violationsOf(around(fields));
    expect(found.map((violation) => violation.rule)).toContain(rule);
    for (const { line, column } of found) expect([line, column]).toEqual([expect.any(Number), expect.any(Number)]);
  });

  it.each([
    ['a loop whose body changes nothing', 'while: context.n > 0\nmax: 2\nsteps: [ { id: b, prompt: x } ]', 'no_exit'],
    ['a loop that nobody ends', 'control: true\nmax: 2\nsteps: [ { id: b, prompt: x } ]', 'no_exit'],
    ['a step that never runs', 'if: 1 > 2\nprompt: x', 'never_runs'],
    ['a loop of nothing', 'repeat: 0\nsteps: [ { id: b, prompt: x } ]', 'never_runs'],
  ])('warns of %s', (_, fields, rule) => {
    const result = compileSource(around(fields), 'x');
    expect(result.ok && result.warnings.map((warning) => warning.rule)).toContain(rule);
  });

  it('warns of a call of what is no routine', () => {
    const compiled = compileSource('workflow: team.y\ndescription: D\nsteps: [ { id: a, prompt: p } ]', 'y');
    const find: Routines = () => ({ file: 'y', source: () => undefined, compile: () => compiled });
    expect(
      compileSource('workflow: team.x\ndescription: D\nsteps: [ { id: a, call: team.y } ]', 'x', find),
    ).toMatchObject({ ok: true, warnings: [{ rule: 'not_a_routine' }] });
  });

  it('warns of what is doubtful', () => {
    const result = compileSource(
      `workflow: team.x\ninputs: { unread: { type: string } }\nsteps: [ { id: a, if: context.never == 1, prompt: "${'word '.repeat(2000)}" } ]`,
      'x',
    );
    expect(result).toMatchObject({ ok: true });
    expect(result.ok && result.warnings.map(({ rule }) => rule).toSorted()).toEqual([
      'context_never_set',
      'input_never_read',
      'long_prompt',
      'no_description',
    ]);
  });

  it.each([
    ['a hole in flow style', 'with: { a: ${{ inputs.x }}, b: [${{ inputs.y }}] }', 'yaml', '"${{ inputs.x }}"'],
    ['text beside flow style', 'prompt: x\nsets: { k: { type: string }, l: ${{ x }} }', 'yaml', '"${{ x }}"'],
    ['an expression as a hole', 'if: ${{ context.a }}\nprompt: x', 'expression', 'context.a'],
    [
      'text compared with a number',
      'if: context.size == 3\nprompt: x\nsets: { size: { type: string } }',
      'type',
      'text',
    ],
    ['a number compared with text', 'if: iteration == "3"\nprompt: x', 'expression', undefined],
    [
      'a value outside its set',
      'if: context.size == "large"\nprompt: x\nsets: { size: { type: string, enum: [Small, Large] } }',
      'type',
      '"Small", "Large"',
    ],
    [
      'a value outside its set, in a list',
      'if: context.size in ["Small", "Lrge"]\nprompt: x\nsets: { size: { type: string, enum: [Small, Large] } }',
      'type',
      '"Small", "Large"',
    ],
    [
      'a condition that is text',
      'if: context.size\nprompt: x\nsets: { size: { type: string } }',
      'type',
      'true or false',
    ],
    [
      'a condition in a condition that is a number',
      'if: context.n && true\nprompt: x\nsets: { n: { type: integer } }',
      'type',
      'true or false',
    ],
    [
      'a text taken for a list',
      'foreach: context.size\nsteps: [ { id: b, prompt: x, sets: { size: { type: string } } } ]',
      'type',
      'a list',
    ],
    [
      'an element taken for another type',
      'foreach: context.l\nsteps: [ { id: b, if: item == 1, prompt: x, sets: { l: { type: array, items: { type: string } } } } ]',
      'type',
      'text',
    ],
    [
      'a count that is text',
      'repeat: context.size\nsteps: [ { id: b, prompt: x, sets: { size: { type: string } } } ]',
      'type',
      'a number',
    ],
    [
      'a number asked for a part',
      'if: context.n.contains("a")\nprompt: x\nsets: { n: { type: integer } }',
      'type',
      'text',
    ],
    ['a text minus one', 'if: context.size - 1 > 0\nprompt: x\nsets: { size: { type: string } }', 'type', 'a number'],
    ['an unknown function', 'prompt: x\nfunctions: [ rate ]', 'function', undefined],
    ['an unknown assessment', 'prompt: x\nassessments: [ fit ]', 'assessment', undefined],
    [
      'a follow-up that never follows',
      'prompt: x\nassessments: [ { id: q, purpose: P, dimensions: { d: { purpose: P, levels: [low, high] } }, followUps: [ { level: lw, guidance: G } ] } ]',
      'assessment',
      'low, high',
    ],
    [
      'a dimension with one level',
      'prompt: x\nassessments: [ { id: q, purpose: P, dimensions: { d: { purpose: P, levels: [low] } } } ]',
      'limit',
      undefined,
    ],
    ['a block that is none', 'prompt: { goal: g, gaol: h }', 'unknown_key', undefined],
    ['a composed rule that is empty', 'prompt: x\nrules: [ { any: [ {} ] } ]', 'notes_rule', undefined],
    ['a composed rule with a bad pattern', 'prompt: x\nrules: [ { not: { matches: "(" } } ]', 'notes_rule', undefined],
    [
      'a loop of two kinds',
      'control: true\nwhile: context.a\nmax: 2\nsteps: [ { id: b, prompt: x } ]',
      'body',
      undefined,
    ],
    ['control without max', 'control: true\nsteps: [ { id: b, prompt: x } ]', 'missing', 'max: 1 to 1000'],
  ])('refuses %s and says what was expected', (_, fields, rule, expected) => {
    const found = violationsOf(around(fields)).find((violation) => violation.rule === rule);
    expect(found).toMatchObject({
      rule,
      line: expect.any(Number),
      column: expect.any(Number),
      ...(expected !== undefined && { expected }),
    });
  });

  it('points at each hole in flow style, and at nothing that only follows from it', () => {
    expect(
      violationsOf(around('prompt: p\nwith: { a: ${{ inputs.x }}, b: [${{ inputs.y }}] }')).map(
        ({ line, column, actual }) => [line, column, actual],
      ),
    ).toEqual([
      [6, 16, '${{ inputs.x }}'],
      [6, 37, '${{ inputs.y }}'],
    ]);
  });

  it('compiles blocks, composed rules, assessments, functions and conditional agreement', () => {
    const workflow = compiled(`
workflow: team.x
description: D
functions: { rate: { params: [x], text: "Rate {{x}}." } }
assessments: [ { id: fit, purpose: Does it fit?, dimensions: { size: { purpose: How large?, levels: [low, high] } }, followUps: [ { level: low, guidance: Again. } ] } ]
steps:
  - id: a
    prompt:
      verify: It holds.
      goal: Find \${{ context.k }}.
      procedure: [ "Look.\\nTwice.", Tell. ]
      constraints: [ Nothing else. ]
    functions: [ rate ]
    assessments: [ fit ]
    confirm: { if: context.k == 1 }
    rules: [ { any: [ { contains: a }, { minLength: 3, not: { contains: b } } ], all: [ { contains: c } ] }, { any: [ { matches: d } ] } ]
    sets: { k: { type: integer } }
  - { id: l, control: true, max: 3, steps: [ { id: b, prompt: p, output: { contract: wr.contracts.loop_control, required: false } } ] }
`);
    expect(workflow.steps[0]).toMatchObject({
      prompt:
        '## Goal\n\nFind ${{ context.k }}.\n\n## Constraints\n\n- Nothing else.\n\n## Procedure\n\n1. Look.\n   Twice.\n2. Tell.\n\n## Verify\n\nIt holds.',
      functions: [{ name: 'rate', params: ['x'], text: 'Rate {{x}}.' }],
      assessments: [
        {
          id: 'fit',
          dimensions: [{ id: 'size', levels: ['low', 'high'], required: true }],
          followUps: [{ level: 'low', guidance: 'Again.' }],
        },
      ],
      confirm: true,
      confirmIf: 'context.k == 1',
      rules: [
        { contains: 'c' },
        { any: [{ contains: 'a' }, { all: [{ minLength: 3 }, { not: { contains: 'b' } }] }] },
        { matches: 'd' },
      ],
    });
    expect(workflow.steps[1]).toMatchObject({
      kind: 'loop',
      loop: { type: 'control' },
      max: 3,
      steps: [{ outputs: [{ kind: 'wr.loop_control', required: false, contract: 'wr.contracts.loop_control' }] }],
    });
    expect(workflow.provenance).toEqual([
      { at: '/steps/1/steps/0/outputs/0', from: 'contract wr.contracts.loop_control' },
    ]);
  });

  it.each([
    ['a misspelt key', 'promt: p'],
    ['a key but for a letter, which others use', 'prompt: p\nset: { k: { type: string } }'],
    ['mustache', 'prompt: "{{ k }} and {{ context.k }} and ${{ iteration_x }}"'],
    ['mustache of known names', 'prompt: "a {{ k }} b {{ k }}"\nsets: { k: { type: string } }'],
    ['a loop without max', 'until: context.k\nsteps: [ { id: b, prompt: p, sets: { k: { type: boolean } } } ]'],
    ['a hole for an expression', 'if: ${{ context.k }}\nprompt: p'],
    ['a misspelt contract', 'prompt: p\noutput: { contract: wr.contracts.loop_controll }'],
    ['a text where a list is meant', 'prompt: p\nguidance: One thing.'],
    ['a choice nearly right', 'prompt: p\nnotes: Required'],
  ])('mends %s by its patch', (_, fields) => {
    const text = around(fields);
    const source = JSON.parse(JSON.stringify(parse(text))) as JsonValue;
    const result = compileSource(text, 'x');
    const patches = (result.ok ? [] : result.violations).flatMap(({ severity, patch }) =>
      severity === 'error' && patch ? [patch] : [],
    );
    if (fields.includes('iteration_x')) return expect(patches).toEqual([]);
    expect(patches.length).toBeGreaterThan(0);
    const mended = compileSource(JSON.stringify(patches.flat().reduce(applied, source)), 'x');
    expect(mended.ok ? [] : mended.violations).toEqual([]);
  });

  it('takes a hole that prints braces for what it is', () => {
    expect(compiled(around('prompt: |\n  ${{ "{{ name }} and }}" }} and ${{ {"a": {"b": 1}} }}'))).toBeDefined();
  });

  it.each([
    [
      'aliases that multiply',
      `a: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefghi'
        .split('')
        .map((key, at) => `${key}: &${key} [${Array.from({ length: 9 }, () => `*${'abcdefgh'[at]!}`).join(',')}]`)
        .join('\n')}`,
    ],
    ['an alias to itself', 'workflow: &a [ *a ]'],
    ['deep nesting', '['.repeat(200_000)],
    ['deep maps', `${Array.from({ length: 300 }, (_, at) => `${' '.repeat(at)}a:`).join('\n')}`],
    ['too many bytes', `workflow: ${'x'.repeat(1_100_000)}`],
    ['nothing', ''],
    ['two documents', 'a: 1\n---\nb: 2'],
    ['not YAML', '{{{'],
    ['control characters', '\u0000\u0001'],
    ['deep steps', around(`${'steps: [ { id: b, '.repeat(20)} prompt: x ${'} ]'.repeat(20)}`)],
  ])('ends soon with %s', (_, text) => {
    const found = violationsOf(text);
    expect(found.length).toBeGreaterThan(0);
    for (const { line, column } of found) expect([line, column]).toEqual([expect.any(Number), expect.any(Number)]);
  });

  it('says of aliases that multiply where they begin, and what to do', () => {
    const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefghi'
      .split('')
      .map((key, at) => `${key}: &${key} [${Array.from({ length: 9 }, () => `*${'abcdefgh'[at]!}`).join(',')}]`)
      .join('\n')}`;
    expect(violationsOf(bomb)).toMatchObject([
      { rule: 'yaml_aliases', line: 2, column: 8, message: expect.stringContaining('write them out') },
    ]);
    expect(violationsOf('x'.repeat(100 * 1024 * 1024))).toMatchObject([
      { rule: 'file_size', line: 1, message: expect.stringContaining('into routines') },
    ]);
  });
});
