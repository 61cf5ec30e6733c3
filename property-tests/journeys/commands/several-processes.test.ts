import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { makeRunnerWorld } from '../../worlds/runner-world.js';

it('a request that is under way in another process is waited for, and nobody is asked what became of it', async () => {
  const at = await makeRunnerWorld({ seed: 1 });
  try {
    at.workflow(`  - id: file
    run: tracker issues/create
    body: { title: Slow }
  - id: say
    prompt: Tell.
`);
    const [one, other] = [at.world.open(), at.world.open()];
    const asked = await at.start(one);
    let answerNow: () => void = () => undefined;
    const told = new Promise<void>((resolve) => (answerNow = resolve));
    at.server.script(async (request, count) => {
      await told;
      return at.api.script(request, count);
    });
    const first = at.goOn(one, asked, { confirmed: true });
    while (at.server.seen.length === 0) await pause(5);
    const second = at.goOn(other, asked, { confirmed: true });
    const looked = at.look(other, asked);
    await pause(400);
    answerNow();
    for (const { answer } of await Promise.all([first, second, looked]))
      expect(answer).toMatchObject({ kind: 'ok', pending: { stepId: 'say' } });
    const questions = at.world.lines().filter(({ kind }) => kind === 'step_blocked');
    expect(questions).toHaveLength(1);
    expect(at.api.writes).toHaveLength(1);
  } finally {
    await at.close();
  }
});
