import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { StepDetail } from '../../../src/contract/http-api.js';
import type { QuestionAnswered, QuestionTold } from '../../../src/contract/question-told.js';
import type { Requests } from '../../../src/requests/requests.js';
import { type CommandRuns, openCommandRuns, playCommandRuns } from '../../worlds/command-runs.js';
import { answer } from '../../worlds/scripted-server.js';

let runs: CommandRuns;
let people: Requests['people'];

beforeEach(async () => {
  runs = await openCommandRuns();
  people = runs.requests.people;
});
afterEach(() => runs.close());

const must = async <Value>(
  asked: Promise<{ ok: true; value: Value } | { ok: false; error: object }>,
): Promise<Value> => {
  const got = await asked;
  if (!got.ok) throw new Error(JSON.stringify(got.error));
  return got.value;
};

/** The last step of a session that WorkRail does itself. */
async function stepOf(session: string, body?: 'whole'): Promise<StepDetail> {
  const { runs: told } = await must(people.readStory({ session }));
  const node = told[0]?.nodes.findLast(({ pending }) => pending?.does !== undefined)?.nodeId ?? '';
  return must(people.readStep({ session, node, body }));
}

async function asked(session: string): Promise<QuestionTold> {
  const { waiting } = await must(people.readQuestions({ session }));
  const question = waiting[0]?.questions[0];
  if (question === undefined) throw new Error(`${session} waits for nothing`);
  return question;
}

const say = async (
  session: string,
  given: { readonly answer: 'agreed' | 'refused' | 'value'; readonly value?: string },
  by: Requests['people'] = people,
): Promise<QuestionAnswered> => {
  const { block, question } = await asked(session);
  return must(by.answerQuestion({ session, block, question, ...given }));
};

describe('what people are told of steps that WorkRail does itself', () => {
  it('says at each place what is known, and tells the request and every try', async () => {
    await playCommandRuns(runs);
    const told = async (session: string): Promise<object> => {
      const { node } = await stepOf(session);
      return { status: node.status, ...node.command, stopped: node.stopped?.message };
    };
    expect(await told('READ-DONE')).toMatchObject({
      state: 'succeeded',
      says: 'The server answered 200.',
      source: 'sent',
      request: { method: 'GET', url: `${runs.server.origin}/issues/1` },
      response: { status: 200, body: { id: 1 } },
      tries: [{ try: 1, outcome: 'ok', then: 'done', status: 200 }],
    });
    expect(await told('WRITE-WAITS')).toMatchObject({
      status: 'blocked',
      says: 'Not sent yet: it waits for the user’s agreement.',
      request: { method: 'POST', url: '/issues' },
      tries: [],
    });
    expect(await told('OUTCOME-UNKNOWN')).toMatchObject({
      status: 'blocked',
      says: expect.stringContaining('nobody knows whether the server did it'),
      request: { body: { preview: expect.stringContaining('It crashes') }, repeat: 'once' },
      tries: [{ outcome: 'unknown', then: 'ask' }],
      agreed: { by: 'caller', to: 'plan', writes: [{ path: 'file', command: 'tracker issues/create' }] },
    });
    expect(await told('POLL-RUNS')).toMatchObject({
      status: 'running',
      until: 'body.state == "closed"',
      waits: { ms: 6 * 60 * 60 * 1000 },
      tries: [{ outcome: 'ok', then: 'again' }],
    });
    expect(await told('RUN-FAILED')).toMatchObject({
      status: 'failed',
      says: 'Failed: it answered 404, expected 2xx.',
      stopped: 'tracker issues/get: it answered 404, expected 2xx',
    });
    expect(await told('RUN-STOPPED')).toMatchObject({ status: 'failed', stopped: 'Issue 7 is not ours.' });
    const reused = await told('WRITE-REUSED');
    expect(reused).toMatchObject({
      source: 'reused',
      says: expect.stringContaining('Not sent here'),
      request: { url: `${runs.server.origin}/issues` },
      reusedFrom: expect.stringMatching(/^n_/u),
    });
    const report = await must(people.renderSession({ session: 'OUTCOME-UNKNOWN', format: 'md' }));
    for (const words of [`POST ${runs.server.origin}/issues`, 'outcome unknown', 'nobody knows whether'])
      expect(report.text).toContain(words);
    const shown = async (query: string): Promise<readonly string[]> =>
      (await must(people.browseSessions({ query }))).sessions.map(({ sessionId }) => sessionId).toSorted();
    expect(await shown('is:failed')).toEqual(['RUN-FAILED', 'RUN-STOPPED']);
    expect(await shown('is:running')).toEqual(['POLL-RUNS']);
    expect(await shown('is:waiting')).toEqual(['OUTCOME-UNKNOWN', 'WRITE-WAITS']);
    expect(await shown('is:open')).not.toContain('RUN-FAILED');
  });

  it('cuts a large answer, and gives all of it to who asks', async () => {
    runs.server.script(() => answer(200, { id: 1, title: 'x'.repeat(40_000) }));
    await runs.start('read', 'LARGE');
    const cut = (await stepOf('LARGE')).node.command?.response;
    expect(cut).toMatchObject({ cut: { bytes: 40_019 } });
    expect(cut?.cut?.text.length).toBeLessThan(20_000);
    expect((await stepOf('LARGE', 'whole')).node.command?.response?.body).toMatchObject({ id: 1 });
  });

  it('sends what a person agreed to without an agent, and says what came of it at a terminal', async () => {
    const { start, goOn, world, api } = runs;
    await goOn(await start('write', 'AGREED'), { output: { notesMarkdown: 'It crashes.' } });
    expect(await asked('AGREED')).toMatchObject({ asks: 'agreement', text: expect.stringContaining('WorkRail sends') });
    const told = await say('AGREED', { answer: 'agreed' }, world.open(undefined, {}, 'terminal').people);
    expect(told.came).toEqual({
      status: 'in_progress',
      says: 'The server answered 201. The run is now at “Tell the team”, which an agent does.',
    });
    expect(api.writes).toHaveLength(1);
    expect((await stepOf('AGREED')).node.command?.agreed).toMatchObject({ by: 'asked' });
  });

  it('keeps the page waiting no longer than a moment, and goes on behind it', async () => {
    const { start, server, api } = runs;
    await start('lost', 'SLOW');
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    server.script(async (request, count) => {
      await held;
      return api.script(request, count);
    });
    const told = await say('SLOW', { answer: 'agreed' });
    expect(told.came?.status).toBe('running');
    expect((await stepOf('SLOW')).node.command?.says).toBe('Sent; WorkRail waits for the answer.');
    release();
    await expect.poll(async () => (await stepOf('SLOW')).node.command?.state).toBe('succeeded');
  });

  it('asks what happened with three choices, and does what is chosen', async () => {
    const { start, goOn, api, loseAnswers, keepAnswers } = runs;
    for (const [value, came] of [
      ['repeat', 'in_progress'],
      ['done', 'in_progress'],
      ['failed', 'failed'],
    ] as const) {
      const session = `LOST-${value}`;
      loseAnswers();
      await goOn(await start('lost', session), { confirmed: true });
      keepAnswers();
      const sent = api.writes.length;
      const question = await asked(session);
      expect(question.choices?.map((choice) => choice.value)).toEqual(['repeat', 'done', 'failed']);
      const { block, question: pointer } = question;
      const refused = await people.answerQuestion({ session, block, question: pointer, answer: 'refused' });
      expect(refused).toMatchObject({
        ok: false,
        error: { message: expect.stringContaining('repeat, done or failed') },
      });
      expect((await say(session, { answer: 'value', value })).says).toContain('the user said that it');
      await expect.poll(async () => (await must(people.readStory({ session }))).runs[0]?.status).toBe(came);
      expect(api.writes.length - sent).toBe(value === 'repeat' ? 1 : 0);
      expect((await stepOf(session)).node.command?.settled).toMatchObject({ choice: value, by: 'user' });
    }
  });

  it('lets a process end while somebody waits for a poll', async () => {
    void runs.start('poll', 'POLL').catch(() => undefined);
    await expect.poll(() => runs.world.lines().some(({ kind }) => kind === 'command_done')).toBe(true);
    await runs.requests.close();
  });
});
