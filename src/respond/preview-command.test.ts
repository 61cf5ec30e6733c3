import { describe, expect, it } from 'vitest';
import { lookUpSmall } from '../../property-tests/worlds/small-catalog.js';
import { compileSource } from '../definitions/compile-source.js';
import { commandsIn } from '../definitions/compiled/visit-steps.js';
import { previewCommand } from './preview-command.js';

const previewOf = (fields: string): object => {
  const text = `workflow: team.x\ndescription: D\nsteps:\n  - { id: a, ${fields} }\n`;
  const compiled = compileSource(text, 'x.yaml', undefined, lookUpSmall);
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.violations));
  const [step] = commandsIn(compiled.workflow.steps);
  if (step?.kind !== 'run') throw new Error('it runs a command');
  return previewCommand(compiled.workflow, step);
};
const create = 'run: github issues/create, with: { owner: a, repo: b }, body: { title: T }';
const get = 'run: github repos/get-branch, with: { owner: a, repo: b, branch: c }';

describe('how often a command is sent', () => {
  it.each([
    [create, false, undefined],
    [`${create}, retry: { max: 2, on: [429] }`, false, 'tried again up to 2 times after 429 with Retry-After'],
    [`${create}, retry: {}`, false, undefined],
    [`${create}, retry: { max: 1 }`, false, 'tried again once after 429, 503 with Retry-After'],
    [`${create}, retry: { max: 0 }`, false, 'never tried again'],
    [`${create}, repeatable: true, retry: { max: 5, on: [500] }`, true, 'tried again up to 5 times after 500'],
    [get, true, undefined],
    [
      `${get}, retry: { on: [network], up_to: 5s }`,
      true,
      'tried again up to 2 times after network with pauses up to 5 s',
    ],
  ])('%s', (fields, repeatable, how) => {
    const preview = previewOf(fields);
    expect(preview).toMatchObject({ repeatable, ...(how !== undefined && { how }) });
    expect('how' in preview).toBe(how !== undefined);
  });
});
