import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { QuestionAnswered, WaitingHere, WaitingRow } from '../../../src/contract/question-told.js';
import type { RunGraph, StepDetail } from '../../../src/contract/http-api.js';
import type { JsonObject } from '../../../src/base/json-value.js';
import { tookWords } from '../../../src/base/time-spent.js';
import { limits } from '../../../src/base/limits.js';
import type { Requests } from '../../../src/requests/requests.js';
import { serveRequests, type ServedWorld } from '../../worlds/http-world.js';
import { makeCommandLineWorld } from '../../worlds/command-line-world.js';
import { call, type Fields, makeRequestsWorld, pairOf, type RequestsWorld } from '../../worlds/requests-world.js';

/** What waits for a person in all sessions, asked and answered over HTTP. */
let world: RequestsWorld;
let requests: Requests;
let served: ServedWorld;

const workflow = `workflow: team.ask
title: Ask
description: D
steps:
  - { id: agree, title: Agree, prompt: p, notes: required, confirm: true }
  - { id: after, title: After, prompt: p }
`;

beforeEach(async () => {
  world = makeRequestsWorld({ seed: 23 });
  world.writeWorkflow('ask', workflow);
  requests = world.open();
  served = await serveRequests(requests);
});
afterEach(async () => {
  await served.close();
  await world.close();
});

async function blocked(session: string, notes: string): Promise<Fields> {
  const { answer } = await call(requests, 'start_workflow', { workflowId: 'team.ask', sessionKey: session });
  const pair = pairOf(answer);
  await call(requests, 'continue_workflow', { ...pair, output: { notesMarkdown: notes } });
  return pair as unknown as Fields;
}

const here = async (): Promise<WaitingHere> => (await (await served.get('/api/waiting')).json()) as WaitingHere;
const answering = async (row: WaitingRow, given: object): Promise<Response> =>
  served.post(
    `/api/sessions/${row.sessionId}/answers`,
    {
      block: row.questions[0]!.block,
      question: row.questions[0]!.question,
      ...given,
    },
    { 'x-workrail': '1' },
  );
const recorded = (): number => world.lines().filter(({ kind }) => kind === 'question_answered').length;

describe('what waits in all sessions', () => {
  it('is told with its draft, the longest waiting first, and ends with the answer', async () => {
    expect((await here()).rows).toEqual([]);
    await blocked('W-1', 'The first.');
    await blocked('W-2', 'The second.');
    await call(requests, 'start_workflow', { workflowId: 'team.ask', sessionKey: 'W-3' });
    const { rows } = await here();
    expect(rows.map(({ kind, sessionId, step, handedIn }) => [kind, sessionId, step.title, handedIn.notes])).toEqual([
      ['question', 'W-1', 'Agree', 'The first.'],
      ['question', 'W-2', 'Agree', 'The second.'],
    ]);
    const agreed = (await (await answering(rows[0]!, { answer: 'agreed' })).json()) as QuestionAnswered;
    expect(agreed).toMatchObject({
      added: true,
      open: [],
      next: expect.stringContaining('continues with its next call'),
    });
    expect((await here()).rows.map(({ sessionId }) => sessionId)).toEqual(['W-2']);
    const no = (await (
      await answering(rows[1]!, { answer: 'refused', reason: 'Keep the flag.' })
    ).json()) as QuestionAnswered;
    expect(no.next).toContain('next call says that you refused, and why');
    expect((await here()).rows).toEqual([]);
    const detail = (await (await served.get(`/api/sessions/W-2/nodes/${rows[1]!.nodeId}`)).json()) as StepDetail;
    expect(detail.node.blocks[0]?.answers).toMatchObject([
      { answer: 'refused', door: 'page', says: 'the user said no: Keep the flag, in the page' },
    ]);
  });

  it('names the program that asks, as it names itself, and leaves that out where nobody knows', async () => {
    const { answer } = await call(requests, 'start_workflow', { workflowId: 'team.ask', sessionKey: 'W-1' });
    const work = { ...pairOf(answer), output: { notesMarkdown: 'The first.' } };
    const agent = { name: 'some-client', version: '2.0' };
    await requests.call('continue_workflow', work, { agent });
    await blocked('W-2', 'The second.');
    // The same call again is no other question, whoever makes it.
    await requests.call('continue_workflow', work, { agent: { name: 'another' } });
    const { rows } = await here();
    expect(rows.map((row) => [row.sessionId, row.agent])).toEqual([
      ['W-1', agent],
      ['W-2', undefined],
    ]);
    const listed = await requests.people.listSessions({});
    expect(listed.ok && listed.value.sessions.map(({ sessionId, askedBy }) => [sessionId, askedBy])).toEqual([
      ['W-2', undefined],
      ['W-1', agent],
    ]);
    expect(JSON.stringify(world.lines())).not.toContain('some-client');
    // What a clone brings says nothing of this machine's programs.
    const told = await world.open(world.clone(world.data, 'clone')).people.readWaiting({});
    expect(told.ok && told.value.rows.map((row) => row.agent)).toEqual([undefined, undefined]);
  });

  it('tells wrong answers apart, and records none of them', async () => {
    await blocked('W-1', 'The first.');
    const [row] = (await here()).rows;
    const status = async (given: object): Promise<readonly [number, string]> => {
      const response = await answering(row!, given);
      return [response.status, ((await response.json()) as { error_code: string }).error_code];
    };
    expect(await status({ answer: 'value', value: 'yes' })).toEqual([400, 'VALIDATION_ERROR']);
    expect(await status({ answer: 'refused', reason: 'x'.repeat(limits.personAnswer + 1) })).toEqual([
      413,
      'LIMIT_EXCEEDED',
    ]);
    expect(await status({ answer: 'agreed', question: '/context/nothing' })).toEqual([404, 'NOT_FOUND']);
    expect(await status({ answer: 'agreed', block: '0'.repeat(16) })).toEqual([404, 'NOT_FOUND']);
    expect(recorded()).toBe(0);
    const both = await Promise.all([answering(row!, { answer: 'agreed' }), answering(row!, { answer: 'refused' })]);
    expect(both.map(({ status: code }) => code).toSorted((a, b) => a - b)).toEqual([200, 409]);
    expect(recorded()).toBe(1);
  });

  it('says which sessions are damaged, and hides no other', async () => {
    await blocked('W-1', 'The first.');
    await blocked('W-2', 'The second.');
    const folder = join(world.data, 'sessions', 'W-1', 'segments');
    const [segment = ''] = readdirSync(folder);
    const lines = readFileSync(join(folder, segment), 'utf8').split('\n');
    lines[1] = lines[1]!.replace('"at"', '"AT"');
    writeFileSync(join(folder, segment), lines.join('\n'));
    const told = await here();
    expect(told.rows.map(({ sessionId }) => sessionId)).toContain('W-2');
    const before = recorded();
    for (const row of told.rows.filter(({ trouble }) => trouble === 'damage')) {
      const response = await answering(row, { answer: 'agreed' });
      expect(response.status).toBeGreaterThanOrEqual(400);
    }
    expect(recorded()).toBe(before);
  });
});

describe('how long a step and a run took', () => {
  it('is told with what of it was waiting for a person, at the step, on the map and in the report', async () => {
    const pair = await blocked('T-1', 'The first.');
    const [row] = (await here()).rows;
    await answering(row!, { answer: 'agreed' });
    await call(requests, 'continue_workflow', pair as JsonObject);
    const at = Object.fromEntries(
      world.lines().map(({ kind, at: when }) => [kind, Date.parse(when)] as const),
    ) as Readonly<Record<string, number>>;
    const waited = at['question_answered']! - at['step_blocked']!;
    expect(waited).toBeGreaterThan(0);
    const told = async <T>(path: string): Promise<T> => (await (await served.get(path)).json()) as T;
    const { node } = await told<StepDetail>(`/api/sessions/T-1/nodes/${row!.nodeId}`);
    expect(node.waited).toBe(waited);
    const graph = await told<RunGraph>(`/api/sessions/T-1/runs/${row!.runId}`);
    expect([graph.run.waited, graph.nodes[0]?.waited, graph.nodes[1]?.waited]).toEqual([waited, waited, undefined]);
    const report = await (await served.get('/api/sessions/T-1/render?format=md')).text();
    const took = tookWords(at['step_acked']! - at['run_started']!, waited);
    expect(took).toContain('of it waiting for a person');
    expect(report).toContain(`took ${took}`);
  });
});

describe('workrail answer without a session', () => {
  it('lists all that wait, and takes an answer where only one can be meant', async () => {
    const cli = makeCommandLineWorld();
    try {
      const workflows = join(cli.workspace, '.workrail', 'workflows');
      mkdirSync(workflows, { recursive: true });
      writeFileSync(join(workflows, 'ask.yaml'), workflow);
      expect((await cli.run(['answer'])).out).toContain('Nothing in any session is waiting for you.');
      for (const key of ['C-1', 'C-2']) {
        await cli.run(['start', 'team.ask', '--session', key]);
        const went = await cli.run(['continue', '--session', key, '--notes', `Work of ${key}.`]);
        expect(went.out + went.err).toContain('Blocked at step 1');
      }
      const listed = (await cli.run(['answer'])).out;
      expect(listed).toContain('Work of C-1.');
      expect(listed).toContain('Work of C-2.');
      const unclear = await cli.run(['answer', '--agree', '--no-terminal']);
      expect(unclear.err).toContain('2 sessions are waiting for you; name one: C-1, C-2');
      expect((await cli.run(['answer', 'C-1', '--agree', '--no-terminal'])).code).toBe(0);
      const refused = await cli.run(['answer', '--refuse', '--reason', 'Keep the flag.', '--no-terminal']);
      expect(refused.out).toContain('that you refused, and why');
      expect((await cli.run(['answer', '--json'])).out).toContain('"rows":[]');
      const shown = (await cli.run(['show', 'C-2'])).out;
      expect(shown).toContain('The user said no: Keep the flag, on the command line without a terminal');
    } finally {
      cli.close();
    }
  });
});
