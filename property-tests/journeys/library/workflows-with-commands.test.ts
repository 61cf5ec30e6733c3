import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeRequestsWorld, type RequestsWorld } from '../../worlds/requests-world.js';
import { writeSmallCatalog } from '../../worlds/small-catalog.js';
import type { Requests } from '../../../src/requests/requests.js';

const examples = fileURLToPath(new URL('../../../fixtures/commands', import.meta.url));

describe('workflows with commands, before they are started', () => {
  let world: RequestsWorld;
  let requests: Requests;
  beforeAll(() => {
    world = makeRequestsWorld({ seed: 19 });
    for (const name of readdirSync(examples))
      world.writeWorkflow(name.replace('.yaml', ''), readFileSync(join(examples, name), 'utf8'));
    world.writeWorkflow(
      'returns',
      'workflow: team.returns\ndescription: D\nsteps: [ { id: a, prompt: P } ]\nreturns: { r: "${{ outputs.a.notes }}" }\n',
    );
    world.writeWorkflow(
      'chooses',
      'workflow: team.chooses\ndescription: D\ninputs: { i: { type: string, provider: { run: github orgs/list-for-authenticated-user, value: item } } }\nsteps: [ { id: a, prompt: "${{ inputs.i }}" } ]\n',
    );
    writeSmallCatalog(world.data);
    requests = world.open();
  });
  afterAll(() => world.close());

  it('are listed as such, with the call that starts them', async () => {
    const reply = await requests.call('list_workflows', { query: 'bug' });
    expect(reply.answer).toMatchObject({ workflows: [{ id: 'team.file_bug', startable: true, runsCommands: true }] });
    expect(reply.text).toContain('runs commands');
    expect(reply.text).toContain('begins with: start_workflow');
    const returning = await requests.call('list_workflows', { query: 'returns' });
    expect(returning.answer).not.toMatchObject({ workflows: [{ runsCommands: true }] });
  });

  it('are inspected, with what they send', async () => {
    const metadata = await requests.call('inspect_workflow', { workflowId: 'team.protect_branch' });
    expect(metadata.answer).toMatchObject({
      workflow: {
        returns: { was: '${{ outputs.now.body.protected }}' },
        inputs: { org: { provider: { catalog: 'github' } } },
      },
      warnings: [],
      nextCall: { tool: 'start_workflow' },
    });
    const { text, answer } = await requests.call('inspect_workflow', {
      workflowId: 'team.await_release',
      mode: 'preview',
    });
    expect(answer).toMatchObject({ steps: [{ kind: 'run' }, { kind: 'run' }, { kind: 'fail' }] });
    expect(text).toContain('WorkRail runs github actions/get-workflow-run');
    expect(text).toContain('every 15 s until body.status == "completed", within 30 min');
    expect(text).toContain('the run fails here: Ended as ${{ outputs.wait.body.conclusion }}.');
  });

  it('are told of, key by key, on a page of their own', async () => {
    const page = await requests.call('inspect_workflow', { workflowId: 'team.file_bug', cursor: 'format.commands' });
    expect(page.text).toContain('- depends_on (list): Steps before this one');
  });

  it('are none where only a provider asks a command', async () => {
    const reply = await requests.call('start_workflow', { workflowId: 'team.chooses', context: { i: 'x' } });
    expect(reply.answer).toMatchObject({ kind: 'ok' });
  });
});
