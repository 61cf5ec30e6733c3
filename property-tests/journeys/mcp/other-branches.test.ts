import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Requests } from '../../../src/requests/requests.js';
import {
  call,
  type Called,
  fieldsOf,
  listOf,
  makeRequestsWorld,
  type RequestsWorld,
  textOf,
} from '../../worlds/requests-world.js';

const walk = `workflow: wr.walk
title: A walk
description: Two steps.
version: 1.0.0
steps:
  - { id: one, title: First, prompt: Begin. }
  - { id: two, title: Second, prompt: End. }
`;

let world: RequestsWorld;
let requests: Requests;
beforeEach(() => {
  world = makeRequestsWorld({ seed: 1515 });
  world.writeWorkflow('walk', walk);
  requests = world.open();
});
afterEach(() => world.close());

const tokenOf = ({ answer }: Called): string => textOf(answer['stateToken']);
const look = (stateToken: string): Promise<Called> => call(requests, 'continue_workflow', { stateToken });
const step = ({ answer }: Called, notesMarkdown: string): Promise<Called> =>
  call(requests, 'continue_workflow', {
    stateToken: textOf(answer['stateToken']),
    ackToken: textOf(answer['ackToken']),
    output: { notesMarkdown },
  });

test('from the end of a run its other branches are named, finished ones too, with the call that looks at them', async () => {
  const start = await call(requests, 'start_workflow', { workflowId: 'wr.walk' });
  const ends: Called[] = [];
  for (const way of ['left', 'right', 'middle'])
    ends.push(await step(await step(await look(tokenOf(start)), `Went ${way}.`), `The ${way} end.`));
  const half = await step(await look(tokenOf(start)), 'Half of a way.');
  const [left, right, middle] = ends.map(tokenOf);
  const there = await look(left!);
  expect(listOf(there.answer['otherBranches'])).toEqual([
    {
      status: 'complete',
      pending: null,
      newest: 'The middle end.',
      look: { tool: 'continue_workflow', arguments: { stateToken: middle } },
    },
    {
      status: 'complete',
      pending: null,
      newest: 'The right end.',
      look: { tool: 'continue_workflow', arguments: { stateToken: right } },
    },
  ]);
  expect(fieldsOf(there.answer['preferredTip'])['stateToken']).toBe(tokenOf(half));
  const onlyLooks = '(without ackToken: only looks; your tokens stay good)';
  expect(there.reply.text).toContain(
    `The newest work of this run stands on another branch: continue_workflow {"stateToken":"${tokenOf(half)}"} ${onlyLooks}`,
  );
  // Who looks at all of them is where they were.
  const told = listOf((await look(tokenOf(half))).answer['otherBranches']);
  expect(told.map(({ newest }) => newest)).toEqual(['The middle end.', 'The right end.', 'The left end.']);
  for (const { look: way } of told) {
    const { reply, answer } = await look(textOf(fieldsOf(fieldsOf(way)['arguments'])['stateToken']));
    expect(reply.failed).toBe(false);
    expect(answer['isComplete']).toBe(true);
  }
  expect((await look(tokenOf(half))).reply.text).toContain(
    `Another branch, complete, newest: “The middle end.”: continue_workflow {"stateToken":"${middle}"} ${onlyLooks}`,
  );
  expect((await step(half, 'Went on.')).reply.failed).toBe(false);
});
