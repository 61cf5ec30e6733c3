import { existsSync, readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Requests } from '../../../src/requests/requests.js';
import { call, type Called } from '../../worlds/requests-world.js';
import { makeRunnerWorld, runOf, type RunnerWorld } from '../../worlds/runner-world.js';

let at: RunnerWorld;
let requests: Requests;
let run: string;
const inputs = { title: 'One' };
const year = 365 * 24 * 60 * 60 * 1000;

beforeEach(async () => {
  at = await makeRunnerWorld({ seed: 19 });
  requests = at.world.open();
});
afterEach(() => at.close());

const claimsFolder = (): string => join(at.world.data, 'local', 'running', 'claims');
const claims = (): readonly string[] => (existsSync(claimsFolder()) ? readdirSync(claimsFolder()).toSorted() : []);

/** Whatever was claimed was claimed a year ago. */
const age = (now: Date): void => {
  const then = new Date(now.getTime() - year);
  for (const name of claims()) utimesSync(join(claimsFolder(), name), then, then);
};

const file = async (confirm?: string): Promise<Called> =>
  call(requests, 'run_workflow', { workflowId: 'team.flow', inputs, detached: true, ...(confirm && { confirm }) });

/** A run that sent one write; with another step of the agent behind it or none. */
async function filed(more = ''): Promise<string> {
  at.workflow(
    `  - id: file
    run: tracker issues/create
    body: { title: "\${{ inputs.title }}" }
${more}`,
    'inputs: { title: { type: string } }\n',
  );
  const plan = ((await file()).answer['context'] as { plan: string }).plan;
  await file(plan);
  run = runOf(at);
  for (let looks = 0; looks < 5; looks += 1) await call(requests, 'get_run', { runId: run, waitMs: 1000 });
  expect(at.api.writes).toHaveLength(1);
  return plan;
}

it('what was claimed and noted for runs of a session goes with it', async () => {
  await filed();
  expect(claims()).toHaveLength(3);
  const sessions = [at.world.lines()[0]!.session];
  const pruned = await requests.people.pruneSessions({ now: new Date(), dryRun: false, sessions, inUse: true });
  expect(pruned).toMatchObject({ ok: true, value: { pruned: [{}] } });
  expect(claims()).toEqual([]);
});

it('of a run that ended long ago its plan alone is kept, and is spent still', async () => {
  const plan = await filed();
  age(new Date());
  // Nothing is as old as that.
  await requests.people.pruneSessions({ now: new Date(0), dryRun: false, olderThanMs: 0 });
  expect(claims()).toHaveLength(3);
  await requests.people.pruneSessions({ now: new Date(), dryRun: true, olderThanMs: year / 2 });
  expect(claims()).toHaveLength(3);
  await requests.people.pruneSessions({ now: new Date(Date.UTC(2026, 0, 2)), dryRun: false, olderThanMs: 0 });
  expect(claims()).toEqual([expect.stringMatching(/^pl_/u)]);
  expect((await file(plan)).answer).toMatchObject({ run_id: run, state: 'succeeded' });
  expect(at.api.writes).toHaveLength(1);
});

it('of a run that waits nothing goes, however long it has waited', async () => {
  await filed('  - id: say\n    prompt: Say it.\n');
  age(new Date());
  await requests.people.pruneSessions({ now: new Date(Date.UTC(2026, 0, 2)), dryRun: false, olderThanMs: 0 });
  expect(claims()).toHaveLength(3);
});
