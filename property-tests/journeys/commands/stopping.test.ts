import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RunId } from '../../../src/base/ids.js';
import type { Requests } from '../../../src/requests/requests.js';
import { answer } from '../../worlds/scripted-server.js';
import { makeRunnerWorld, runOf, type RunnerWorld } from '../../worlds/runner-world.js';

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
