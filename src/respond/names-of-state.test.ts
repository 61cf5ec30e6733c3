import { expect, it } from 'vitest';
import { compileSource } from '../definitions/compile-source.js';
import { namesOfState } from './names-of-state.js';

const made = compileSource(
  'workflow: team.x\ndescription: d\nsteps:\n  - { id: a, if: context.completed, prompt: Go., sets: { output: { type: string } } }\n',
  'x',
);
if (!made.ok) throw new Error(JSON.stringify(made.violations));
const { workflow } = made;

it.each([
  ['facts', { branch: 'main', size: 2 }, []],
  ['fields of a call', { confirmed: true, gaps: [], notesMarkdown: 1 }, ['confirmed', 'gaps', 'notesMarkdown']],
  ['where the run stands', { stateToken: 's', currentStep: 2 }, ['currentStep', 'stateToken']],
  ['keys that the workflow asks for', { completed: ['a'], output: 'x' }, []],
])('warns of what is no fact: %s', (_, context, keys) => {
  expect(namesOfState(workflow, context).map(({ path }) => path)).toEqual(keys.map((key) => `/context/${key}`));
});
