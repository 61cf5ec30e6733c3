import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { JsonValue } from '../../base/json-value.js';
import type { RunStep } from '../../definitions/compiled/compiled-workflow.js';
import { compileSource } from '../../definitions/compile-source.js';
import { filledRequest } from './filled-request.js';

const compiled = compileSource('workflow: team.x\ndescription: D\nsteps:\n  - { id: a, prompt: P }\n', 'x');
if (!compiled.ok) throw new Error(JSON.stringify(compiled.violations));
const { workflow } = compiled;
const step = (more: Partial<RunStep>): RunStep => ({
  kind: 'run',
  id: 'a',
  title: 'A',
  catalog: 'shop',
  command: 'list',
  ...more,
});
const left = { call: 'c_1', ok: true, status: 200, noBody: 'secret' };
const scope = (outputs: object): Parameters<typeof filledRequest>[2] => ({
  inputs: {},
  context: { name: 'otp' },
  outputs: { open: { ok: true, status: 200, body: { v: 'open' } }, ...outputs } as never,
  names: {},
});
const holes = [
  'outputs.otp.body.v',
  "outputs['otp'].body['v']",
  'outputs[context.name].body.v',
  '[outputs.otp.body.v]',
  '{"it": outputs.otp.body}',
  'string(outputs.otp.body.v) + "!"',
  'outputs.open.ok ? outputs.otp.body.v : ""',
  '[1].map(one, outputs.otp.body.v)',
  'outputs',
];
const texts = fc.constantFrom(
  (hole: string): JsonValue => `\${{ ${hole} }}`,
  (hole) => `before \${{ ${hole} }} and \${{ outputs.open.body.v }}`,
  (hole) => ({ deep: [`\${{${hole}}}`] }),
  (hole) => ({ file: `\${{ ${hole} }}` }),
);

it('whatever reads a secret answer is told as it is written, however short that is, and sent as it is', () => {
  const secrets = fc.oneof(fc.integer({ min: 1000, max: 9999 }), fc.stringMatching(/^[A-Z][0-9]{3}$/u));
  fc.assert(
    fc.property(secrets, fc.constantFrom(...holes), texts, fc.boolean(), (secret, hole, text, inBody) => {
      const given = inBody ? { body: text(hole) } : { with: { q: text(hole) } };
      const request = filledRequest(step(given), workflow, scope({ otp: left }), {
        mark: 'm4rk',
        secretAnswer: () => ({ v: secret }),
      });
      if (!request.ok) throw new Error(request.error.message);
      const { filled, named, secretParts } = request.value;
      expect(JSON.stringify(named)).not.toContain(String(secret));
      expect(JSON.stringify(named)).toContain(JSON.stringify(hole).slice(1, -1));
      expect(JSON.stringify(filled)).toContain(String(secret));
      expect(secretParts.join()).toContain(String(secret));
    }),
  );
});

it('what reads nothing secret is told as it is sent', () => {
  const request = filledRequest(
    step({ with: { q: '${{ outputs.open.body.v }}', key: '${{ secrets.KEY }}' } }),
    workflow,
    scope({ otp: left }),
    { mark: 'm4rk', secretAnswer: () => ({ v: 1 }) },
  );
  expect(request).toEqual({
    ok: true,
    value: {
      filled: { with: { q: 'open', key: '${{ secrets.KEY m4rk}}' } },
      named: { with: { q: 'open', key: '${{ secrets.KEY }}' } },
      secretParts: [],
    },
  });
});

it('an answer that this process does not have is told to be lost', () => {
  const lost = filledRequest(step({ body: '${{ outputs.otp.body.v }}' }), workflow, scope({ otp: left }), {
    mark: 'm4rk',
    secretAnswer: () => undefined,
  });
  expect(lost).toMatchObject({ ok: false, error: { message: expect.stringContaining('run the workflow again') } });
});
