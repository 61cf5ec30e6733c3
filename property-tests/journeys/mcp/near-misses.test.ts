import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Requests } from '../../../src/requests/requests.js';
import { call, makeRequestsWorld, type RequestsWorld, textOf } from '../../worlds/requests-world.js';

let world: RequestsWorld;
let requests: Requests;
beforeAll(() => {
  world = makeRequestsWorld({ seed: 300 });
  world.writeWorkflow(
    'walk',
    'workflow: wr.walk\ntitle: A walk\ndescription: One step.\nversion: 1.0.0\nsteps:\n  - { id: one, title: First, prompt: Begin. }\n',
  );
  requests = world.open();
});
afterAll(() => world.close());

it('knows the token that a garbled one must have been among 300 sessions, where it is of a new one', async () => {
  // By their ids the old ones all stand before the new one.
  for (let at = 0; at < 299; at += 1) await call(requests, 'start_session', { session: `A-${at}` });
  const { answer } = await call(requests, 'start_workflow', { workflowId: 'wr.walk', session: 'Z-1' });
  const token = textOf(answer['stateToken']);
  const garbled = `${token.slice(0, -1)}${token.endsWith('Q') ? 'R' : 'Q'}`;
  const { reply } = await call(requests, 'continue_workflow', { stateToken: garbled });
  expect(reply.failed).toBe(true);
  expect(reply.text).toContain(`Did you mean ${token}`);
}, 60_000);
