import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Requests } from '../../../src/requests/requests.js';
import { call } from '../../worlds/requests-world.js';
import { makeRunnerWorld, runOf, type RunnerWorld } from '../../worlds/runner-world.js';
import { answer } from '../../worlds/scripted-server.js';

let at: RunnerWorld;
let requests: Requests;
const day = 24 * 60 * 60 * 1000;

beforeEach(async () => {
  at = await makeRunnerWorld({ seed: 1, tick: 1000 });
  requests = at.world.open();
  at.api.issues.set(1, { id: 1, title: 'A', state: 'open' });
});
afterEach(() => at.close());

const polling = (until: string, timeout: string): string => `  - id: wait
    run: tracker issues/get
    with: { id: 1 }
    until: body.state == "${until}"
    every: 4s
    timeout: ${timeout}
  - id: say
    prompt: Tell.
`;
/** The clock is set back once a server was asked so many times. */
const setBackAfter = (times: number): void =>
  at.server.script(async (request, count) => {
    const scripted = await at.api.script(request, count);
    if (count === times + 1) at.api.issues.set(1, { id: 1, title: 'A', state: 'closed' });
    return scripted;
  });

it('a poll goes on as often as it is meant to, where the clock is set back', async () => {
  at.workflow(polling('closed', '10m'));
  setBackAfter(2);
  const started = at.start(requests);
  while (at.server.seen.length < 1) await pause(5);
  while (!at.world.lines().some(({ kind }) => kind === 'command_done')) await pause(5);
  at.world.turnClock(-day);
  const { answer: told } = await call(requests, 'get_run', { runId: runOf(at) });
  // It began on the second, and the clock says the first.
  expect(told).toMatchObject({ waitingFor: 'time', step: { nextTryAt: expect.stringContaining('2026-01-01T') } });
  expect((await started).answer).toMatchObject({ kind: 'ok', pending: { stepId: 'say' } });
});

it('a poll ends when its time is over, where the clock is set back', async () => {
  at.workflow(polling('never', '12s'));
  const started = at.start(requests);
  while (!at.world.lines().some(({ kind }) => kind === 'command_done')) await pause(5);
  at.world.turnClock(-day);
  const told = await started;
  expect(told.answer).toMatchObject({ kind: 'failed' });
  expect(told.reply.text).toMatch(/within 12 s|`timeout` of the step is over/u);
});

it('a server that asked to be left alone is asked again in time, by another process and another clock too', async () => {
  at.workflow(`  - id: file
    run: tracker issues/create
    body: { title: Later }
  - id: say
    prompt: Tell.
`);
  const asked = await at.start(requests);
  at.server.script((request, count) =>
    count === 1 ? answer(429, {}, { 'retry-after': '30' }) : at.api.script(request, count),
  );
  const going = at.goOn(requests, asked, { confirmed: true }).catch((cause: unknown) => cause);
  while (!at.world.lines().some(({ kind }) => kind === 'command_done')) await pause(5);
  await requests.close();
  await going;
  at.world.turnClock(-day);
  const other = at.world.open();
  expect((await at.look(other, asked)).answer).toMatchObject({ kind: 'ok', pending: { stepId: 'say' } });
  expect(at.api.writes).toHaveLength(1);
});
