import { expect, it } from 'vitest';
import { makeRunnerWorld } from '../../worlds/runner-world.js';
import { scriptedServer } from '../../worlds/scripted-server.js';
import { writeTrackerCatalog } from '../../worlds/tracker-api.js';

it('a request whose outcome nobody knows is not repeated to another address before the user agrees to it', async () => {
  const at = await makeRunnerWorld({ seed: 1 });
  const other = await scriptedServer(at.api.script);
  try {
    at.workflow(`  - id: file
    run: tracker issues/create
    body: { title: Lost }
  - id: say
    prompt: Tell.
`);
    const requests = at.world.open();
    at.server.script(
      (request, count) => ({ ...(at.api.script(request, count) as object), cut: 0, then: 'reset' }) as never,
    );
    const lost = await at.goOn(requests, await at.start(requests), { confirmed: true });
    expect(lost.answer).toMatchObject({ blockers: [{ code: 'COMMAND_OUTCOME_UNKNOWN' }] });
    writeTrackerCatalog(at.world.data, other.origin);
    const again = at.world.open();
    const moved = await at.goOn(again, lost, { context: { outcome: 'repeat' } });
    expect(moved.answer).toMatchObject({ kind: 'blocked', blockers: [{ code: 'CONFIRMATION_REQUIRED' }] });
    expect(moved.reply.text).toContain(other.origin);
    expect(other.seen).toHaveLength(0);
    const done = await at.goOn(again, moved, { confirmed: true });
    expect(done.answer).toMatchObject({ kind: 'ok', pending: { stepId: 'say' } });
    expect([at.server.seen.length, other.seen.length]).toEqual([1, 1]);
  } finally {
    await at.close();
    await other.close();
  }
});
