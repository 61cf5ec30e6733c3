import { describe, expect, it } from 'vitest';
import { compileSource } from '../definitions/compile-source.js';
import { misspeltInputs } from './take-inputs.js';

const compiled = (inputs: string) => {
  const made = compileSource(
    `workflow: team.x\ndescription: d\n${inputs}steps:\n  - { id: a, if: context.dept1 != "x", prompt: "Do it." }\n`,
    'x',
  );
  if (!made.ok) throw new Error(JSON.stringify(made.violations));
  return made.workflow;
};
const declared = compiled('inputs: { task: { type: string }, depth: { type: string, default: quick } }\n');

describe('an input whose name slipped', () => {
  it('is told with the one that was meant, and the value goes there', () => {
    const { violations, again } = misspeltInputs(declared, { taks: 'y', depht: 'full' });
    expect(violations.map(({ path, rule, expected }) => [path, rule, expected])).toEqual([
      ['/context/taks', 'unknown_input', 'task'],
      ['/context/depht', 'unknown_input', 'depth'],
    ]);
    expect(again).toEqual([
      { at: '/context/taks', to: undefined },
      { at: '/context/task', to: 'y' },
      { at: '/context/depht', to: undefined },
      { at: '/context/depth', to: 'full' },
    ]);
  });

  it.each([
    ['a fact that is only like an input', { taskNotes: 'y' }],
    ['one that was given as well', { task: 'x', taks: 'y' }],
    ['what conditions read', { dept1: 'y' }],
    ['the ticket of the workstream', { ticketId: 'T-1' }],
    ['what is called nothing like one', { branch: 'main' }],
  ])('is not: %s', (_, context) => {
    expect(misspeltInputs(declared, context).violations).toEqual([]);
  });

  it('is nothing where a workflow declares no inputs and takes any facts', () => {
    expect(misspeltInputs(compiled(''), { taks: 'y' }).violations).toEqual([]);
  });
});
