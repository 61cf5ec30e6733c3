import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../../src/base/json-value.js';
import type { Conclusion, SmallGitHub } from '../../../src/cli/demo/small-github.js';
import type { Requests } from '../../../src/requests/requests.js';
import { type GitHubWorld, makeGitHubWorld } from '../../worlds/github-world.js';
import { call, type Called } from '../../worlds/requests-world.js';

const examples = fileURLToPath(new URL('../../../docs/examples', import.meta.url));
const files = (): readonly string[] => readdirSync(examples).filter((name) => name.endsWith('.yaml'));
const till = { owner: 'shop', repo: 'till' };

let whole: GitHubWorld;
let github: SmallGitHub;
let requests: Requests;

async function open(conclusion?: Conclusion): Promise<void> {
  whole = await makeGitHubWorld({ ...(conclusion !== undefined && { conclusion }) });
  ({ github, requests } = whole);
  for (const name of files())
    // Word for word, but for how long it waits between two looks.
    whole.world.writeWorkflow(
      name.replace('.yaml', ''),
      readFileSync(join(examples, name), 'utf8').replace('every: 15s', 'every: 1s'),
    );
}
beforeEach(() => open());
afterEach(() => whole.close());

const planned = async (workflowId: string, inputs: JsonObject): Promise<Called> =>
  call(requests, 'plan_steps', { workflowId, inputs });
const run = (workflowId: string, inputs: JsonObject, more: JsonObject = {}): Promise<Called> =>
  call(requests, 'run_workflow', { workflowId, inputs, detached: true, ...more });
const settled = async (of: Called): Promise<Called> => {
  const runId = of.answer['run_id'] as string;
  for (let tries = 0; ; tries += 1) {
    const now = await call(requests, 'get_run', { runId, waitMs: 5000 });
    const { state, waitingFor } = now.answer;
    if (state !== 'running' || waitingFor === 'agent' || waitingFor === 'user' || tries > 5) return now;
  }
};
const goOn = (of: Called, more: JsonObject): Promise<Called> => {
  const { stateToken, ackToken } = of.answer as { readonly stateToken: string; readonly ackToken?: string };
  return call(requests, 'continue_workflow', { stateToken, ...(ackToken !== undefined && { ackToken }), ...more });
};
const done = (context: Readonly<Record<string, JsonValue>>): JsonObject => ({
  output: { notesMarkdown: 'Looked.' },
  context,
});

describe('the examples of docs/examples', () => {
  it('have no violation and no warning', async () => {
    const names = files();
    expect(names).toHaveLength(4);
    for (const name of names) {
      const content = readFileSync(join(examples, name), 'utf8');
      expect((await call(requests, 'validate_workflow', { content })).answer, name).toMatchObject({
        valid: true,
        violations: [],
        warnings: [],
      });
    }
  });

  it('a branch is protected once the user has agreed, and only if it was not', async () => {
    const workflowId = 'team.protect_branch';
    const choices = await call(requests, 'resolve_inputs', { workflowId, inputs: { org: 'shop' } });
    expect(JSON.stringify(choices.answer)).toContain('till');
    const inputs = { org: 'shop', repo: 'till' };
    expect((await run(workflowId, inputs)).answer).toMatchObject({ error_code: 'CONFIRMATION_REQUIRED' });
    expect(github.writes()).toEqual([]);
    const { plan: confirm } = (await planned(workflowId, inputs)).answer;
    const first = await settled(await run(workflowId, inputs, { confirm: confirm! }));
    expect(first.answer, first.reply.text).toMatchObject({ state: 'succeeded', returned: { wasProtected: false } });
    expect(github.writes()).toEqual(['PUT /repos/shop/till/branches/main/protection']);
    const again = await settled(await run(workflowId, inputs, { confirm: confirm!, fresh: true }));
    expect(again.answer).toMatchObject({ state: 'succeeded', returned: { wasProtected: true } });
    expect(github.writes()).toHaveLength(1);
  });

  it('a bug that is there is not filed again', async () => {
    const inputs = { ...till, symptom: 'Orders are missing.', words: 'monthly export' };
    const started = await call(requests, 'start_workflow', { workflowId: 'team.file_bug', context: inputs });
    expect(started.answer).toMatchObject({ pending: { stepId: 'compare' } });
    expect(started.reply.text).toContain('leaves out orders of the same second');
    const ended = await goOn(started, done({ sameAs: 31 }));
    expect(ended.answer).toMatchObject({ kind: 'complete', returned: { issue: 31, filed: false } });
    expect(github.writes()).toEqual([]);
  });

  it('a new bug is filed once the user has agreed to the words of it', async () => {
    const inputs = { ...till, symptom: 'Refunds are printed twice.', words: 'refund printed twice' };
    const started = await call(requests, 'start_workflow', { workflowId: 'team.file_bug', context: inputs });
    const written = await goOn(started, done({ sameAs: 0 }));
    const report = { title: 'Refunds are printed twice', text: 'Refund an order. Two receipts come out.' };
    const asked = await goOn(written, done(report));
    expect(asked.answer).toMatchObject({ kind: 'blocked', blockers: [{ code: 'CONFIRMATION_REQUIRED' }] });
    expect(asked.reply.text).toContain(report.text);
    expect(github.writes()).toEqual([]);
    const filed = await goOn(asked, { confirmed: true });
    expect(filed.answer).toMatchObject({ kind: 'complete', returned: { issue: 32, filed: true } });
    expect(github.issues).toMatchObject([{ number: 31 }, { number: 32, title: report.title, body: report.text }]);
  });

  it('a release is found on the second page, looked at until it has ended, through a server that is busy', async () => {
    const inputs = { ...till, tag: 'v2.4.0' };
    const ended = await settled(await run('team.await_release', inputs));
    expect(ended.answer, ended.reply.text).toMatchObject({
      state: 'succeeded',
      returned: { url: 'https://github.example/shop/till/actions/runs/7002' },
    });
    expect(github.asked.filter((line) => line.endsWith('/7002'))).toHaveLength(3);
    expect(github.writes()).toEqual([]);
  });

  it('a release that failed, or never began, fails the run', async () => {
    const none = await settled(await run('team.await_release', { ...till, tag: 'v9' }));
    expect(none.answer).toMatchObject({ state: 'failed', failure: { step_id: 'missing' } });
    expect(none.reply.text).toContain('None of the last 3 runs of release.yml is for v9.');
    await whole.close();
    await open('failure');
    const failed = await settled(await run('team.await_release', { ...till, tag: 'v2.4.0' }));
    expect(failed.answer).toMatchObject({ state: 'failed', failure: { step_id: 'failed' } });
    expect(failed.reply.text).toContain('The release of v2.4.0 ended as failure');
  });
});
