import { describe, expect, it } from 'vitest';
import { compileSource } from './compile-source.js';
import type { CompiledWorkflow } from './compiled-workflow.js';
import type { Violation } from './violation.js';

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
const around = (fields: string): string => `workflow: team.x\ndescription: Use this.\nsteps:\n  - id: a\n${fields.replaceAll(/^/gmu, '    ')}\n`;

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
    expect(workflow.steps[2]).toMatchObject({ loop: { type: 'foreach', list: 'context.areas', as: 'area' }, max: 1000 });
    expect(workflow.steps[0]).toMatchObject({
      rules: [{ contains: 'Risk:' }, { minLength: 80 }],
      outputs: [{ kind: 'team.risk', required: true, schema: { properties: { kind: { const: 'team.risk' } }, required: ['kind', 'level'] }, example: { kind: 'team.risk', level: 'low' } }],
    });
    expect(workflow.recommends).toEqual({ mode: 'guided', riskPolicy: 'conservative' });
    expect(JSON.parse(JSON.stringify(workflow))).toStrictEqual(workflow);
  });

  it('reads JSON as the YAML it is', () => {
    expect(compiled('{"workflow": "team.x", "description": "d", "steps": [{"id": "a", "prompt": "Go\\u0020on."}]}').steps).toHaveLength(1);
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
    expect(found.find(({ rule }) => rule === 'unknown_key')?.message).toBe('`descripton` is not known here; did you mean `description`?');
    expect(compileSource('workflow: team.x\ntitle: T\nsteps: 1', 'x')).toMatchObject({ ok: false, id: 'team.x', title: 'T' });
  });

  it.each([
    ['an unknown loop variable', 'steps: [ { id: b, prompt: "${{ area.name }}" } ]', 'expression'],
    ['a variable outside its loop', 'if: item.x\nforeach: context.l\nsteps: [ { id: b, prompt: x } ]', 'expression'],
    ['iteration outside a loop', 'if: iteration > 1\nprompt: x', 'expression'],
    ['an unknown step in outputs', 'if: has(outputs.b.notes)\nprompt: x', 'expression'],
    ['a syntax error', 'if: context.a ==\nprompt: x', 'expression'],
    ['a reserved loop variable', 'foreach: context.l\nas: loop\nsteps: [ { id: b, prompt: x } ]', 'loop_variable'],
    ['a root as loop variable', 'foreach: context.l\nas: context\nsteps: [ { id: b, prompt: x } ]', 'loop_variable'],
    ['a hidden loop variable', 'foreach: context.l\nsteps: [ { id: b, foreach: context.m, steps: [ { id: c, prompt: x } ] } ]', 'loop_variable'],
    ['no body', 'title: T', 'body'],
    ['two bodies', 'prompt: x\nsteps: [ { id: b, prompt: x } ]', 'body'],
    ['two loops', 'foreach: context.l\nrepeat: 2\nsteps: [ { id: b, prompt: x } ]', 'body'],
    ['a prompt field on a loop', 'repeat: 2\nrole: r\nsteps: [ { id: b, prompt: x } ]', 'body'],
    ['a loop without max', 'until: "true"\nsteps: [ { id: b, prompt: x } ]', 'missing'],
    ['a max above the limit', 'until: "true"\nmax: 1001\nsteps: [ { id: b, prompt: x } ]', 'limit'],
    ['text that YAML made an object', 'prompt: x\nguidance: [ Mind this: it matters ]', 'type'],
    ['a need without reason', 'prompt: x\nneeds: [ { key: k, ask: Give it. } ]', 'missing'],
    ['an example that fails its schema', 'prompt: x\noutput: { kind: t.k, schema: { properties: { n: { type: number } } }, example: { n: x } }', 'example'],
    ['a schema with a misspelt keyword', 'prompt: x\noutput: { kind: t.k, schema: { propertis: {} }, example: {} }', 'schema'],
    ['a schema without example', 'prompt: x\noutput: { kind: t.k, schema: {} }', 'missing'],
    ['another kind in the example', 'prompt: x\noutput: { kind: t.k, schema: {}, example: { kind: t.other } }', 'example'],
    ['a contract that is not there', 'prompt: x\noutput: { contract: wr.contracts.review_heder }', 'contract'],
    ['a pattern without example', 'prompt: x\nsets: { k: { type: string, pattern: "^[A-Z]$" } }', 'value'],
    ['a pattern that cannot be linear', 'prompt: x\nsets: { k: { type: string, pattern: "(?=a)", example: a } }', 'value'],
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

  it('warns of what is doubtful', () => {
    const result = compileSource(`workflow: team.x\ninputs: { unread: { type: string } }\nsteps: [ { id: a, if: context.never == 1, prompt: "${'word '.repeat(2000)}" } ]`, 'x');
    expect(result).toMatchObject({ ok: true });
    expect(result.ok && result.warnings.map(({ rule }) => rule).toSorted()).toEqual(['context_never_set', 'input_never_read', 'long_prompt', 'no_description']);
  });

  it('takes a hole that prints braces for what it is', () => {
    expect(compiled(around('prompt: |\n  ${{ "{{ name }} and }}" }} and ${{ {"a": {"b": 1}} }}'))).toBeDefined();
  });

  it.each([
    ['aliases that multiply', `a: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefghi'.split('').map((key, at) => `${key}: &${key} [${Array.from({ length: 9 }, () => `*${'abcdefgh'[at]!}`).join(',')}]`).join('\n')}`],
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
    expect(violationsOf(text).length).toBeGreaterThan(0);
  });
});
