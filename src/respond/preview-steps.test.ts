import { expect, it } from 'vitest';
import { compileSource } from '../definitions/compile-source.js';
import type { CompiledWorkflow } from '../definitions/compiled/compiled-workflow.js';
import { previewFrom, previewSteps } from './preview-steps.js';

function chain(length: number): CompiledWorkflow {
  const steps = Array.from({ length }, (_, at) => ({
    id: `s${at}`,
    ...(at > 0 && { if: `context.k${at - 1} == "a"` }),
    prompt: `Do \${{ context.k${Math.max(0, at - 1)} }}`,
    sets: { [`k${at}`]: { type: 'string', enum: ['a', 'b'] } },
  }));
  const made = compileSource(
    JSON.stringify({ workflow: 'team.chain', title: 'Chain', description: 'd', steps }),
    'chain.json',
  );
  if (!made.ok) throw new Error(JSON.stringify(made.violations));
  return made.workflow;
}

// With the square of the steps for each step this took minutes.
it('shows a thousand steps that hang on each other', { timeout: 20_000 }, () => {
  const shown = previewSteps(chain(1000));
  expect(shown).toHaveLength(1000);
  expect(shown[998]).toMatchObject({
    stepId: 's998',
    context: [{ key: 'k998', required: true, neededBy: ['whether step “S999” runs', 'the prompt of step “S999”'] }],
  });
});

it('goes on from any step as it would from the first', () => {
  const workflow = chain(5);
  expect([...previewFrom(workflow, 3)]).toEqual(previewSteps(workflow).slice(3));
});

it('asks nothing that a call has settled', () => {
  const routine = compileSource(
    'workflow: team.r\nkind: routine\ndescription: d\ninputs: { angle: { type: string } }\nsteps:\n  - { id: a, if: has(inputs.angle), prompt: "Go by ${{ inputs.angle }}.", sets: { more: { type: boolean } } }\n  - { id: b, if: has(inputs.angle) && context.more, prompt: Go on. }\n',
    'r.yaml',
  );
  const find = Object.assign(
    (id: string) => (id === 'team.r' ? { file: 'r.yaml', compile: () => routine, source: () => undefined } : undefined),
    { ids: () => ['team.r'] },
  );
  const caller = compileSource(
    'workflow: team.x\ndescription: d\nsteps:\n  - { id: s, call: team.r, with: { angle: speed } }\n',
    'x.yaml',
    find,
  );
  if (!caller.ok) throw new Error(JSON.stringify(caller.violations));
  expect(previewSteps(caller.workflow).map((step) => [step['stepId'], step['if']])).toEqual([
    ['s', undefined],
    ['s-a', undefined],
    ['s-b', 'context.more'],
  ]);
});
