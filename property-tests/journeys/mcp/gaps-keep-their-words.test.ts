import { afterEach, beforeEach, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json-value.js';
import { markdownPieces } from '../../../src/render/render-markdown.js';
import type { Requests } from '../../../src/requests/requests.js';
import {
  call,
  type Fields,
  listOf,
  makeRequestsWorld,
  type RequestsWorld,
  textOf,
  pairOf,
} from '../../worlds/requests-world.js';

let world: RequestsWorld;
let requests: Requests;
beforeEach(() => {
  world = makeRequestsWorld({ seed: 16 });
  world.writeWorkflow(
    'walk',
    'workflow: team.walk\ntitle: Walk\ndescription: D\nsteps:\n  - { id: one, title: First, prompt: p }\n  - { id: two, title: Second, prompt: p }\n',
  );
  requests = world.open();
});
afterEach(() => world.close());

const assumed = {
  category: 'agent_disclosed',
  reason: 'base',
  detail: 'Nobody said which branch is the base.',
  assumption: 'It is main.',
};

async function settled(): Promise<Fields> {
  const { answer: first } = await call(requests, 'start_workflow', { workflowId: 'team.walk', session: 'G-1' });
  const { answer: second } = await call(requests, 'continue_workflow', {
    ...pairOf(first),
    output: { notesMarkdown: 'Looked.', gaps: [assumed] },
  });
  const [gap] = listOf(second['gaps']);
  const settles = {
    category: 'agent_disclosed',
    reason: 'settled',
    severity: 'info',
    detail: 'The user said that it is main.',
    resolves: textOf(gap?.['id']),
  };
  const { answer: last } = await call(requests, 'continue_workflow', {
    ...pairOf(second),
    output: { notesMarkdown: 'Done.', gaps: [settles] },
  });
  expect(last['kind']).toBe('complete');
  return last;
}

it('a gap that was settled keeps its words and says who settled it and how: in the recap, the record, and for people', async () => {
  const { stateToken = '' } = await settled();
  for (const page of [undefined, 'record.0']) {
    const { reply } = await call(requests, 'continue_workflow', { stateToken, ...(page && { page }) });
    for (const words of [
      'Nobody said which branch',
      'It is main.',
      'settled by the agent at two',
      'The user said that',
    ])
      expect(reply.text.replaceAll('\n> ', ' ')).toContain(words);
  }
  const story = await requests.people.readStory({ session: 'G-1' });
  if (!story.ok) throw new Error(story.error.message);
  expect(story.value.runs[0]?.gaps[0]?.settled).toMatchObject({
    who: 'agent',
    path: 'two',
    how: 'The user said that it is main.',
  });
  expect(Array.from(markdownPieces(story.value)).join('')).toContain('Settled by the agent at two');
});

it('an auto mode names the category that discloses an assumption, and a block that could be one offers it', async () => {
  const started = await call(requests, 'start_workflow', {
    workflowId: 'team.walk',
    session: 'G-2',
    mode: 'auto_stop',
  });
  expect(started.reply.text).toContain('agent_disclosed');
  const waits = { ...assumed, category: 'user_only_dependency', reason: 'needs_user_choice' };
  const send = (gap: JsonObject) =>
    call(requests, 'continue_workflow', {
      ...pairOf(started.answer),
      output: { notesMarkdown: 'Looked.', gaps: [gap] },
    });
  const blocked = await send(waits);
  expect(blocked.answer['kind']).toBe('blocked');
  expect(blocked.reply.text).toContain('send this gap alone, its category "agent_disclosed"');
  const secret = await send({ ...waits, reason: 'needs_user_secret_or_token', assumption: undefined as never });
  expect(secret.reply.text).not.toContain('"agent_disclosed"');
  expect((await send({ ...waits, category: 'agent_disclosed' })).answer['kind']).toBe('ok');
});

it('what a guided run waits for is not offered as an assumption', async () => {
  const { answer } = await call(requests, 'start_workflow', { workflowId: 'team.walk', session: 'G-3' });
  const blocked = await call(requests, 'continue_workflow', {
    ...pairOf(answer),
    output: { gaps: [{ ...assumed, category: 'user_only_dependency', reason: 'needs_user_choice' }] },
  });
  expect(blocked.answer['kind']).toBe('blocked');
  expect(blocked.reply.text).not.toContain('"agent_disclosed"');
});
