import { describe, expect, it } from 'vitest';
import { lookUpSmall } from '../../../property-tests/worlds/small-catalog.js';
import type { JsonValue } from '../../base/json-value.js';
import { compileSource } from '../compile-source.js';
import type { CommandLookup } from '../compiled/command-lookup.js';
import type { OperationAnswer } from '../compiled/operation-answers.js';
import type { Violation } from '../source/violation.js';

const text: JsonValue = { type: 'string' };
const object = (properties: { readonly [name: string]: JsonValue }, more: object = {}): JsonValue => ({
  type: 'object',
  properties,
  ...more,
});
const definitions: { readonly [name: string]: JsonValue } = {
  commit: object({ sha: text, parents: { type: 'array', items: { $ref: '#/$defs/commit' } } }),
  run: object({ id: { type: 'integer' }, status: text, conclusion: { type: ['string', 'null'] } }),
  circle: { allOf: [{ $ref: '#/$defs/circle' }] },
};
const run: JsonValue = { $ref: '#/$defs/run' };
const answers: { readonly [command: string]: readonly OperationAnswer[] } = {
  'repos/get-branch': [
    {
      status: '200',
      schemas: [
        object({
          full_name: text,
          name: text,
          protected: { type: 'boolean' },
          commit: { $ref: '#/$defs/commit' },
          labels: {},
        }),
      ],
    },
    { status: '404', schemas: [object({ message: text })] },
  ],
  'repos/list-for-org': [
    { status: '2XX', schemas: [{ type: 'array', items: object({ name: text, full_name: text }) }] },
  ],
  'actions/list-workflow-runs': [
    { status: '200', schemas: [object({ total_count: text, workflow_runs: { type: 'array', items: run } })] },
  ],
  'actions/get-workflow-run': [{ status: '200', schemas: [run] }],
};
const lookup: CommandLookup = Object.assign((catalog: string, command: string) => lookUpSmall(catalog, command), {
  answers: (_: string, command: string) => ({ answers: answers[command] ?? [], definitions }),
});

const compiled = (source: string, commands = lookup): readonly Violation[] => {
  const result = compileSource(`workflow: team.x\ndescription: D\n${source}`, 'x.yaml', undefined, commands);
  return result.ok ? result.warnings : result.violations;
};
const told = (found: readonly Violation[]): readonly unknown[] =>
  found.flatMap(({ rule, line, closest }) => (rule === 'type' ? [[line, closest]] : []));

const at = 'with: { owner: acme, repo: app, branch: main }';
const branch = `steps:\n  - { id: now, run: github repos/get-branch, ${at} }\n`;
const reading = (source: string): string => `${branch}  - { id: then, prompt: 'It is \${{ ${source} }}.' }\n`;

describe('what is read of an answer that its document describes', () => {
  it.each([
    'outputs.now.body.protected',
    'outputs.now.body["protected"]',
    'outputs.now.body.commit.parents[0].parents[1].sha',
    'outputs.now.body.commit.parents.map(p, p.sha).join(",")',
    'outputs.now.body.commit.parents.filter(p, p.sha != "x")[0].sha',
    'outputs.now.body.labels.anything[0].at.all',
    'dyn(outputs.now.body).secret_field',
    'has(outputs.now.body.stars)',
    'size(outputs.now.body)',
    'outputs.now.body[outputs.now.body.name]',
  ])('%s is in order', (source) => {
    expect(compiled(reading(source))).toEqual([]);
  });

  it.each<[string, string, string | undefined]>([
    ['outputs.now.body.protectd', 'reads `protectd` of `outputs.now.body`, ', 'outputs.now.body.protected'],
    ['outputs.now.body.nam', 'reads `nam` of `outputs.now.body`, ', 'outputs.now.body.name'],
    ['outputs.now.body["nmae"]', 'reads `nmae` of `outputs.now.body`, ', 'outputs.now.body.name'],
    ['has(outputs.now.body.protectd)', 'reads `protectd` of ', 'outputs.now.body.protected'],
    ['outputs.now.body.commit.parents[0].shaa', 'reads `shaa` of `outputs.now.body.commit.parents[0]`', '…'],
    ['outputs.now.body.commit.parents.map(p, p.shaa)', 'reads `shaa` of `p`', 'p.sha'],
    ['outputs.now.body.commit.parents.filter(p, true)[0].shaa', 'reads `shaa` of `', '…'],
    ['outputs.now.body.commit.parents.sha', 'which is a list and has none', undefined],
    ['outputs.now.body.name.first', 'which is text and has none', undefined],
    [
      'outputs.now.body.commit[0].sha',
      'reads an element of `outputs.now.body.commit`',
      'outputs.now.body.commit.parents',
    ],
    ['outputs.now.body.commit.map(c, c.sha)', 'map() goes over `outputs.now.body.commit`', '…'],
  ])('%s is refused', (source, message, closest) => {
    const found = compiled(reading(source));
    expect(found).toMatchObject([{ severity: 'error', rule: 'type', line: 5 }]);
    expect(found[0]!.message).toContain(message);
    if (closest !== '…') expect(found[0]!.closest).toBe(closest);
  });

  it('is only doubted where the name is no slip, since documents leave fields out', () => {
    const [found, ...more] = compiled(reading('outputs.now.body.stars'));
    expect(more).toEqual([]);
    expect(found).toMatchObject({
      severity: 'warning',
      rule: 'type',
      expected: 'full_name, name, protected, commit, labels',
    });
    expect(found!.message).toContain('If the server sends it, write `dyn(outputs.now.body).stars`');
    expect(compiled(reading('outputs.now.body.sha'))).toMatchObject([
      { severity: 'warning', closest: 'outputs.now.body.commit.sha' },
    ]);
  });

  it('is refused however many doubts come before', () => {
    const doubts = Array.from({ length: 120 }, (_, no) => `    - '\${{ outputs.now.body.stars${no} }}'\n`).join('');
    const found = compiled(`${branch}returns:\n  a:\n${doubts}  b: '\${{ outputs.now.body.protectd }}'\n`);
    expect(found.filter(({ severity }) => severity === 'error')).toHaveLength(1);
  });

  it('is looked at wherever it is read', () => {
    const source = `inputs:
  org: { type: string, provider: { run: github repos/list-for-org, with: { org: acme }, value: item.nmae, label: item.full_nam } }
steps:
  - id: now
    run: github repos/get-branch
    ${at}
    expect: status == 200 && body.protectd
    keep: { guarded: body.protectd, head: body.commit }
  - id: runs
    run: github actions/list-workflow-runs
    with: { owner: acme, repo: app, workflow_id: r.yml }
    paginate: { by: link, items: body.workflow_run }
    keep: { no: item.idd }
  - id: wait
    run: github actions/get-workflow-run
    with: { owner: acme, repo: app, run_id: "\${{ outputs.runs.body[0].no }}" }
    until: body.statu == "completed"
    timeout: 30m
  - id: each
    foreach: outputs.now.body.head.parents
    as: one
    steps: [ { id: p, if: one.shaa == "x", prompt: "\${{ outputs.now.body.hed }}" } ]
returns: { was: "\${{ outputs.wait.body.conclusoin }}" }
`;
    expect(told(compiled(source))).toEqual([
      [4, 'item.name'],
      [4, 'item.full_name'],
      [9, 'body.protected'],
      [10, 'body.protected'],
      [14, 'body.workflow_runs'],
      [19, 'body.status'],
      [24, 'one.sha'],
      [24, 'outputs.now.body.head'],
      [25, 'outputs.wait.body.conclusion'],
    ]);
  });

  it('passes where no document is there to say anything', () => {
    expect(compiled(reading('outputs.now.body.protectd'), lookUpSmall)).toEqual([]);
  });

  it.each([
    ['expect: [200, 404]', 'message'],
    ['expect: status < 500', 'message'],
    ['on_error: continue', 'message'],
    ['expect: [201]', 'anything'],
  ])('knows which answers are right: %s', (key, name) => {
    const source = (field: string): string =>
      `steps:\n  - { id: now, run: github repos/get-branch, ${at}, ${key} }\n  - { id: b, prompt: '\${{ outputs.now.body.${field} }}' }\n`;
    expect(compiled(source(name))).toEqual([]);
    expect(compiled(source(name).replace(key, 'timeout: 10s'))).toHaveLength(1);
  });

  it('asks for the list of pages and choices where the answer is an object', () => {
    const source = `inputs:
  run: { type: string, provider: { run: github actions/list-workflow-runs, with: { owner: a, repo: b, workflow_id: c }, value: item.id } }
steps:
  - id: runs
    run: github actions/list-workflow-runs
    with: { owner: acme, repo: app, workflow_id: r.yml }
    paginate: { by: link }
`;
    const found = compiled(source).filter(({ rule }) => rule === 'type');
    expect(found.map(({ pointer, closest }) => [pointer, closest])).toEqual([
      ['/inputs/run/provider', 'body.workflow_runs'],
      ['/steps/0/paginate', 'body.workflow_runs'],
    ]);
    expect(found[0]!.message).toContain('name the list in it with `items`');
  });
});

/** `x` is read of each, which declares `a`. */
const schemas: readonly (readonly [says: string, schema: JsonValue, found: 'error' | 'warning' | undefined])[] = [
  ['that there are no others', object({ abc: text }, { additionalProperties: false }), 'error'],
  ['nothing of others', object({ abc: text }), 'warning'],
  ['that there may be any', object({ abc: text }, { additionalProperties: true }), undefined],
  ['what others are', object({ abc: text }, { additionalProperties: text }), undefined],
  ['others by a pattern', object({ abc: text }, { patternProperties: { '^x': text } }), undefined],
  [
    'that there are forms of it elsewhere',
    object({ abc: text }, { discriminator: { propertyName: 'abc' } }),
    undefined,
  ],
  ['nothing of its fields', { type: 'object' }, undefined],
  ['that it has no fields at all', object({}, { additionalProperties: false }), undefined],
  ['nothing but its fields', { properties: { abc: text } }, 'warning'],
  ['that it may be null', object({ abc: text }, { nullable: true }), 'warning'],
  ['that it may be null, as 3.1 does', { type: ['object', 'null'], properties: { abc: text } }, 'warning'],
  ['two forms without it', { oneOf: [object({ abc: text }), object({ def: text })] }, 'warning'],
  ['two closed forms', { anyOf: [object({ abc: text }, { additionalProperties: false }), { type: 'null' }] }, 'error'],
  ['two forms, one with it', { oneOf: [object({ abc: text }), object({ xyz: text })] }, undefined],
  ['two forms, one of anything', { anyOf: [object({ abc: text }), {}] }, undefined],
  ['two forms, one a text', { anyOf: [object({ abc: text }), text] }, 'warning'],
  ['which fields must be there', { ...(object({ abc: text }) as object), anyOf: [{ required: ['abc'] }] }, 'warning'],
  ['what others say too', { allOf: [object({ abc: text }), object({ xyz: text })] }, undefined],
  ['what others do not say either', { allOf: [object({ abc: text }), object({ def: text })] }, 'warning'],
  [
    'that a part has no others',
    { allOf: [object({ abc: text }, { additionalProperties: false }), object({ d: text })] },
    'warning',
  ],
  ['what leads nowhere', { $ref: '#/$defs/gone' }, undefined],
  ['what leads to itself', { $ref: '#/$defs/circle' }, undefined],
  ['fields under another type', { type: 'string', properties: { abc: text } }, 'warning'],
];

describe('a schema that says', () => {
  it.each(schemas)('%s', (_, schema, severity) => {
    const commands: CommandLookup = Object.assign((catalog: string, command: string) => lookUpSmall(catalog, command), {
      answers: () => ({ answers: [{ status: 'default', schemas: [schema] }], definitions }),
    });
    const found = compiled(reading('outputs.now.body.xyz'), commands);
    expect(found.map((one) => one.severity)).toEqual(severity === undefined ? [] : [severity]);
  });
});
