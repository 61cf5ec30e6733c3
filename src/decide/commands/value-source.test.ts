import { describe, expect, it } from 'vitest';
import { compileSource } from '../../definitions/compile-source.js';
import { placesOf } from '../../definitions/compiled/place.js';
import { valueSource } from './value-source.js';

const compiled = compileSource(
  `workflow: team.x
description: Use this to try.
inputs: { rows: { type: array } }
steps:
  - id: ask
    prompt: Ask.
    sets: { list: { type: array } }
  - id: theirs
    foreach: context.list
    as: one
    steps: [ { id: a, prompt: A } ]
  - id: given
    foreach: inputs.rows
    as: state
    steps: [ { id: b, prompt: B } ]
`,
  'x.yaml',
);
if (!compiled.ok) throw new Error('it compiles');
const { workflow } = compiled;
const sourceAt = (step: string, expression: string): string =>
  valueSource(workflow, expression, placesOf(workflow).get(step)?.around ?? []);

describe('whose word a value is', () => {
  it.each([
    ['ask', 'inputs.rows', 'begin'],
    ['ask', 'state.open', 'agent'],
    ['ask', 'size(state.list) + 1', 'agent'],
    ['a', 'one', 'agent'],
    ['a', 'one.id', 'agent'],
    ['b', 'state', 'begin'],
    ['b', 'state.id', 'begin'],
    ['a', 'context.list[0]', 'agent'],
  ])('at %s, %s: %s', (step, expression, from) => {
    expect(sourceAt(step, expression)).toBe(from);
  });
});
