import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../base/json-value.js';
import { promptsIn } from '../compiled/visit-steps.js';
import { compileSource } from '../compile-source.js';

const risk = {
  kind: 'team.risk',
  schema: {
    properties: { risk: { enum: ['low', 'high'] }, why: {} },
    required: ['risk'],
    additionalProperties: false,
  },
  example: { risk: 'low' },
};
const cost = { kind: 'team.cost', schema: { properties: { hours: {}, why: {} } }, example: { hours: 3 } };

const compile = (from: string, output?: JsonObject | readonly JsonObject[]): ReturnType<typeof compileSource> =>
  compileSource(
    JSON.stringify({
      workflow: 'team.x',
      description: 'D',
      steps: [
        { id: 'judge', prompt: 'Judge.', sets: { k: { from } }, ...(output && { output }) },
        { id: 'watch', if: 'context.k == "high"', prompt: 'Watch.' },
      ],
    }),
    'x.json',
  );
const told = (...of: Parameters<typeof compile>): readonly string[] => {
  const made = compile(...of);
  const found = made.ok ? made.warnings : made.violations;
  return found.map(({ pointer, message }) => `${pointer}: ${message}`);
};

describe('a key that is taken from an artifact', () => {
  it('is compiled with the way to it, and not asked for', () => {
    const made = compile('output.risk', [risk, cost]);
    expect(made.ok && promptsIn(made.workflow.steps)[0]).toMatchObject({
      sets: {},
      takes: { k: { kind: 'team.risk', field: ['risk'] } },
    });
    expect(told('output.risk', [risk, cost])).toEqual([]);
    expect(told('output.hours.least', cost)).toEqual([]);
  });

  it('comes from one field of one artifact that surely comes', () => {
    expect(told('output.risk')).toEqual([expect.stringContaining('the step has no `output`; give it one')]);
    expect(told('output.risks', risk)).toEqual([
      expect.stringMatching(/team\.risk has no field `risks`; did you mean `output\.risk`\?$/u),
    ]);
    expect(told('output.hour', [risk, cost])).toEqual([
      expect.stringMatching(/no output of this step has a field `hour`; did you mean `output\.hours`\?$/u),
    ]);
    expect(told('output.why', [risk, cost])).toEqual([
      expect.stringContaining('team.risk and team.cost each have a field `why`'),
    ]);
    expect(told('output.risk', { ...risk, required: false })).toEqual([expect.stringContaining('may be left out')]);
    expect(told('context.risk', risk)[0]).toMatch(/sets\/k/u);
    expect(told('output.contract', { contract: 'wr.contracts.nothing' })).toEqual([
      expect.stringContaining('no contract named'),
    ]);
  });

  it('tells what is wrong with a key beside it as ever', () => {
    const source = (spec: JsonObject): JsonObject => ({
      workflow: 'team.x',
      description: 'D',
      steps: [{ id: 'a', prompt: 'Go.', sets: { k: spec } }],
    });
    const messages = (spec: JsonObject): readonly string[] => {
      const made = compileSource(JSON.stringify(source(spec)), 'x.json');
      return made.ok ? [] : made.violations.map(({ message }) => message);
    };
    expect(messages({ typ: 'string' })).toMatchInlineSnapshot(`
      [
        "\`type\` is missing",
        "\`typ\` is not known here; did you mean \`type\`?",
      ]
    `);
    expect(messages({ type: 'text' })).toMatchInlineSnapshot(`
      [
        "expected one of string, number, integer, boolean, array, object, any, got "text"; did you mean \`string\`?",
      ]
    `);
    expect(messages({ type: 'string', enumm: ['a'] })).toMatchInlineSnapshot(`
      [
        "\`enumm\` is not known here; did you mean \`enum\`?",
      ]
    `);
    expect(messages({})).toMatchInlineSnapshot(`
      [
        "\`type\` is missing",
      ]
    `);
    expect(messages({ from: 'outputs.risk' })).toMatchInlineSnapshot(`
      [
        ""outputs.risk" is not a right name or form",
      ]
    `);
    expect(messages({ from: 'output.risk', type: 'string' })).toMatchInlineSnapshot(`
      [
        "\`from\` cannot be combined with the other keys here; remove one of them",
        "\`k\` is taken from the step's artifact, and the step has no \`output\`; give it one",
      ]
    `);
  });
});
