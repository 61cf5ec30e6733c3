import { afterAll, beforeAll, expect, it } from 'vitest';
import { lostRows } from '../../src/cli/demo/lost-rows.js';
import { webhookReview } from '../../src/cli/demo/webhook-review.js';
import { type DemoWorld, makeDemoWorld } from './demo-world.js';

let world: DemoWorld;
beforeAll(async () => {
  world = await makeDemoWorld();
});
afterAll(() => world.close());

const told = async (): Promise<Record<string, { readonly status: string; readonly branches: number }>> => {
  const page = await world.requests.people.browseSessions({});
  if (!page.ok) throw new Error(page.error.message);
  return Object.fromEntries(
    page.value.sessions.map(({ sessionId, run, branches }) => [sessionId, { status: run?.status ?? '', branches }]),
  );
};

it('has what the recording begins with and ends with', async () => {
  expect(await told()).toMatchObject({
    [lostRows.session]: { status: 'in_progress', branches: 2 },
    [webhookReview.session]: { status: 'blocked' },
  });
  expect(world.shown.pending?.title).toBe('Explain the cause');
  await world.finish();
  expect(await told()).toMatchObject({ [lostRows.session]: { status: 'complete', branches: 3 } });
});
