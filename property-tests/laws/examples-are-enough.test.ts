import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../src/base/json-value.js';
import { compileSource } from '../../src/definitions/compile-source.js';
import { placesOf } from '../../src/definitions/compiled/place.js';
import { judgeStep } from '../../src/engine/judge-step.js';
import { tellExpects } from '../../src/respond/tell-step.js';
import { patience, runs } from '../worlds/runs-of-law.js';

/** Whatever an author may ask of a step, sound or not. */
const nothingKnown = { context: {}, isAnswer: () => true, fill: (text: string) => text };
const word = fc.constantFrom('Risk:', 'Done', 'Next', 'x', 'Seen: all of it');
const pattern = fc.constantFrom(
  '^Done',
  '(?i)risk: \\w+',
  '\\d{2,}',
  '^[A-Z][a-z ]+$',
  '(?m)^Cause: .+$',
  'end\\.$',
  'a^b',
  '[[:upper:]]{3}',
  '^\\S+@\\S+$',
);
const length = fc.constantFrom(1, 5, 60, 61, 400, 3000);
const { rule } = fc.letrec<{ rule: JsonObject }>((tie) => ({
  rule: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.record(
      { contains: word, matches: pattern, minLength: length, maxLength: length, message: fc.constant('Say it.') },
      { requiredKeys: [] },
    ) as fc.Arbitrary<JsonObject>,
    fc.array(tie('rule'), { minLength: 1, maxLength: 3 }).map((all) => ({ all })),
    fc.array(tie('rule'), { minLength: 1, maxLength: 3 }).map((any) => ({ any })),
    tie('rule').map((not) => ({ not })),
  ),
}));
const { spec } = fc.letrec<{ spec: JsonObject }>((tie) => ({
  spec: fc.record(
    {
      type: fc.constantFrom('string', 'number', 'integer', 'boolean', 'array', 'object', 'any'),
      enum: fc.array(fc.constantFrom<JsonValue>('Risk: x', 'AB', 3, true), { minLength: 1, maxLength: 3 }),
      pattern,
      minimum: fc.constantFrom(-3.5, 0, 2.5, 7),
      maximum: fc.constantFrom(-1, 0.5, 3, 9),
      items: tie('spec'),
    },
    { requiredKeys: ['type'] },
  ) as fc.Arbitrary<JsonObject>,
}));
const level = fc.constantFrom('low', 'mid', 'high');
const assessment = fc.record({
  id: fc.constantFrom('fit', 'taste'),
  purpose: fc.constant('P'),
  dimensions: fc.dictionary(
    fc.constantFrom('d', 'e'),
    fc.record({ purpose: fc.constant('P'), levels: fc.uniqueArray(level, { minLength: 2 }), required: fc.boolean() }),
    { minKeys: 1 },
  ),
  followUps: fc.array(fc.record({ level, guidance: fc.constant('G') }), { maxLength: 3 }),
});
const step = fc.record(
  {
    rules: fc.array(rule, { maxLength: 3 }),
    notes: fc.constantFrom('required', 'encouraged', 'optional'),
    sets: fc.dictionary(fc.constantFrom('k', 'l', 'm'), spec),
    output: fc
      .uniqueArray(
        fc.constantFrom(
          'wr.contracts.findings',
          'wr.contracts.loop_control',
          'wr.contracts.review_header',
          'wr.contracts.coding_handoff',
          'wr.contracts.gate_verdict',
        ),
        { minLength: 1, maxLength: 3 },
      )
      .map((refs) => refs.map((contract) => ({ contract }))),
    assessments: fc.uniqueArray(assessment, { minLength: 1, maxLength: 2, selector: ({ id }) => id }),
  },
  { requiredKeys: [] },
);
/** What later steps read of it. */
const after = fc.constantFrom(
  'context.k == "AB"',
  'size(context.l) > 2',
  'context.m.exists(x, x.open && x.risk == "high")',
  'context.n.deep > 3',
  'context.o.startsWith("a")',
  'context.p[0].name in ["a", "b"]',
);

test(
  'Whoever hands back the examples of what a step expects is done with it',
  () => {
    let compiled = 0;
    fc.assert(
      fc.property(step, fc.array(after, { maxLength: 3 }), (fields, conditions) => {
        const source = {
          workflow: 'team.x',
          description: 'D',
          steps: [
            { id: 'a', prompt: 'p', ...fields },
            ...conditions.map((condition, at) => ({ id: `b${at}`, if: condition, prompt: 'q' })),
          ],
        };
        const result = compileSource(JSON.stringify(source), 'x');
        // What cannot be kept is told before anybody tries.
        if (!result.ok) return;
        compiled += 1;
        const asked = placesOf(result.workflow).get('a')?.step;
        if (asked?.kind !== 'prompt') throw new Error('it is a prompt step');
        const { notes, artifacts, context } = tellExpects(result.workflow, asked, nothingKnown, false);
        const patch = Object.fromEntries(context.map(({ key, example }) => [key, example]));
        const { mend } = judgeStep(
          result.workflow,
          asked,
          {
            notes: notes.example,
            artifacts: artifacts.map(({ example }) => example),
            patch,
            ...nothingKnown,
            context: patch,
            confirmed: true,
            reported: [],
          },
          false,
        );
        expect(mend).toEqual([]);
      }),
      runs(400),
    );
    expect(compiled).toBeGreaterThan(40);
  },
  patience,
);
