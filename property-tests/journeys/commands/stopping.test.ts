import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RunId } from '../../../src/base/ids.js';
import type { Requests } from '../../../src/requests/requests.js';
import { call } from '../../worlds/requests-world.js';
import { answer } from '../../worlds/scripted-server.js';
import { makeRunnerWorld, runOf, type RunnerWorld } from '../../worlds/runner-world.js';
import { writeTrackerCatalog } from '../../worlds/tracker-api.js';

let at: RunnerWorld;
let requests: Requests;

beforeEach(async () => {
  at = await makeRunnerWorld({ seed: 1, tick: 1 });
  requests = at.world.open();
});
afterEach(() => at.close());

const cancel = (): Promise<void> =>
  at.append({
    kind: 'run_stopped',
    run: runOf(at) as RunId,
    data: { status: 'canceled', code: 'CANCELED', message: 'not wanted any longer' },
  });
const kinds = (): readonly string[] => at.world.lines().map(({ kind }) => kind);
const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await pause(5);
};
const polling = `  - id: wait
    run: tracker issues/get
    with: { id: 1 }
    until: body.state == "done"
    every: 1s
    timeout: 10m
  - id: file
    run: tracker issues/create
    body: { title: Never }
`;

const one = `  - id: file
    run: tracker issues/create
    body: { title: One }
  - id: say
    prompt: Tell.
`;

/** A server that is down; what comes to it once it is up is counted. */
async function downServer(): Promise<{
  readonly up: () => Promise<void>;
  readonly came: () => number;
  readonly close: () => void;
}> {
  const listen = async (port: number): Promise<Server> => {
    const server = createServer((socket) => {
      came += 1;
      socket.on('error', () => undefined).once('data', () => socket.end(answer(201, { id: 1 }).bytes));
    }).listen(port, '127.0.0.1');
    await once(server, 'listening');
    return server;
  };
  let came = 0;
  const first = await listen(0);
  const { port } = first.address() as AddressInfo;
  first.close();
  await once(first, 'close');
  writeTrackerCatalog(at.world.data, `http://127.0.0.1:${port}`);
  let second: Server | undefined;
  return {
    up: async () => {
      second = await listen(port);
    },
    came: () => came,
    close: () => second?.close(),
  };
}

describe('a write that waits to be sent', () => {
  it('does not leave after the run was canceled, and is told as not sent', async () => {
    at.workflow(one);
    const down = await downServer();
    const asked = await at.start(requests);
    const going = at.goOn(requests, asked, { confirmed: true });
    await until(() => kinds().includes('command_sent'));
    const other = at.world.open();
    const canceled = await call(other, 'cancel_run', { runId: runOf(at) });
    expect(canceled.answer).toMatchObject({ state: 'canceled' });
    expect(canceled.reply.text).not.toContain('under way');
    await down.up();
    try {
      expect((await going).answer).toMatchObject({ kind: 'canceled' });
      await pause(1500);
      expect(down.came()).toBe(0);
      const [done, ...more] = at.world.lines().filter(({ kind }) => kind === 'command_done');
      expect(more).toEqual([]);
      expect(done!.data).toMatchObject({
        outcome: 'not_sent',
        then: 'again',
        error: { message: expect.stringContaining('was stopped. Nothing was sent') },
      });
    } finally {
      down.close();
    }
  });

  it('is left to others by a program that ends, and does not fail the run', async () => {
    at.workflow(one);
    const down = await downServer();
    const asked = await at.start(requests);
    const going = at.goOn(requests, asked, { confirmed: true }).catch((cause: unknown) => cause);
    await until(() => kinds().includes('command_sent'));
    await requests.close();
    await going;
    expect(kinds()).not.toContain('run_stopped');
    expect(at.world.lines().findLast(({ kind }) => kind === 'command_done')!.data).toMatchObject({
      outcome: 'not_sent',
    });
    await down.up();
    try {
      const looked = await at.look(at.world.open(), asked);
      expect(looked.answer).toMatchObject({ kind: 'ok', pending: { stepId: 'say' } });
      expect(down.came()).toBe(1);
    } finally {
      down.close();
    }
  });

  it('that has left is waited for, and whoever cancels hears that it is under way', async () => {
    at.workflow(one);
    const asked = await at.start(requests);
    let answerNow: () => void = () => undefined;
    at.server.script(async (request, count) => {
      await new Promise<void>((resolve) => (answerNow = resolve));
      return at.api.script(request, count);
    });
    const going = at.goOn(requests, asked, { confirmed: true });
    await until(() => at.server.seen.length >= 1);
    const canceled = await call(requests, 'cancel_run', { runId: runOf(at) });
    expect(canceled.answer).toMatchObject({ state: 'canceled', message: expect.stringContaining('under way') });
    answerNow();
    await going;
    const looked = await call(requests, 'get_run', { runId: runOf(at) });
    expect(looked.answer).toMatchObject({ state: 'canceled' });
    expect(looked.reply.text).not.toContain('under way');
    expect(kinds().filter((kind) => kind === 'command_done')).toHaveLength(1);
  });
});

describe('a run that is stopped by another process', () => {
  it('polls no further', async () => {
    at.api.issues.set(1, { id: 1, title: 'A', state: 'open' });
    at.workflow(polling);
    const started = at.start(requests);
    await until(() => at.server.seen.length >= 1);
    await cancel();
    const seen = at.server.seen.length;
    expect((await started).answer).toMatchObject({ kind: 'canceled' });
    // One more may have been on its way.
    expect(at.server.seen.length - seen).toBeLessThan(2);
    expect(kinds().at(-1)).toBe('run_stopped');
  });

  it('waits for no answer to what it only reads', async () => {
    at.workflow(polling);
    at.server.script(() => new Promise(() => undefined));
    const started = at.start(requests);
    await until(() => at.server.seen.length >= 1);
    await cancel();
    expect((await started).answer).toMatchObject({ kind: 'canceled' });
    expect(kinds().at(-1)).toBe('run_stopped');
  });

  it('sends nothing more after a server that asked to come back', async () => {
    at.workflow(`  - id: file
    run: tracker issues/create
    body: { title: Later }
  - id: more
    run: tracker issues/create
    body: { title: Never }
`);
    const asked = await at.start(requests);
    at.server.script((request, count) =>
      count === 1 ? answer(429, {}, { 'retry-after': '2' }) : at.api.script(request, count),
    );
    const going = at.goOn(requests, asked, { confirmed: true });
    await until(() => at.server.seen.length >= 1);
    await cancel();
    expect((await going).answer).toMatchObject({ kind: 'canceled' });
    expect(at.server.seen).toHaveLength(1);
  });

  it('records what came of a write that was under way, and sends no other', async () => {
    at.workflow(`  - id: file
    run: tracker issues/create
    body: { title: One }
  - id: more
    run: tracker issues/create
    body: { title: Never }
`);
    const asked = await at.start(requests);
    let answerNow: () => void = () => undefined;
    at.server.script(async (request, count) => {
      await new Promise<void>((resolve) => (answerNow = resolve));
      return at.api.script(request, count);
    });
    const going = at.goOn(requests, asked, { confirmed: true });
    await until(() => at.server.seen.length >= 1);
    await cancel();
    await pause(400);
    answerNow();
    expect((await going).answer).toMatchObject({ kind: 'canceled' });
    expect(at.api.writes).toHaveLength(1);
    expect(kinds().filter((kind) => kind === 'command_sent')).toHaveLength(1);
    expect(kinds()).toContain('command_done');
  });
});

describe('a program that ends while a run goes on', () => {
  it('ends at once where it only waits, and takes the run no more', async () => {
    at.api.issues.set(1, { id: 1, title: 'A', state: 'open' });
    at.workflow(polling.replace('every: 1s', 'every: 10m').replace('timeout: 10m', 'timeout: 10h'));
    const started = at.start(requests).catch((cause: unknown) => cause);
    await until(() => at.server.seen.length >= 1);
    await pause(50);
    await requests.close();
    await started;
    const claims = join(at.world.data, 'local', 'running', 'claims', runOf(at));
    expect(readdirSync(claims).length).toBeLessThan(5);
    expect(at.server.seen).toHaveLength(1);
  });

  it('leaves a run that a server asked to wait as it was: another goes on with it', async () => {
    await at.close();
    at = await makeRunnerWorld({ seed: 1, tick: 1000 });
    requests = at.world.open();
    at.workflow(`  - id: file
    run: tracker issues/create
    body: { title: Later }
  - id: say
    prompt: Tell.
`);
    const asked = await at.start(requests);
    at.server.script((request, count) =>
      count === 1 ? answer(429, {}, { 'retry-after': '20' }) : at.api.script(request, count),
    );
    const going = at.goOn(requests, asked, { confirmed: true }).catch((cause: unknown) => cause);
    await until(() => at.server.seen.length >= 1);
    await pause(50);
    await requests.close();
    await going;
    expect(kinds()).not.toContain('run_stopped');
    const looked = await at.look(at.world.open(), asked);
    expect(looked.answer).toMatchObject({ kind: 'ok', pending: { stepId: 'say' } });
    expect(at.api.writes).toHaveLength(1);
  });
});
