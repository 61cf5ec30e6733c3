import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { workflowSchema } from './workflow-schema.js';

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
    'prompt: p, sets: { "a b": { type: string } }',
    'prompt: p, rules: [ { any: [ { contain: a } ] } ]',
  ])('refuses %s', (fields) => {
    expect(validate(step(fields))).toBe(false);
  });
});
