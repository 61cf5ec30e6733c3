import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Requests } from '../../../src/requests/requests.js';
import { type Called, pairOf } from '../../worlds/requests-world.js';
import { makeRunnerWorld, type RunnerWorld } from '../../worlds/runner-world.js';

let at: RunnerWorld;
let requests: Requests;

beforeEach(async () => {
  at = await makeRunnerWorld({ seed: 1 });
  requests = at.world.open();
  at.workflow(`  - id: write
    prompt: Write.
    sets: { word: { type: string } }
  - id: file
    run: tracker issues/create
    body: { title: "\${{ context.word }}" }
  - id: say
    prompt: Tell.
`);
});
afterEach(() => at.close());

const lose = (): void =>
  at.server.script((request, count) => {
    void at.api.script(request, count);
    return { bytes: Buffer.alloc(0), then: 'reset' };
  });

/** The first step done, again where it was done before. */
const written = async (started: Called, word: string): Promise<Called> => {
  const looked = await at.look(requests, started);
  return at.goOn(requests, looked, { context: { word }, output: { notesMarkdown: word } });
};

describe('a write on two branches', () => {
  it('that was done on one is taken over on the other, and another request asks', async () => {
    const started = await at.start(requests);
    await at.goOn(requests, await written(started, 'one'), { confirmed: true });
    const again = await written(started, 'one');
    expect(again.answer).toMatchObject({ kind: 'ok', pending: { stepId: 'say' } });
    expect(again.reply.text).toContain('not sent again');
    const other = await written(started, 'other');
    expect(other.answer).toMatchObject({ blockers: [{ code: 'CONFIRMATION_REQUIRED' }] });
    expect(other.reply.text).toContain('another request was sent at this step before');
    expect(at.api.writes).toHaveLength(1);
  });

  it('whose outcome nobody knows is repeated once where somebody says so once', async () => {
    const started = await at.start(requests);
    const first = await written(started, 'one');
    lose();
    const lost = await at.goOn(requests, first, { confirmed: true });
    expect(lost.answer).toMatchObject({ blockers: [{ code: 'COMMAND_OUTCOME_UNKNOWN' }] });
    const branch = await written(started, 'one');
    expect(branch.answer).toMatchObject({ blockers: [{ code: 'COMMAND_OUTCOME_UNKNOWN' }] });
    const repeated = await at.goOn(requests, branch, { context: { outcome: 'repeat' } });
    // It was lost once more: of this request nobody has said anything yet.
    expect(repeated.answer).toMatchObject({ blockers: [{ code: 'COMMAND_OUTCOME_UNKNOWN' }] });
    expect(pairOf(repeated.answer)).not.toEqual(pairOf(branch.answer));
    expect(at.api.writes).toHaveLength(2);
  });
});
