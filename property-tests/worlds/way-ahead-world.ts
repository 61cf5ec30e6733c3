import type { JsonObject } from '../../src/base/json-value.js';
import type { Requests } from '../../src/requests/requests.js';
import { call, type Called, pairOf, type RequestsWorld } from './requests-world.js';

const workflow = `workflow: team.slices
title: Build in slices
description: D
inputs: { task: { type: string, required: true } }
steps:
  - id: understand
    title: Understand what is wanted before anything is changed, and name the files that are involved
    prompt: p
    sets: { size: { type: string, enum: [Small, Large] } }
  - id: long
    title: Build it to a plan
    steps:
      - { id: plan, title: Plan the slices, prompt: p, sets: { slices: { type: array } } }
      - id: build
        title: Build it slice by slice
        foreach: context.slices
        as: slice
        max: 8
        steps:
          - { id: implement, title: "Build: \${{ slice.name }}", prompt: p, notes: required }
          - id: mend
            title: Look and mend
            until: context.sound == true
            max: 5
            steps:
              - { id: look, title: Look at it again, prompt: p, sets: { sound: { type: boolean } } }
          - { id: commit, title: "Commit: \${{ slice.name }}", prompt: p }
      - { id: deep, if: context.size == "Large", title: Try to break it, prompt: p }
      - id: doubts
        title: Settle each doubt
        if: has(context.doubts)
        foreach: context.doubts
        as: doubt
        max: 5
        steps:
          - { id: settle, title: "Settle \${{ doubt }}", prompt: p }
  - { id: check, title: Check the whole, prompt: p }
  - { id: hand_over, title: Hand over, prompt: p }
`;

export const slicesSession = 'SLICES-1';

/** A run in the second round of a loop, in the second round of one inside of that; one branch more leaves the first round. */
export async function playSlices(world: RequestsWorld, requests: Requests): Promise<Called> {
  world.writeWorkflow('slices', workflow);
  const slices = ['the writer', 'the header', 'the command line'].map((name) => ({ name }));
  const done = (at: Called, context?: JsonObject): Promise<Called> =>
    call(requests, 'continue_workflow', {
      ...pairOf(at.answer),
      output: { notesMarkdown: 'Done as the prompt says, and tried.' },
      ...(context && { context }),
    });
  let at = await call(requests, 'start_workflow', {
    workflowId: 'team.slices',
    sessionKey: slicesSession,
    mode: 'auto_never_stop',
    context: { task: 'Export an empty list' },
  });
  at = await done(at, { size: 'Large' });
  at = await done(at, { slices });
  const first = await done(at);
  const left = await done(first, { sound: true });
  await done(left);
  at = await done(await call(requests, 'continue_workflow', { stateToken: pairOf(first.answer).stateToken }), {
    sound: false,
  });
  at = await done(at, { sound: true });
  at = await done(at);
  at = await done(at);
  return done(at, { sound: false });
}
