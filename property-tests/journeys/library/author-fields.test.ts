import { expect, it } from 'vitest';
import { authorSchemas } from '../../../src/contract/tools/author-schemas.js';
import { openBuiltRequests } from '../../worlds/built-requests.js';
import { call, makeRequestsWorld, textOf } from '../../worlds/requests-world.js';

/** What the seed names, in its words; its `version` of a file is our `revision`. */
const seed: Readonly<Record<string, { readonly takes: string; readonly gives: string }>> = {
  get_workflow: { takes: 'workflow_id', gives: 'workflow_id path format content parsed version' },
  validate_workflow: { takes: 'content', gives: 'valid violations warnings' },
  preview_inputs: { takes: 'content', gives: 'inputs' },
  preview_rendered: { takes: 'content inputs', gives: 'steps' },
  save_workflow: { takes: 'content overwrite expected_version', gives: 'path workflow_id version warnings' },
  rename_workflow: { takes: 'workflow_id new_id', gives: 'workflow_id path version' },
  resolve_inputs: { takes: 'content inputs', gives: 'ready resolved inputs' },
  plan_steps: { takes: 'content inputs', gives: 'steps plan confirm' },
  delete_workflow: { takes: 'workflow_id', gives: 'workflow_id happened' },
};
const ours = (names: string): readonly string[] =>
  names
    .split(' ')
    .map((name) => name.replace(/^(?:expected_)?version$/u, (version) => version.replace('version', 'revision')))
    .map((name) => name.replaceAll(/_([a-z])/gu, (_, letter: string) => letter.toUpperCase()));

it.each(Object.entries(seed))('every field that the seed names is taken by %s', (name, { takes }) => {
  const { shape } = authorSchemas[name as keyof typeof authorSchemas];
  expect(Object.keys(shape)).toEqual(expect.arrayContaining([...ours(takes)]));
});

const content = `workflow: team.release
title: Release
description: Use this to make a release.
version: 1.0.0
inputs:
  version: { type: string, required: true }
  dry: { type: boolean, default: true }
steps:
  - id: tag
    if: inputs.dry == false
    prompt: Tag \${{ inputs.version }}.
`;

it('every field that the seed names is in the answers', async () => {
  const world = makeRequestsWorld({ seed: 5, openRequests: openBuiltRequests });
  try {
    const requests = world.open();
    const workflowId = 'team.release';
    const saved = await call(requests, 'save_workflow', { content, to: 'user' });
    const inputs = { version: '2' };
    const answers = {
      save_workflow: saved,
      get_workflow: await call(requests, 'get_workflow', { workflowId }),
      validate_workflow: await call(requests, 'validate_workflow', { content }),
      preview_inputs: await call(requests, 'preview_inputs', { workflowId }),
      preview_rendered: await call(requests, 'preview_rendered', { workflowId, inputs }),
      resolve_inputs: await call(requests, 'resolve_inputs', { workflowId, inputs }),
      plan_steps: await call(requests, 'plan_steps', { workflowId, inputs }),
      rename_workflow: await call(requests, 'rename_workflow', { workflowId, newId: 'team.cut' }),
    };
    const { answer } = await call(requests, 'get_workflow', { workflowId: 'team.cut' });
    const deleted = await call(requests, 'delete_workflow', {
      workflowId: 'team.cut',
      confirm: textOf(answer['revision']),
    });
    for (const [name, { answer: given }] of Object.entries({ ...answers, delete_workflow: deleted }))
      for (const field of ours(seed[name]!.gives)) expect(given[field], `${name} ${field}`).toBeDefined();
    expect(answers.preview_inputs.answer['inputs']).toMatchObject([
      { name: 'version', required: true, rules: { type: 'string' } },
      { name: 'dry', required: false, default: true, rules: { type: 'boolean' } },
    ]);
  } finally {
    await world.close();
  }
});
