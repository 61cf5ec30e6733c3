import { expect, it } from 'vitest';
import { compileSource } from '../definitions/compile-source.js';
import { unknownInputs } from './unknown-inputs.js';

const made = compileSource(
  'workflow: team.x\ndescription: d\ninputs: { ticket: { type: string, required: true }, depth: { type: string, default: quick } }\nsteps:\n  - { id: a, if: context.dept1 != "x", prompt: "${{ inputs.ticket }} ${{ inputs.depth }} ${{ context.owner }}" }\n',
  'x',
);
if (!made.ok) throw new Error(JSON.stringify(made.violations));
const { workflow } = made;

it.each([
  ['a misspelt one', { ticket: 'A', dept: 'full' }, ['/context/dept']],
  ['not one that was given as well', { ticket: 'A', depth: 'full', dept: 'full' }, []],
  ['not one that is read', { ticket: 'A', dept1: 'y' }, []],
  ['not one that is called nothing like an input', { ticket: 'A', branch: 'main' }, []],
])('tells of inputs that were meant: %s', (_, context, paths) => {
  expect(unknownInputs(workflow, context).map(({ path }) => path)).toEqual(paths);
});
