import { describe, expect, it } from 'vitest';
import type { Reply } from '../../../src/contract/reply.js';
import { call, makeRequestsWorld, pairOf } from '../../worlds/requests-world.js';

/** A loop that is decided by what a step inside hands back: whoever hands back nothing is told what to send. */
async function withoutArtifact(output: string): Promise<Reply> {
  const world = makeRequestsWorld({ seed: 152, store: 'memory' });
  world.writeWorkflow(
    'hunt',
    `workflow: team.hunt
title: Hunt
description: D
steps:
  - id: hunt
    until: outputs.look.artifacts[0].done
    max: 3
    steps: [ { id: look, prompt: Look., notes: optional${output} } ]
`,
  );
  const requests = world.open();
  const { answer } = await call(requests, 'start_workflow', { workflowId: 'team.hunt' });
  const { reply } = await call(requests, 'continue_workflow', { ...pairOf(answer), output: { notesMarkdown: 'n' } });
  await world.close();
  return reply;
}

const kind = 'kind: team.verdict, schema: { type: object, properties: { done: { type: boolean } } }';

describe('a step that lacks the artifact which decides its loop', () => {
  it('is asked for the artifact once, where the file requires it', async () => {
    const { text } = await withoutArtifact(`, output: { ${kind}, example: { done: true } }`);
    expect(text).toContain('1 thing is missing');
    expect(text).toContain('/output/artifacts: an artifact of kind team.verdict is required');
  });

  it('is told what reads it and what to send, where the file does not require it', async () => {
    const { text } = await withoutArtifact(`, output: { ${kind}, example: { done: true }, required: false }`);
    expect(text).toContain('/output/artifacts: hunt@1/hunt reads outputs.look.artifacts[0].done: ');
    expect(text).toContain('such as {"done":true,"kind":"team.verdict"}');
  });

  it('is told how such a loop is written, where the file asks for none', async () => {
    const { text } = await withoutArtifact('');
    expect(text).toContain('/output/artifacts: hunt@1/hunt reads');
    expect(text).toContain('written `control: true`, with `output: { contract: wr.contracts.loop_control }`');
  });
});
