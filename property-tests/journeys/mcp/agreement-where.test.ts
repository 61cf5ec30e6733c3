import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Requests } from '../../../src/requests/requests.js';
import {
  call,
  fieldsOf,
  makeRequestsWorld,
  pairOf,
  type RequestsWorld,
  wholeAnswer,
} from '../../worlds/requests-world.js';

let world: RequestsWorld;
let requests: Requests;
beforeAll(() => {
  world = makeRequestsWorld({ seed: 21 });
  world.writeWorkflow(
    'x',
    `workflow: wr.x
title: X
description: Use this.
steps:
  - id: judge
    prompt: Judge.
    sets: { verdict: { type: string, enum: [clean, blocking] } }
    confirm: { if: 'context.verdict == "blocking"' }
  - id: again
    prompt: Again.
    confirm: { if: 'context.verdict == "blocking"' }
`,
  );
  requests = world.open();
});
afterAll(() => world.close());

it('agreement that hangs on what the step itself hands back is told with its condition, as the preview has it', async () => {
  const condition = 'context.verdict == "blocking"';
  const preview = await call(requests, 'inspect_workflow', { workflowId: 'wr.x', mode: 'preview' });
  expect(preview.reply.text).toContain(`agreement where ${condition}`);
  const begun = await call(requests, 'start_workflow', { workflowId: 'wr.x' });
  expect(begun.reply.text).toContain(`confirmed (required where ${condition})`);
  expect(fieldsOf(fieldsOf(begun.answer['pending'])['expects'])['confirmation']).toEqual({
    required: true,
    field: 'confirmed',
    where: condition,
  });
  const notes = { output: { notesMarkdown: 'Judged.' } };
  const clean = await call(requests, 'continue_workflow', {
    ...pairOf(begun.answer),
    ...notes,
    context: { verdict: 'clean' },
  });
  expect(clean.answer['kind']).toBe('ok');
  expect(wholeAnswer(clean)).not.toContain('"where"');
});

it('agreement that is settled already is asked for without one', async () => {
  const begun = await call(requests, 'start_workflow', { workflowId: 'wr.x', fresh: true });
  const agreed = await call(requests, 'continue_workflow', {
    ...pairOf(begun.answer),
    output: { notesMarkdown: 'Judged.' },
    context: { verdict: 'blocking' },
    confirmed: true,
  });
  expect(agreed.reply.text).toContain('confirmed (required):');
});
