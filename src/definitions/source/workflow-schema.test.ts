import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json-value.js';
import { workflowSchema } from './workflow-schema.js';

interface Described {
  readonly pointer: string;
  readonly schema: JsonObject;
}

/** Every property of the format that an author can write. */
function propertiesOf(value: JsonValue | undefined, pointer = ''): readonly Described[] {
  if (Array.isArray(value))
    return (value as readonly JsonValue[]).flatMap((item, at) => propertiesOf(item, `${pointer}/${at}`));
  if (!isJsonObject(value)) return [];
  const own = isJsonObject(value['properties']) ? Object.entries(value['properties']) : [];
  return [
    ...own.map(([name, schema]) => ({ pointer: `${pointer}/${name}`, schema: schema as JsonObject })),
    ...Object.entries(value).flatMap(([key, inner]) => propertiesOf(inner, `${pointer}/${key}`)),
  ];
}

const withoutDescription = (schema: JsonObject): readonly string[] =>
  propertiesOf(schema).flatMap((one) => (typeof one.schema['description'] === 'string' ? [] : [one.pointer]));

describe('the published schema', () => {
  const validate = new Ajv2020({ strictTypes: false, allErrors: true }).compile(workflowSchema());
  const step = (fields: string): unknown => parse(`{ workflow: team.x, steps: [ { id: a, ${fields} } ] }`);

  it('is the one in docs', () => {
    const published = readFileSync(new URL('../../../docs/workflow.schema.json', import.meta.url), 'utf8');
    expect(published === `${JSON.stringify(workflowSchema(), null, 2)}\n` ? '' : 'npm run generate').toBe('');
  });

  it.each([
    'prompt: p',
    'prompt: { goal: g, procedure: [a, b] }, output: { contract: wr.contracts.findings }, confirm: { if: "true" }',
    'foreach: context.l, steps: [ { id: b, delegate: [ { routine: team.r, goal: g, with: { x: [1] } } ] } ]',
    'run: github repos/get-branch, with: { "query.id": 1 }, expect: [200, 4xx], until: body.done, every: 15s, timeout: 30m',
    'run: github GET /x, paginate: { by: link, max_items: 3 }, retry: { max: 3, on: [429, network] }, depends_on: [b]',
    'fail: "${{ inputs.x }}"',
    'control: true, max: 3, steps: [ { id: b, call: team.r } ]',
    'prompt: p, rules: [ { any: [ { contains: a }, { not: { minLength: 3 } } ] } ], sets: { k: { type: array, items: { type: string } } }',
  ])('takes %s', (fields) => {
    validate(step(fields));
    expect(validate.errors ?? []).toEqual([]);
  });

  it.each([
    'promt: p',
    'prompt: { gaol: g }',
    'prompt: p, notes: maybe',
    'run: github',
    'run: github x, timeout: soon',
    'run: github x, paginate: { items: body }',
    'prompt: p, sets: { "a b": { type: string } }',
    'prompt: p, rules: [ { any: [ { contain: a } ] } ]',
  ])('refuses %s', (fields) => {
    expect(validate(step(fields))).toBe(false);
  });

  it('says of every property what it is', () => {
    expect(propertiesOf(workflowSchema()).length).toBeGreaterThan(90);
    expect(withoutDescription(workflowSchema())).toEqual([]);
    expect(withoutDescription({ properties: { steps: { items: { properties: { estimate: {} } } } } })).toEqual([
      '/steps',
      '/properties/steps/items/estimate',
    ]);
  });

  it('shows examples that are right', () => {
    const { $defs = {} } = workflowSchema();
    const wrong = propertiesOf(workflowSchema()).flatMap(({ pointer, schema }) => {
      const judge = new Ajv2020({ strictTypes: false, allowUnionTypes: true }).compile({ ...schema, $defs });
      const examples = (schema['examples'] ?? []) as readonly JsonValue[];
      return examples.filter((example) => !judge(example)).map((example) => ({ pointer, example }));
    });
    expect(wrong).toEqual([]);
    const shown = propertiesOf(workflowSchema()).filter(({ schema }) => Object.hasOwn(schema, 'examples'));
    expect(shown.length).toBeGreaterThan(20);
  });
});
