import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json-value.js';
import { thisProcess } from '../../../src/files/this-process.js';
import type { Requests } from '../../../src/requests/requests.js';
import { call, type Called } from '../../worlds/requests-world.js';
import { makeRunnerWorld, runOf, type RunnerWorld } from '../../worlds/runner-world.js';
import { withinLimits } from '../../worlds/within-limits.js';

let at: RunnerWorld;
let requests: Requests;
let run: string;
beforeEach(async () => {
  withinLimits({ runPatienceMs: 700 });
  at = await makeRunnerWorld({ seed: 13 });
  at.workflow(`  - id: look
    run: tracker issues/get
    with: { id: 1 }
    retry: { max: 0 }
  - id: say
    prompt: Say it.
    notes: optional
`);
});
afterEach(() => at.close());

const claims = (): string => join(at.world.data, 'local', 'running', 'claims', run);
const numbers = (): readonly number[] =>
  readdirSync(claims())
    .filter((name) => /^\d+$/u.test(name))
    .map(Number)
    .toSorted((a, b) => a - b);
const ask = (name: Parameters<typeof call>[1], args: JsonObject): Promise<Called> => call(requests, name, args);

/** A run whose process was killed while it read: its claim is left as it stands. */
async function leftBy(holder: object | string): Promise<Called> {
  const first = at.world.open();
  at.server.script(() => new Promise(() => undefined));
  const started = await at.start(first);
  expect(started.answer).toMatchObject({ kind: 'running' });
  run = runOf(at);
  await first.close();
  at.api.issues.set(1, { id: 1, title: 'Read', state: 'open' });
  at.server.script(at.api.script);
  const next = Math.max(...numbers()) + 1;
  writeFileSync(join(claims(), String(next)), typeof holder === 'string' ? holder : JSON.stringify(holder));
  requests = at.world.open();
  return started;
}

const { host } = thisProcess();
const since = '2026-01-02T03:04:05.000Z';
const elsewhere = { host: 'web-1', pid: 7, started: '1', boot: 'another', since };
const container = { ...thisProcess(), pid: 2 ** 22 + 1, numbers: 'pid:[1]', since };

describe('a run that a process had which is not seen from here', () => {
  it.each([
    ['on another machine', elsewhere, 'a process on web-1 since 2026-01-02'],
    ['in another container of one host name', container, `a process in another container on ${host} since 2026-01-02`],
    ['of a claim that cannot be read', '{"host":', 'a process that left no name'],
  ])(
    '%s is told as that, is not gone on with unasked, and is taken over where somebody says so',
    async (_, by, who) => {
      const started = await leftBy(by);
      const words = { message: expect.stringContaining(who) };
      const told = await ask('get_run', { runId: run });
      expect(told.answer).toMatchObject({ waitingFor: 'driver', ...words });
      expect(told.answer['nextCall']).toMatchObject({ tool: 'run_workflow', arguments: { runId: run } });
      expect((await ask('list_runs', {})).answer['runs']).toMatchObject([words]);
      // An agent that goes on waits for it, and hears what it may do.
      const waiting = await at.look(requests, started);
      expect(waiting.answer).toMatchObject({ kind: 'running' });
      expect(waiting.reply.text).toContain(who);
      expect(waiting.reply.text).toContain(`workrail run --resume ${run} --take-over`);
      const refused = await ask('run_workflow', { runId: run, detached: true });
      expect(refused.answer).toMatchObject({ error_code: 'PRECONDITION_FAILED', ...words });
      expect(JSON.stringify(refused.answer)).toContain('"takeOver":true');
      expect(at.server.seen).toHaveLength(1);
      await ask('run_workflow', { runId: run, detached: true, takeOver: true });
      expect((await at.look(requests, started)).answer).toMatchObject({ kind: 'ok', pending: { stepId: 'say' } });
      expect(at.server.seen).toHaveLength(2);
    },
  );

  it('is let be where that process is seen, and lives', async () => {
    await leftBy({ ...thisProcess(), since });
    const told = await ask('get_run', { runId: run });
    expect(told.answer).not.toHaveProperty('waitingFor');
    expect(told.answer).not.toHaveProperty('heldBy');
    await ask('run_workflow', { runId: run, detached: true, takeOver: true });
    expect(existsSync(join(claims(), `${Math.max(...numbers())}.over`))).toBe(false);
    expect(at.server.seen).toHaveLength(1);
  });

  it('goes on by itself where that process is seen, and has ended', async () => {
    const started = await leftBy({ ...thisProcess(), pid: 2 ** 22 + 1, since });
    expect((await ask('get_run', { runId: run })).answer).toMatchObject({ waitingFor: 'driver' });
    expect((await at.look(requests, started)).answer).toMatchObject({ kind: 'ok', pending: { stepId: 'say' } });
  });

  it('is not gone on from by another run until somebody says that it has ended', async () => {
    await leftBy(elsewhere);
    const repairs = { workflowId: 'team.flow', repairs: run, detached: true };
    const refused = await ask('run_workflow', repairs);
    expect(refused.answer).toMatchObject({
      error_code: 'PRECONDITION_FAILED',
      message: expect.stringContaining('web-1'),
      nextCall: { tool: 'run_workflow', arguments: { ...repairs, takeOver: true } },
    });
    expect((await ask('run_workflow', { ...repairs, takeOver: true })).answer['run_id']).not.toBe(run);
  });

  it('sends nothing more there once it was taken over, though it lives', async () => {
    await leftBy(elsewhere);
    const last = Math.max(...numbers());
    await ask('run_workflow', { runId: run, detached: true, takeOver: true });
    expect(readFileSync(join(claims(), String(last)), 'utf8')).toContain('web-1');
    expect(existsSync(join(claims(), `${last}.over`))).toBe(true);
  });
});
