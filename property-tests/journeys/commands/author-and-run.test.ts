import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { isJsonObject, type JsonObject } from '../../../src/base/json-value.js';
import { expectsFiller } from '../../../src/cli/demo/demo-agent.js';
import { executionOf, type Player, playerOn } from '../../../src/cli/demo/demo-player.js';
import type { ExecutionAnswer } from '../../../src/contract/answer.js';
import type { RequestName } from '../../../src/contract/request-schemas.js';
import type { ToolAnswer } from '../../../src/mcp/stdio-client.js';
import { type GitHubWorld, makeGitHubWorld } from '../../worlds/github-world.js';
import { call } from '../../worlds/requests-world.js';

const bundled = fileURLToPath(new URL('../../../workflows', import.meta.url));
const workflowId = 'team.report_branch';
const at = '{ owner: shop, repo: till, branch: main }';
/** Files an issue, then looks at a branch. */
const text = (branch: string, parameters = at): string => `workflow: ${workflowId}
title: Report a branch
description: Use this to report a branch.
inputs: { title: { type: string, required: true } }
steps:
  - id: file
    run: github issues/create
    with: { owner: shop, repo: till }
    body: { title: "\${{ inputs.title }}" }
  - id: look
    run: github repos/get-branch
    with: ${parameters.replace('main', branch)}
returns: { protected: "\${{ outputs.look.body.protected }}", issue: "\${{ outputs.file.body.number }}" }
`;
const runInputs = { title: 'Is main protected?' };

let whole: GitHubWorld;
let player: Player;
beforeEach(async () => {
  whole = await makeGitHubWorld({ bundled });
  player = playerOn({
    async call(tool, args) {
      const { reply, answer } = await call(whole.requests, tool as RequestName, args);
      return { isError: reply.failed, text: reply.text, answer: JSON.parse(JSON.stringify(answer)) };
    },
  });
});
afterEach(() => whole.close());

/** Does the step that waits: what is asked by its example, but for these facts. The step is the one that is meant. */
async function step(here: ExecutionAnswer, id: string, facts: JsonObject = {}): Promise<ExecutionAnswer> {
  const { pending } = here;
  expect(pending?.stepId).toBe(id);
  const filled = expectsFiller(pending!.expects);
  const context = isJsonObject(filled['context']) ? filled['context'] : {};
  return (await player.play(here, { ...filled, context: { ...context, ...facts } })).answer;
}

const violationsOf = ({ answer }: ToolAnswer): number =>
  ['violations', 'warnings'].reduce((sum, name) => sum + (Array.isArray(answer[name]) ? answer[name].length : 0), 0);
const validate = async (content: string): Promise<number> =>
  violationsOf(await player.call('validate_workflow', { content }));

/** From the inputs to the end of the run, as wr.run_by_plan says. */
async function runByPlan(from: ExecutionAnswer, more: JsonObject = {}): Promise<[ExecutionAnswer, ToolAnswer]> {
  const resolved = await player.call('resolve_inputs', { workflowId, inputs: runInputs });
  expect(resolved.answer).toMatchObject({ ready: true });
  let here = await step(from, 'go-inputs', { runInputs });
  const { plan } = (await player.call('plan_steps', { workflowId, inputs: runInputs })).answer;
  here = await step(here, 'go-plan', { plan: plan!, writes: 1 });
  const before = whole.github.writes().length;
  const { stateToken, ackToken = '' } = here;
  const output = { notesMarkdown: 'Asked.' };
  const unasked = await player.call('continue_workflow', { stateToken, ackToken, output, context: { plan: plan! } });
  expect(unasked.answer['kind']).toBe('blocked');
  here = await step(here, 'go-agree', { plan: plan! });
  expect(here.pending?.prompt).toContain(`\`confirm\` ${String(plan as string)}`);
  expect(whole.github.writes()).toHaveLength(before);
  const run = { workflowId, inputs: runInputs, confirm: plan!, detached: true, ...more };
  let ran = await player.call('run_workflow', run);
  here = await step(here, 'go-run', { runId: ran.answer['run_id']! });
  while (ran.answer['state'] === 'running' || ran.answer['state'] === 'pending') {
    here = await step(here, 'go-look', { runState: 'running' });
    ran = await player.call('get_run', { runId: ran.answer['run_id']!, waitMs: 20_000 });
  }
  return [await step(here, 'go-look', { runState: ran.answer['state']! }), ran];
}

it('wr.author_and_run leads an agent from a goal to what a run gives', async () => {
  const context = { goal: 'Report whether main is protected' };
  let here = executionOf(await player.call('start_workflow', { workflowId: 'wr.author_and_run', context }));
  const found = await player.call('search_commands', { query: 'create an issue' });
  expect(found.text).toContain('github issues/create');
  const wrong = await validate(text('main', '{ owner: shop, repo: till, brnch: main }'));
  expect(wrong).toBeGreaterThan(0);
  here = await step(here, 'draft', { workflowId, violations: wrong });
  expect(await validate(text('main'))).toBe(0);
  here = await step(here, 'mend_one', { violations: 0 });
  const saved = await player.call('save_workflow', { content: text('main') });
  expect(saved.isError, saved.text).toBe(false);
  here = await step(here, 'save', { workflowId });
  const [told, ran] = await runByPlan(here);
  expect(ran.answer).toMatchObject({ state: 'succeeded', returned: { protected: false, issue: 32 } });
  expect(told.pending?.prompt).toContain(`of ${workflowId}: succeeded`);
  expect((await step(told, 'tell')).kind).toBe('complete');
  expect(whole.github.writes()).toEqual(['POST /repos/shop/till/issues']);
});

it('wr.repair_and_rerun leads an agent to the cause, and what was sent is not sent again', async () => {
  await player.call('save_workflow', { content: text('trunk') });
  const { plan: confirm } = (await player.call('plan_steps', { workflowId, inputs: runInputs })).answer;
  const run = { workflowId, inputs: runInputs, confirm: confirm!, detached: true };
  let failed = await player.call('run_workflow', run);
  while (failed.answer['state'] === 'running')
    failed = await player.call('get_run', { runId: failed.answer['run_id']!, waitMs: 5000 });
  expect(failed.answer).toMatchObject({ state: 'failed', failure: { step_id: 'look' } });
  const failedRun = failed.answer['run_id'] as string;

  const context = { run: failedRun };
  let here = executionOf(await player.call('start_workflow', { workflowId: 'wr.repair_and_rerun', context }));
  here = await step(here, 'cause', { failedRun, workflowId, cause: 'workflow' });
  here = await step(here, 'change', { violations: await validate(text('main')) });
  const { revision } = (await player.call('get_workflow', { workflowId })).answer;
  const patch = [{ op: 'replace', path: '/steps/1/with/branch', value: 'main' }];
  const saved = await player.call('save_workflow', { workflowId, patch, expectedRevision: revision! });
  expect(saved.isError, saved.text).toBe(false);
  here = await step(here, 'save', { workflowId });
  const [told, ran] = await runByPlan(here, { repairs: failedRun });
  expect(ran.answer).toMatchObject({
    state: 'succeeded',
    returned: { protected: false, issue: 32 },
    done: [{ path: 'file', reused: true }, { path: 'look' }],
  });
  expect((await step(told, 'tell')).kind).toBe('complete');
  expect(whole.github.writes()).toHaveLength(1);
});
