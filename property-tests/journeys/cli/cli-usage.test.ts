import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { SessionList } from '../../../src/contract/session-list.js';
import type { SessionStory } from '../../../src/contract/session-story.js';
import type { WorkflowUsage } from '../../../src/contract/workflow-answers.js';
import { makeCommandLineWorld } from '../../worlds/command-line-world.js';

/** What work used and how long it took, as the command line hands it in and tells it. */
const world = makeCommandLineWorld();
const workflow = `workflow: team.used
title: Used
description: D
steps:
  - { id: one, title: First, prompt: p }
  - { id: two, title: Second, prompt: p }
`;
interface Step {
  readonly stateToken: string;
  readonly ackToken: string;
}
const json = async <T>(args: readonly string[]): Promise<T> => {
  const { out, bytes, code, err } = await world.run([...args, '--json']);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return JSON.parse(out === '' ? bytes.toString('utf8') : out) as T;
};
const usage = (said: object): string => JSON.stringify({ kind: 'wr.usage', ...said });
let second: Step;

beforeAll(async () => {
  mkdirSync(join(world.workspace, '.workrail', 'workflows'), { recursive: true });
  writeFileSync(join(world.workspace, '.workrail', 'workflows', 'used.yaml'), workflow);
  const first = await json<Step>(['start', 'team.used', '--session', 'U-1']);
  second = await json<Step>([
    'continue',
    first.stateToken,
    first.ackToken,
    '--notes',
    'Did it.',
    '--artifact',
    usage({ model: 'some-model', inputTokens: 18_400, costUsd: 0.1 }),
  ]);
});
afterAll(() => world.close());

it('a hook hands in what it measured as a checkpoint, and is told what could not be counted', async () => {
  const kept = await world.run(['checkpoint', second.stateToken, '--artifact', usage({ costUsd: 0.2 })]);
  expect(kept.code).toBe(0);
  expect(kept.out).not.toContain('not counted');
  const wrong = await world.run(['checkpoint', second.stateToken, '--artifact', usage({ costUSD: 0.2 })]);
  expect(wrong.code).toBe(0);
  expect(`${wrong.out}${wrong.err}`).toContain('recorded and not counted');
});

it('show tells it by run and by step, and in JSON', async () => {
  const { out } = await world.run(['show', 'U-1']);
  expect(out).toContain('used: $0.30 · tokens: 18,400 in · some-model');
  const told = await json<SessionStory>(['show', 'U-1']);
  expect(told.runs[0]?.usage).toEqual({ reports: 2, models: ['some-model'], inputTokens: 18_400, costUsd: 0.3 });
  const root = told.runs[0]!.nodes[0]!;
  const step = await world.run(['show', 'U-1', '--node', root.nodeId]);
  expect(step.out).toContain('used: $0.10 · tokens: 18,400 in · some-model');
});

it('sessions tells it with the time that the work took, and so does a report', async () => {
  const [row] = (await json<SessionList>(['sessions'])).sessions;
  expect(row?.usage?.costUsd).toBe(0.3);
  expect(row?.took).toBeGreaterThanOrEqual(0);
  const { out } = await world.run(['sessions']);
  const [head, line] = out.split('\n').map((text) => text.split('\t'));
  // New columns come at the end: what reads the others by their place goes on.
  expect(head?.slice(-8, -3)).toEqual(['tookMs', 'waitedMs', 'askedBy', 'costUsd', 'trash']);
  expect(line?.slice(-8, -3)).toEqual([String(row?.took), '0', '', '0.3', '']);
  const report = await world.run(['render', 'U-1']);
  expect(report.bytes.toString('utf8') + report.out).toContain('$0.30');
});

it('inspect tells what the runs of a workflow used together', async () => {
  const { used } = await json<{ readonly used: WorkflowUsage }>(['inspect', 'team.used']);
  expect(used).toEqual({
    workflowId: 'team.used',
    runs: 1,
    usage: { reports: 2, models: ['some-model'], inputTokens: 18_400, costUsd: 0.3 },
  });
  const { out } = await world.run(['inspect', 'team.used']);
  expect(out).toContain('used: $0.30 · tokens: 18,400 in · some-model (1 run)');
});
