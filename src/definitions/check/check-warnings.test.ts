import { describe, expect, it } from 'vitest';
import type { Routines } from '../expand/compilation.js';
import { compileSource } from '../compile-source.js';

const warningsOf = (steps: string, head = ''): readonly { readonly rule: string }[] => {
  const result = compileSource(`workflow: team.x\ndescription: D\n${head}steps:\n${steps}`, 'x.yaml', asking);
  if (!result.ok) throw new Error(JSON.stringify(result.violations));
  return result.warnings.map(({ rule, line, column, message }) => ({ rule, at: [line, column], message }));
};
const asks = `workflow: team.asks\nkind: routine\nsteps: [ { id: q, prompt: p, needs: [ { reason: needs_user_choice, key: k, ask: Which? } ] } ]`;
const asking: Routines = (id) =>
  id === 'team.asks' ? { file: id, source: () => undefined, compile: () => compileSource(asks, id) } : undefined;
const loop = (test: string, inside = 'prompt: p, sets: { n: { type: integer } }'): string =>
  `  - { id: first, prompt: p, sets: { n: { type: integer }, on: { type: boolean } } }\n  - id: l\n    ${test}\n    max: 3\n    steps: [ { id: b, ${inside} } ]\n`;

describe('what is legal but unwise', () => {
  it.each<[string, string, string, string, [number, number], string]>([
    [
      'an input that nobody reads',
      '  - { id: a, prompt: p }\n',
      'inputs: { ticket: { type: string } }\n',
      'input_never_read',
      [3, 11],
      'read it as `inputs.ticket`, or take it out',
    ],
    [
      'a condition on a key that nobody sets',
      '  - { id: a, prompt: p }\n  - { id: b, if: context.done, prompt: p }\n',
      '',
      'context_never_set',
      [5, 18],
      'name it under `sets` of the step that finds it out',
    ],
    [
      'a text that prints a key that nobody sets',
      '  - { id: a, prompt: "${{ context.done }}" }\n',
      '',
      'context_never_set',
      [4, 23],
      'name it under `sets`',
    ],
    [
      'a misspelt key',
      '  - { id: a, prompt: p, sets: { risk: { type: string } } }\n  - { id: b, if: context.rsik == "high", prompt: p }\n',
      '',
      'context_never_set',
      [5, 18],
      'did you mean `context.risk`?',
    ],
    [
      'a misspelt key in a loop’s test',
      loop('while: context.nn > 0'),
      '',
      'context_never_set',
      [6, 12],
      'did you mean `context.n`?',
    ],
    [
      'an input taken for a key',
      '  - { id: a, prompt: "${{ context.ticket }} ${{ inputs.ticket }}" }\n',
      'inputs: { ticket: { type: string } }\n',
      'context_never_set',
      [5, 23],
      'did you mean `inputs.ticket`?',
    ],
    [
      'a schema that asks what is not always judged right',
      '  - { id: a, prompt: p, output: { kind: t.k, schema: { unevaluatedProperties: false }, example: {} } }\n',
      '',
      'schema_not_supported',
      [4, 79],
      'use `additionalProperties` beside them',
    ],
    [
      'a loop whose body sets nothing that its test reads',
      loop('while: context.n > 0', 'prompt: p'),
      '',
      'no_exit',
      [6, 12],
      'name it under `sets` of a step inside',
    ],
    ['a loop that is always to go on', loop('while: "true"'), '', 'no_exit', [6, 12], 'say how often with `repeat`'],
    ['a loop that never has enough', loop('until: context.n > 0 && 1 > 2'), '', 'no_exit', [6, 12], 'always the same'],
    [
      'a loop over what cannot change',
      loop('while: inputs.n > 0'),
      'inputs: { n: { type: integer } }\n',
      'no_exit',
      [7, 12],
      'let it read a context key',
    ],
    [
      'a loop that nobody ends',
      loop('control: true'),
      '',
      'no_exit',
      [6, 14],
      'give one of them `output: { contract: wr.contracts.loop_control }`',
    ],
    [
      'a loop that an artifact decides and no step hands back',
      loop('until: outputs.b.artifacts[0].decision == "stop"', 'prompt: p'),
      '',
      'no_artifact',
      [6, 12],
      'write `control: true`, with `output: { contract: wr.contracts.loop_control }` on the step inside that decides',
    ],
    [
      'a loop whose artifact decides nothing',
      loop('until: context.n > 0', 'prompt: p, output: { contract: wr.contracts.loop_control }'),
      '',
      'no_exit',
      [6, 12],
      'write `control: true` in place of `until`',
    ],
    [
      'a loop that never goes round again',
      loop('until: context.on || true'),
      '',
      'never_repeats',
      [6, 12],
      'make this a plain group',
    ],
    [
      'a step that can never run',
      '  - { id: a, if: "false", prompt: p }\n',
      '',
      'never_runs',
      [4, 18],
      'remove the step',
    ],
    [
      'a step that can never run, whatever is set',
      '  - { id: a, prompt: p, sets: { on: { type: boolean } } }\n  - { id: b, if: context.on && 1 > 2, prompt: p }\n',
      '',
      'never_runs',
      [5, 18],
      'remove the step',
    ],
    ['a loop that can never run', loop('while: "1 > 2"'), '', 'never_runs', [6, 12], 'remove the step'],
    ['a loop over nothing', loop('foreach: "[]"'), '', 'never_runs', [6, 14], 'remove the step'],
    ['no repetition', loop('repeat: 0'), '', 'never_runs', [6, 13], 'remove the step'],
    [
      'a piece to delegate without a routine',
      '  - { id: a, delegate: [ { goal: Look at it. } ] }\n',
      '',
      'no_routine',
      [4, 26],
      'name the `routine` that says how',
    ],
    [
      'a loop in a loop that nothing starts anew',
      '  - { id: first, prompt: p, sets: { n: { type: integer } } }\n  - id: o\n    repeat: 3\n    steps:\n      - { id: l, while: context.n > 0, max: 3, steps: [ { id: b, prompt: p, sets: { n: { type: integer } } } ] }\n',
      '',
      'runs_once',
      [8, 25],
      'set `n` again in a step before it',
    ],
    [
      'a key that the step itself hands back',
      '  - { id: a, prompt: "${{ context.n }}", sets: { n: { type: integer } } }\n',
      '',
      'not_yet_set',
      [4, 23],
      'its text is shown before that',
    ],
    [
      'a thing that only the user has, in the step that asks for it',
      '  - { id: a, prompt: "${{ context.doc }}", needs: [ { reason: needs_user_artifact, key: doc, ask: Paste it. } ] }\n',
      '',
      'not_yet_set',
      [4, 23],
      'its text is shown before that',
    ],
    [
      'a key that only comes later',
      '  - { id: a, prompt: p }\n  - { id: b, if: context.n > 1, prompt: p }\n  - { id: c, prompt: p, sets: { n: { type: integer } } }\n',
      '',
      'not_yet_set',
      [5, 18],
      'only `c` hands back, later; check it in a later step',
    ],
    [
      'a key that the step itself hands back, in a loop',
      '  - { id: l, repeat: 2, steps: [ { id: a, prompt: "${{ context.n }}", sets: { n: { type: integer } } } ] }\n',
      '',
      'not_yet_set',
      [4, 52],
      'the first round has no value',
    ],
    [
      'a question that is the same in each round',
      '  - { id: l, repeat: 2, steps: [ { id: a, prompt: p, needs: [ { reason: needs_user_choice, key: k, ask: Which? } ] } ] }\n',
      '',
      'same_question',
      [4, 105],
      'such as `${{ iteration }}`',
    ],
    [
      'a question of a routine that is the same in each round',
      '  - { id: l, foreach: "[1, 2]", as: one, steps: [ { id: a, call: team.asks } ] }\n',
      '',
      'same_question',
      [4, 66],
      'asks the user for `k` in each round',
    ],
    [
      'a kind that is nearly one of a contract',
      '  - { id: a, prompt: p, output: { kind: mr_review.finding, schema: { type: object }, example: {} } }\n',
      '',
      'near_kind',
      [4, 41],
      '`contract: wr.contracts.findings`',
    ],
    [
      'a kind that is nearly another step’s',
      '  - { id: a, prompt: p, output: { kind: team.risk, schema: { type: object }, example: {} } }\n  - { id: b, prompt: p, output: { kind: team.risks, schema: { type: object }, example: {} } }\n',
      '',
      'near_kind',
      [5, 41],
      'another step outputs `team.risk`',
    ],
    [
      'a kind that nobody hands back, and nearly somebody does',
      '  - { id: a, prompt: p, output: { kind: team.risk, schema: { type: object }, example: {} } }\n  - { id: b, if: "outputs.a.artifacts.exists(x, x.kind == \'team.riks\')", prompt: p }\n',
      '',
      'near_kind',
      [5, 19],
      'did you mean `team.risk`?',
    ],
    [
      'a comma in a flow list',
      '  - { id: a, prompt: p, guidance: [ Read it all., Run it once, then again, and stop., Say so. ] }\n',
      '',
      'comma',
      [4, 64],
      'put the text in quotes: `"Run it once, then again, and stop."`',
    ],
    [
      'a comparison with null',
      '  - { id: a, prompt: p, sets: { n: { type: integer } } }\n  - { id: b, if: context.n != null, prompt: p }\n',
      '',
      'null',
      [5, 18],
      'asked with `has(context.n)`',
    ],
    [
      'a prompt over 8 KiB',
      `  - id: a\n    prompt: ${'word '.repeat(1700)}\n`,
      '',
      'long_prompt',
      [5, 13],
      'split the step',
    ],
  ])('%s is told with its place and what to do', (...[, steps, head, rule, at, remedy]) => {
    const warnings = warningsOf(steps, head).filter((warning) => warning.rule === rule);
    expect(warnings).toEqual([{ rule, at, message: expect.stringContaining(remedy) }]);
  });

  it('says nothing of what is in order', () => {
    expect(
      warningsOf(
        `  - { id: a, prompt: "\${{ inputs.ticket }}", sets: { n: { type: integer }, list: { type: array } } }
  - { id: b, if: has(context.list) && inputs.ticket != "", prompt: p }
  - { id: c, while: context.n > 0, max: 2, steps: [ { id: d, prompt: p, sets: { n: { type: integer } } } ] }
  - { id: e, until: iteration > 2 || context.n == 0, max: 4, steps: [ { id: f, prompt: p } ] }
  - { id: g, while: has(outputs.f) && size(outputs.f.notes) < 9, max: 2, steps: [ { id: h, prompt: p } ] }
  - { id: i, control: true, max: 2, steps: [ { id: j, prompt: p, output: { contract: wr.contracts.loop_control } } ] }
  - { id: n, repeat: 2, steps: [ { id: o, prompt: p, sets: { n: { type: integer } } }, { id: q, while: context.n > 0, max: 2, steps: [ { id: r, prompt: "Left: \${{ context.n }}", sets: { n: { type: integer } } } ] } ] }
  - { id: s, foreach: context.list, as: one, steps: [ { id: t, while: context.n > one, max: 2, steps: [ { id: u, prompt: "\${{ has(context.w) ? context.w : 'none' }}", sets: { n: { type: integer }, w: { type: string } } } ] } ] }
  - { id: v, foreach: context.list, as: one, steps: [ { id: x, prompt: p, needs: [ { reason: needs_user_choice, key: ok, ask: "Is \${{ one }} right?" } ] } ] }
  - { id: y, prompt: { procedure: [ "Read it, then judge.", Say so. ] } }
  - { id: z, guidance: [ read it, judge it ], prompt: "\${{ size(outputs.j.artifacts.filter(a, a.kind == 'wr.loop_control')) }}" }
  - { id: k, foreach: context.list, steps: [ { id: m, prompt: "\${{ item }}" } ] }
`,
        'inputs: { ticket: { type: string } }\n',
      ),
    ).toEqual([]);
  });
});
