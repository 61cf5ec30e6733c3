import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Requests } from '../../../src/requests/requests.js';
import { call, type Called, pairOf } from '../../worlds/requests-world.js';
import { makeRunnerWorld, runOf, type RunnerWorld } from '../../worlds/runner-world.js';
import { answer } from '../../worlds/scripted-server.js';

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

  /** Lost on the first branch, and asked about on a second one too. */
  const lostOnBoth = async (): Promise<{ readonly lost: Called; readonly branch: Called }> => {
    const started = await at.start(requests);
    const first = await written(started, 'one');
    lose();
    const lost = await at.goOn(requests, first, { confirmed: true });
    const branch = await written(started, 'one');
    for (const { answer } of [lost, branch])
      expect(answer).toMatchObject({ blockers: [{ code: 'COMMAND_OUTCOME_UNKNOWN' }] });
    expect(at.api.writes).toHaveLength(1);
    return { lost, branch };
  };

  it.each(['the branch that asked second', 'the branch that sent it'])(
    'whose outcome nobody knows, once it was sent again from %s, is taken over on the other',
    async (from) => {
      const { lost, branch } = await lostOnBoth();
      at.server.script(at.api.script);
      const [says, other] = from === 'the branch that sent it' ? [lost, branch] : [branch, lost];
      const said = await at.goOn(requests, says, { context: { outcome: 'repeat' } });
      expect(said.answer).toMatchObject({ kind: 'ok', pending: { stepId: 'say' } });
      const told = await at.goOn(requests, other, { context: { outcome: 'repeat' } });
      expect(told.answer).toMatchObject({ kind: 'ok', pending: { stepId: 'say' } });
      expect(told.reply.text).toContain('not sent again');
      expect(at.api.writes).toHaveLength(2);
    },
  );

  it('is asked about once more where it was lost once more, and one word then counts on both', async () => {
    const { lost, branch } = await lostOnBoth();
    const again = await at.goOn(requests, branch, { context: { outcome: 'repeat' } });
    const looked = await at.look(requests, lost);
    expect(looked.reply.text).toContain('on another branch');
    expect(pairOf(looked.answer)).not.toEqual(pairOf(lost.answer));
    // What was said of the first request says nothing of the second.
    const late = await at.goOn(requests, lost, { context: { outcome: 'repeat' } });
    expect(late.answer).toMatchObject({ error_code: 'PRECONDITION_FAILED' });
    await at.goOn(requests, again, { context: { outcome: 'done' } });
    const told = await at.look(requests, lost);
    expect(told.answer).toMatchObject({ kind: 'ok', pending: { stepId: 'say' } });
    expect(at.api.writes).toHaveLength(2);
  });

  it('is asked about with what became of it on the other branch, where that came to nothing', async () => {
    const { lost, branch } = await lostOnBoth();
    at.server.script(() => answer(422, { message: 'No such label' }));
    const failed = await at.goOn(requests, branch, { context: { outcome: 'repeat' } });
    expect(failed.answer).toMatchObject({ kind: 'failed' });
    const looked = await at.look(requests, lost);
    expect(looked.answer).toMatchObject({ blockers: [{ code: 'COMMAND_OUTCOME_UNKNOWN' }] });
    expect(looked.reply.text).toMatch(/sent again on another branch.*answered 422/su);
    at.server.script(at.api.script);
    const said = await at.goOn(requests, looked, { context: { outcome: 'repeat' } });
    expect(said.answer).toMatchObject({ kind: 'ok', pending: { stepId: 'say' } });
    expect(at.api.writes).toHaveLength(2);
  });

  it('is sent on neither branch where somebody says on one that it was not done and shall not be', async () => {
    const { lost, branch } = await lostOnBoth();
    at.server.script(at.api.script);
    const said = await at.goOn(requests, branch, { context: { outcome: 'failed' } });
    expect(said.answer).toMatchObject({ kind: 'failed' });
    expect((await at.look(requests, lost)).answer).toMatchObject({ kind: 'failed' });
    expect(at.api.writes).toHaveLength(1);
  });

  it('is settled by its call for all branches, wherever it was sent last', async () => {
    const { lost, branch } = await lostOnBoth();
    await at.goOn(requests, branch, { context: { outcome: 'repeat' } });
    const sent = at.world.lines().filter(({ kind }) => kind === 'command_sent');
    const [call1, call2] = sent.map(({ data }) => (data as { call: string }).call);
    expect(call2).toBe(call1);
    const settling = { runId: runOf(at), call: call1!, choice: 'done', reason: 'It is there.' };
    const settled = await call(requests, 'settle_command', settling);
    expect(settled.reply.failed, settled.reply.text).toBe(false);
    for (const of of [lost, branch])
      expect((await at.look(requests, of)).answer).toMatchObject({ kind: 'ok', pending: { stepId: 'say' } });
    expect(at.api.writes).toHaveLength(2);
  });
});
