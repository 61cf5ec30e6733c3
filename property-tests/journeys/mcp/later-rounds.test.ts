import { afterEach, beforeEach, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json-value.js';
import type { Requests } from '../../../src/requests/requests.js';
import { call, type Called, makeRequestsWorld, pairOf, type RequestsWorld } from '../../worlds/requests-world.js';

/** What a later round of a loop tells: in what it differs from the first, which has the whole text. */
let world: RequestsWorld;
let requests: Requests;

beforeEach(() => {
  world = makeRequestsWorld({ seed: 153, store: 'memory' });
  world.writeWorkflow(
    'items',
    [
      'workflow: team.items',
      'title: Items',
      'description: D',
      'steps:',
      '  - id: items',
      '    repeat: 5',
      '    steps:',
      '      - id: one',
      '        title: One',
      '        notes: optional',
      '        prompt: |',
      '          Look at it.',
      '',
      '          Rules: ${{ has(context.rules) ? context.rules : "none yet" }}',
    ].join('\n'),
  );
  requests = world.open();
});
afterEach(() => world.close());

const ack = (of: Called['answer'], more: JsonObject = {}): Promise<Called> =>
  call(requests, 'continue_workflow', { ...pairOf(of), ...more });

it('tells what the first round did not, names no round that itself only points on, and says the same again to a repeated ack', async () => {
  const first = await call(requests, 'start_workflow', { workflowId: 'team.items', session: 'ITEMS-1' });
  const second = await ack(first.answer, { context: { rules: 'be brief' } });
  const third = await ack(second.answer);
  const fourth = await ack(third.answer, { context: { rules: 'be long' } });
  const fifth = await ack(fourth.answer, { context: { rules: null } });
  const told = [second, third, fourth, fifth].map(({ reply }) => reply.text);
  expect(told.map((text) => /^Rules: .*$/mu.exec(text)?.[0])).toEqual([
    'Rules: be brief',
    'Rules: be brief',
    'Rules: be long',
    undefined,
  ]);
  expect(told.map((text) => /^All(?: else)? as at \S+;/mu.exec(text)?.[0])).toEqual([
    'All else as at items@1/one;',
    'All else as at items@1/one;',
    'All else as at items@1/one;',
    'All as at items@1/one;',
  ]);
  for (const text of told) expect(text).not.toContain('Look at it.');
  const repeated = await ack(second.answer);
  expect(repeated.reply.text).toBe(told[1]);
  // A process that was never told the first round says the same.
  const elsewhere = await call(world.open(), 'continue_workflow', {
    ...pairOf(third.answer),
    context: { rules: 'be long' },
  });
  expect(elsewhere.reply.text).toBe(told[2]);
  // Who looks, or comes back to an older step, is told it whole.
  const { reply } = await call(requests, 'continue_workflow', { stateToken: fifth.answer['stateToken']! });
  expect(reply.text).toContain('Look at it.');
  expect(reply.text).toContain('Rules: none yet');
});
