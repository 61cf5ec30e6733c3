import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json-value.js';
import type { Requests } from '../../../src/requests/requests.js';
import { makeRunnerWorld, type RunnerWorld } from '../../worlds/runner-world.js';
import { call, type Called, textOf } from '../../worlds/requests-world.js';

let at: RunnerWorld;
let requests: Requests;

beforeEach(async () => {
  at = await makeRunnerWorld({ seed: 21, tick: 1 });
  requests = at.world.open();
  at.api.issues.set(1, { id: 1, title: 'A', state: 'open' });
});
afterEach(() => at.close());

const file = `  - id: file
    run: tracker issues/create
    body: { title: Filed }
`;
const look = `  - id: look
    run: tracker issues/get
    with: { id: 1 }
`;
const run = async (more: JsonObject = {}): Promise<Called> => {
  const { plan } = (await call(requests, 'plan_steps', { workflowId: 'team.flow' })).answer;
  const confirm = typeof plan === 'string' ? { confirm: plan } : {};
  return call(requests, 'run_workflow', { workflowId: 'team.flow', detached: true, ...confirm, ...more });
};
const get = async (of: Called): Promise<Called> => {
  for (;;) {
    const told = await call(requests, 'get_run', { runId: textOf(of.answer['run_id']), waitMs: 5000 });
    if (told.answer['state'] !== 'running' && told.answer['state'] !== 'pending') return told;
  }
};
const list = (more: JsonObject = {}): Promise<Called> => call(requests, 'list_runs', more);

describe('a run that succeeded with critical gaps', () => {
  it('is not told as one that simply succeeded, wherever it is told', async () => {
    at.workflow(file);
    at.server.script(async (request, count) => ({ ...(await at.api.script(request, count)), cut: 10, then: 'reset' }));
    const told = await get(await run({ mode: 'auto_never_stop' }));
    const detail = expect.stringContaining('whether the server did it is unknown') as string;
    expect(told.answer).toMatchObject({
      state: 'succeeded',
      message: '“Flow” is complete, with 1 critical gap',
      criticalGaps: 1,
      gaps: [{ reason: 'outcome_unknown', detail }],
    });
    expect(told.reply.text).toContain(': succeeded, but with critical gaps; ');
    expect(told.reply.text).toContain('whether the server did it is unknown');
    const listed = await list();
    expect(listed.answer).toMatchObject({ runs: [{ state: 'succeeded', criticalGaps: 1 }] });
    expect(listed.reply.text).toContain(': succeeded, but with critical gaps; ');
  });

  it('and one without has none', async () => {
    at.workflow(look);
    const told = await get(await run());
    expect(told.answer).toMatchObject({ state: 'succeeded', message: '“Flow” is complete' });
    expect(told.answer).not.toHaveProperty('criticalGaps');
    expect((await list()).answer).toMatchObject({ runs: [{ state: 'succeeded' }] });
  });
});

describe('a list of runs', () => {
  it('that is filtered looks further than the newest sessions, and says so where it has found none so far', async () => {
    at.workflow(look);
    const first = await get(await run({ session: 'OLD-1' }));
    at.workflow(look.replace('id: 1', 'id: 404'));
    for (let count = 0; count < 22; count += 1) await run({ session: `NEW-${count}` });
    const { answer, reply } = await list({ state: 'succeeded' });
    expect(answer).toMatchObject({ runs: [{ run_id: first.answer['run_id'], state: 'succeeded' }] });
    expect(answer).not.toHaveProperty('nextCursor');
    expect(reply.text).toContain('Runs:');
    const page = await list({ state: 'failed', workflowId: 'team.flow' });
    expect((page.answer['runs'] as unknown[]).length).toBeGreaterThan(0);
    const cursor = textOf(page.answer['nextCursor']);
    // The call for more is for more of the same.
    expect(page.reply.text).toContain(`"state":"failed","workflowId":"team.flow","cursor":"${cursor}"`);
    expect((await list({ state: 'canceled' })).reply.text).toBe('No such runs.');
  });

  it('names those that cannot be read, and why', async () => {
    at.workflow(look);
    const one = await get(await run({ session: 'ONE' }));
    // Of the same workflow there would be another copy of it.
    at.workflow(look.replace('id: 1', 'id: 2'));
    const other = await get(await run({ session: 'OTHER' }));
    await requests.close();
    rmSync(join(at.world.data, 'sessions', 'ONE', 'pins'), { recursive: true });
    rmSync(join(at.world.data, 'local'), { recursive: true });
    requests = at.world.open();
    const { answer, reply } = await list();
    expect(answer).toMatchObject({
      runs: [{ run_id: other.answer['run_id'] }],
      unread: [{ run_id: one.answer['run_id'], session_id: 'ONE', reason: expect.stringMatching(/\w/u) as string }],
    });
    expect(reply.text).toContain('Cannot be read:');
    expect((await list({ workflowId: 'team.other' })).answer).not.toHaveProperty('unread');
  });
});
