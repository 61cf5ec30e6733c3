import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../src/base/json-value.js';
import type { Compilation, Routines } from '../../src/definitions/expand/compilation.js';
import { compileSource } from '../../src/definitions/compile-source.js';
import { pinWorkflow, readPin } from '../../src/definitions/compiled/pin.js';
import type { CompiledWorkflow } from '../../src/definitions/compiled/compiled-workflow.js';
import { commandsIn, everyStep } from '../../src/definitions/compiled/visit-steps.js';
import { sentProblems } from '../../src/definitions/contracts/sent-problems.js';
import { previewText } from '../../src/contract/preview-text.js';
import { previewSteps } from '../../src/respond/preview-steps.js';
import { lookUpSmall, smallCatalog } from '../worlds/small-catalog.js';
import { patience, runs } from '../worlds/runs-of-law.js';

const holes = [
  '${{ inputs.i }}',
  '${{ inputs.need }}',
  'x ${{ inputs.need }}',
  '${{ outputs.s0.body.id }}',
  '${{ outputs.s1.body[0] }}',
  '${{ context.k }}',
  '${{ item }}',
  '${{ secrets.KEY }}',
  '${{ 1 + 1 }}',
  '${{ broken',
];
const leaf = fc.oneof(
  fc.constantFrom<JsonValue>(...holes),
  fc.constantFrom<JsonValue>('main', 'T', '7', 7, 1.5, true, null, ''),
  fc.string({ maxLength: 5 }),
);
const value = fc.oneof(
  { weight: 4, arbitrary: leaf },
  fc.array(leaf, { maxLength: 2 }),
  fc.dictionary(fc.constantFrom('title', 'body', 'labels', 'parent', 'state', '__proto__', 'constructor'), leaf, {
    maxKeys: 3,
  }),
);
const parameters = [
  ...new Set(Object.values(smallCatalog).flatMap((one) => one.parameters.map(({ name }) => name))),
  'path.id',
  'query.id',
  'query.owner',
  'brnch',
  'constructor',
];
const command = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...Object.keys(smallCatalog).map((name) => `github ${name}`)) },
  fc.constantFrom('github GET /odd/{id}', 'github nothing', 'gihub x', 'later POST /x', 'disabled x', 'none', ''),
);
const expression = fc.constantFrom(
  'body.done',
  'status == 200',
  'item.id',
  'size(body) > i',
  'context.k',
  'outputs.s0.ok',
  'body[',
  'true',
);
const span = fc.constantFrom('1s', '10m', '0s', '9d', '5', 'soon', 7);
/** Each key where it is a right one now and then, and anything else otherwise. */
const maybeWrong = (right: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 9, arbitrary: right }, value);
const runStep = fc.record(
  {
    run: maybeWrong(command),
    with: maybeWrong(fc.dictionary(fc.constantFrom(...parameters), value, { maxKeys: 4 })),
    body: value,
    content: fc.constantFrom('application/json', 'text/plain'),
    expect: maybeWrong(fc.oneof(expression, fc.constantFrom(200, '2xx', [200, '4xx'], 9))),
    keep: maybeWrong(fc.dictionary(fc.constantFrom('id', 'all'), expression, { maxKeys: 2 })),
    until: maybeWrong(expression),
    every: span,
    max: fc.constantFrom(1, 0, 5),
    timeout: span,
    retry: maybeWrong(
      fc.record({ max: fc.nat(12), on: fc.constantFrom([429], ['network'], ['x']), up_to: span }, { requiredKeys: [] }),
    ),
    paginate: maybeWrong(
      fc.record(
        {
          by: fc.constantFrom('link', 'cursor', 'page', 'offset'),
          items: expression,
          next: expression,
          param: fc.constantFrom('page', 'after'),
          first: fc.nat(2),
        },
        { requiredKeys: ['by'] },
      ),
    ),
    on_error: fc.constantFrom('fail', 'continue', 'stop'),
    confirm: fc.constantFrom(true, false, { if: 'context.k' }),
    repeatable: fc.boolean(),
    depends_on: fc.array(fc.constantFrom('s0', 's1', 's2', 's3', 'none'), { minLength: 1, maxLength: 2 }),
    secret: fc.constant(true),
    if: expression,
  },
  { requiredKeys: ['run'] },
);
const otherStep = fc.oneof(
  fc.record({ fail: fc.constantFrom('F', ...holes), if: expression }, { requiredKeys: ['fail'] }),
  fc.record({ prompt: fc.constantFrom('P', ...holes) }),
  fc.constant({ call: 'team.routine', with: { repo: 'r' } }),
);
const step = fc.oneof(
  { weight: 4, arbitrary: runStep },
  { weight: 2, arbitrary: otherStep },
  runStep.map((inner) => ({ foreach: 'inputs.list', steps: [{ id: 'inner', ...inner }] })),
);
const provider = fc.record(
  {
    run: command,
    with: fc.dictionary(fc.constantFrom(...parameters), leaf, { maxKeys: 2 }),
    items: expression,
    value: expression,
    label: expression,
    on_error: fc.constantFrom('prompt', 'stale', 'fail'),
  },
  { requiredKeys: ['run', 'value'] },
);
const file = fc
  .record({ steps: fc.array(step, { minLength: 1, maxLength: 4 }), provider: fc.option(provider), returned: value })
  .map(({ steps, provider: of, returned }) => ({
    workflow: 'team.x',
    description: 'D',
    inputs: {
      i: { type: 'string', ...(of !== null && { provider: of }) },
      need: { type: 'string', required: true },
      list: { type: 'array', default: [1] },
    },
    steps: steps.map((one, at) => ({ id: `s${at}`, ...one })),
    returns: { r: returned },
  }));

/** What the catalog takes, given one way or another. */
const rightValues: { readonly [name: string]: readonly JsonValue[] } = {
  run_id: [7, '7', '${{ inputs.need }}', '${{ outputs.s0.body.id }}'],
  page: [1, '${{ 1 + 1 }}'],
  per_page: [50, '${{ inputs.i }}'],
  type: ['all', '${{ inputs.i }}'],
  id: ['a', 1, '${{ inputs.need }}'],
};
const rightBodies: { readonly [command: string]: readonly JsonValue[] } = {
  'issues/create': [
    { title: 'T', labels: ['a', { name: 'b' }] },
    { title: '${{ inputs.need }}', body: '${{ inputs.i }}', state: 'open' },
  ],
  'repos/update-branch-protection': [
    { enforce_admins: true, required_status_checks: null, required_pull_request_reviews: null, restrictions: null },
  ],
};
const anyText: readonly JsonValue[] = ['main', '${{ inputs.need }}', 'x-${{ inputs.need }}'];
const rightStep = fc
  .constantFrom(...Object.entries(smallCatalog))
  .chain(([name, { parameters: all, bodies, method }]) => {
    const given = fc.record(
      Object.fromEntries(
        all.map((one) => [
          all.filter((other) => other.name === one.name).length > 1 ? `${one.in}.${one.name}` : one.name,
          fc.constantFrom(...(rightValues[one.name] ?? anyText)),
        ]),
      ),
    );
    const often = method === 'GET';
    return fc.record(
      {
        run: fc.constant(`github ${name}`),
        with: given,
        ...(bodies.some(({ required }) => required) && { body: fc.constantFrom(...(rightBodies[name] ?? [{}])) }),
        expect: fc.constantFrom<unknown>([200, 404], 'status == 200', '2xx', 201),
        keep: fc.constant({ id: 'body.id' }),
        timeout: fc.constantFrom('1m', '2h'),
        ...(often && { until: fc.constant('body.done') }),
        retry: fc.constant({ max: 2, on: [429] }),
        on_error: fc.constantFrom('fail', 'continue'),
        confirm: fc.constantFrom<unknown>(true, { if: 'inputs.need == "a"' }),
      },
      {
        requiredKeys: ['run', 'with', 'timeout', ...(bodies.some(({ required }) => required) ? ['body' as const] : [])],
      },
    );
  });
const rightFile = fc.array(rightStep, { minLength: 1, maxLength: 4 }).map((steps) => ({
  workflow: 'team.x',
  description: 'D',
  inputs: { i: { type: 'string' }, need: { type: 'string', required: true } },
  steps: [
    { id: 's0', run: 'later GET /first', with: { a: '${{ inputs.i }}', b: '${{ inputs.need }}' } },
    ...steps.map((one, at) => ({ id: `s${at + 1}`, ...one, ...(at > 0 && { depends_on: [`s${at}`] }) })),
  ],
}));

const routine = `workflow: team.routine
kind: routine
description: D
inputs: { repo: { type: string, required: true }, state: { type: any, default: 1 } }
steps:
  - { id: a, run: github repos/get-branch, with: { owner: o, repo: "\${{ inputs.repo }}", branch: b }, keep: { id: body.id } }
  - { id: b, run: later x, depends_on: [a], body: { id: "\${{ outputs.a.body.id }}", state: "\${{ inputs.state }}", text: "n \${{ inputs.state }}" } }
`;
const routines: Routines = (id) =>
  id === 'team.routine'
    ? { file: id, source: () => undefined, compile: () => compileSource(routine, id, undefined, lookUpSmall) }
    : undefined;
const compile = (source: unknown): Compilation =>
  compileSource(JSON.stringify(source), 'x.json', routines, lookUpSmall);

/** It is read back as it was pinned, what it names is there, and each step is told. */
function isWhole(workflow: CompiledWorkflow): void {
  const pin = pinWorkflow(workflow);
  expect(readPin(pin.text, pin.hash)).toEqual({ ok: true, value: JSON.parse(pin.text) });
  const ids = new Set([...everyStep(workflow.steps)].map(({ step: one }) => one.id));
  for (const one of commandsIn(workflow.steps))
    for (const id of one.kind === 'run' ? (one.dependsOn ?? []) : []) expect(ids).toContain(id);
  const told = previewSteps(workflow);
  expect(told.map(({ stepId }) => stepId)).toEqual([...ids]);
  for (const one of told)
    if (one['kind'] === 'run')
      expect(previewText(one)).toContain(`WorkRail runs ${typeof one['run'] === 'string' ? one['run'] : '?'}`);
}

describe('a workflow with commands', () => {
  it(
    'compiles, or every violation has its place; nothing is thrown',
    () => {
      fc.assert(
        fc.property(file, (source) => {
          const result = compile(source);
          for (const { line, column, message } of result.ok ? result.warnings : result.violations) {
            expect(line).toBeGreaterThan(0);
            expect(column).toBeGreaterThan(0);
            expect(message).not.toBe('');
          }
          if (!result.ok) {
            expect(result.violations.some(({ severity }) => severity === 'error')).toBe(true);
            return;
          }
          isWhole(result.workflow);
        }),
        runs(150),
      );
    },
    patience,
  );

  it(
    'compiles where its catalog takes all that it gives, and is pinned with what it uses of it',
    () => {
      fc.assert(
        fc.property(rightFile, (source) => {
          const result = compile(source);
          expect(result.ok ? result.warnings : result.violations).toEqual([]);
          if (!result.ok) return;
          isWhole(result.workflow);
          expect(result.workflow.operations).toEqual(
            Object.fromEntries(
              source.steps.flatMap(({ run }) =>
                run.startsWith('github ') ? [[run, smallCatalog[run.slice('github '.length)]]] : [],
              ),
            ),
          );
        }),
        runs(150),
      );
    },
    patience,
  );

  it(
    'has the second form where commands, providers or what it returns have a part in it, and else the first',
    () => {
      fc.assert(
        fc.property(rightFile, fc.constantFrom('steps', 'returns', 'provider', 'nothing'), (source, part) => {
          const { steps, inputs, ...rest } = source;
          const prompts = steps.map(({ id }) => ({ id, prompt: '${{ inputs.i }} ${{ inputs.need }}' }));
          const provided = { ...inputs, i: { type: 'string', provider: { run: 'later GET /x', value: 'item' } } };
          const result = compile({
            ...rest,
            inputs: part === 'provider' ? provided : inputs,
            steps: part === 'steps' ? steps : prompts,
            ...(part === 'returns' && { returns: { r: 1 } }),
          });
          expect(result.ok && result.workflow.compiled).toBe(part === 'nothing' ? 1 : 2);
        }),
        runs(60),
      );
    },
    patience,
  );

  it('keeps the types and the order of a routine that it calls', () => {
    const result = compile({
      workflow: 'team.x',
      description: 'D',
      steps: [{ id: 'c', call: 'team.routine', with: { repo: 'app' } }],
    });
    expect(result).toMatchObject({ ok: true, warnings: [] });
    if (!result.ok) return;
    expect(Object.keys(result.workflow.operations ?? {})).toEqual(['github repos/get-branch']);
    expect(commandsIn(result.workflow.steps)).toMatchObject([
      { id: 'c-a', with: { repo: 'app' }, keep: { id: 'body.id' } },
      {
        id: 'c-b',
        dependsOn: ['c-a'],
        body: { state: '${{ 1.0 }}', text: 'n 1', id: '${{ outputs["c-a"].body.id }}' },
      },
    ]);
  });

  it('takes no routine whose `keep` would mean another name by what it is given', () => {
    const inner = `workflow: team.routine\nkind: routine\ndescription: D\ninputs: { x: { type: any } }\nsteps: [ { id: a, run: later GET /x, paginate: { by: link }, keep: { both: "[item, inputs.x]" } } ]\n`;
    const calling: Routines = () => ({
      file: 'r',
      source: () => undefined,
      compile: () => compileSource(inner, 'r', undefined, lookUpSmall),
    });
    const call = (as: string): Compilation =>
      compileSource(
        `workflow: team.x\ndescription: D\nsteps: [ { id: l, foreach: "[1]", as: ${as}, steps: [ { id: c, call: team.routine, with: { x: "\${{ ${as} }}" } } ] } ]`,
        'x',
        calling,
        lookUpSmall,
      );
    expect(call('one')).toMatchObject({ ok: true });
    expect(call('item')).toMatchObject({ ok: false, violations: [{ rule: 'routine' }] });
  });

  it('is never given to sub-agents', () => {
    const result = compile({
      workflow: 'team.x',
      description: 'D',
      steps: [{ id: 'd', delegate: [{ routine: 'team.routine', goal: 'G', with: { repo: 'r' } }] }],
    });
    expect(result).toMatchObject({ ok: false, violations: [{ rule: 'routine' }] });
  });
});

describe('what a step sends', () => {
  const schema: fc.Arbitrary<JsonValue> = fc.letrec<{ schema: JsonValue }>((tie) => ({
    schema: fc.oneof(
      { maxDepth: 3, depthSize: 'small' },
      fc.constantFrom<JsonValue>(
        {},
        true,
        { type: 'string' },
        { type: 'integer', minimum: 0 },
        { type: ['boolean', 'null'] },
        { $ref: '#/$defs/a' },
        { $ref: '#/$defs/b' },
        { $ref: 'elsewhere.json' },
        { enum: ['a', 1] },
        { type: 'strange', format: 'odd', pattern: '(?=x)' },
      ),
      fc.record({ type: fc.constant('array'), items: tie('schema') }),
      fc.record({ allOf: fc.array(tie('schema'), { maxLength: 2 }) }),
      fc.record({ oneOf: fc.array(tie('schema'), { maxLength: 2 }) }),
      fc.record({
        type: fc.constant('object'),
        properties: fc.dictionary(fc.constantFrom('title', '__proto__', 'constructor'), tie('schema'), { maxKeys: 2 }),
        required: fc.constantFrom([], ['title']),
        additionalProperties: fc.constantFrom<JsonValue>(true, false),
      }),
    ),
  })).schema;

  it(
    'is judged in bounded work by any schema, and what is wrong has its place in it',
    () => {
      fc.assert(
        fc.property(schema, schema, schema, value, (of, a, b, sent) => {
          const definitions = { a, b };
          for (const { path, message, ofKey } of sentProblems(of, sent, { definitions })) {
            expect(message).not.toBe('');
            const holder = path.slice(0, ofKey === true ? -1 : undefined);
            let at: unknown = sent;
            for (const key of holder) {
              expect(typeof at === 'object' && at !== null && Object.hasOwn(at, key)).toBe(true);
              at = (at as { readonly [key: string]: unknown })[key];
            }
          }
        }),
        runs(300),
      );
    },
    patience,
  );
});
