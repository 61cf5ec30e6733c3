import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../../src/base/json-value.js';
import { makeDemoFolder } from '../../../src/cli/demo/demo-folder.js';
import { startStdioClient, type StdioClient } from '../../../src/mcp/stdio-client.js';

const program = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url));
const example = (name: string): string => fileURLToPath(new URL(`../../../docs/examples/${name}`, import.meta.url));
const place = makeDemoFolder();
const env = { ...place.env, PATH: process.env['PATH'] ?? '' };
const clients: StdioClient[] = [];
afterAll(async () => {
  for (const client of clients) await client.close();
  place.remove();
});

const workrail = (...args: readonly string[]): string => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
    cwd: place.workspace,
    env,
    encoding: 'utf8',
    input: '',
  });
  if (status !== 0) throw new Error(stderr);
  return stdout;
};

interface Agent {
  readonly call: (name: string, args: JsonObject) => Promise<JsonObject>;
}

async function agent(): Promise<Agent> {
  const client = await startStdioClient({
    command: process.execPath,
    args: [program, 'mcp', '--toolsets', 'state', '--data-dir', place.dataDir],
    env: place.env,
    cwd: place.workspace,
    name: 'test',
  });
  clients.push(client);
  return { call: async (name, args) => (await client.call(name, args)).answer };
}

const session = 'REVIEW-7';
const pendingOf = (answer: JsonObject): JsonObject => (answer['pending'] ?? {}) as JsonObject;
const goOn = ({ call }: Agent, { stateToken, ackToken }: JsonObject, work: JsonObject): Promise<JsonObject> =>
  call('continue_workflow', { stateToken: stateToken!, ackToken: ackToken!, ...work });
const take = (name: string): JsonObject => ({ context: { agent: name } });
const found = (verdict: string, findings: readonly JsonValue[] = []): JsonObject => ({
  output: { artifacts: [{ kind: 'team.area_review', verdict, findings }] },
});

describe('several agents that review one change together', () => {
  it('divide the areas, gather what they find, and the last of them settles it', async () => {
    const folder = join(place.workspace, '.workrail', 'workflows');
    mkdirSync(folder, { recursive: true });
    copyFileSync(example('review-together.yaml'), join(folder, 'review-together.yaml'));
    workrail('schema', 'add', 'review', example('schemas/review.schema.json'));
    const [one, two] = [await agent(), await agent()];
    const start = { workflowId: 'team.review_together', session, context: { change: 'main..fix' } };
    expect(await one.call('start_workflow', start)).toMatchObject({ error_code: 'PRECONDITION_FAILED' });
    await one.call('state_create', {
      session,
      schemaName: 'review',
      initialData: { status: 'open', areas: {}, findings: {} },
    });

    const [first, second] = [
      await one.call('start_workflow', start),
      await two.call('start_workflow', { ...start, fresh: true }),
    ];
    // Both are asked; whoever says so first has it.
    const looking = await goOn(one, first, take('ada'));
    expect(pendingOf(looking)).toMatchObject({ path: 'areas@1/look', title: 'Review correctness' });
    const elsewhere = await goOn(two, second, take('bo'));
    expect(pendingOf(elsewhere)).toMatchObject({ path: 'areas@2/take', title: 'Take security' });

    const refused = await goOn(one, looking, found('block', [{ place: 'a.ts:1' }]));
    expect(refused).toMatchObject({ error_code: 'STEP_INCOMPLETE' });
    const problem = { place: 'a.ts:1', problem: 'An empty list fails.' };
    const third = await goOn(one, looking, found('block', [problem]));
    expect(pendingOf(third)).toMatchObject({ path: 'areas@2/take' });

    const security = await goOn(two, elsewhere, take('bo'));
    expect(pendingOf(security)['prompt']).toContain('An empty list fails.');
    // Security is taken by now: what follows is the area that is left.
    const tests = await goOn(one, await goOn(one, third, take('ada')), take('ada'));
    expect(pendingOf(tests)).toMatchObject({ path: 'areas@3/look' });
    expect(await goOn(one, tests, found('fine'))).toMatchObject({ isComplete: true, returned: { status: 'open' } });
    const settling = await goOn(two, security, found('fine'));
    expect(pendingOf(settling)).toMatchObject({ path: 'settle' });
    const told = pendingOf(settling)['prompt'];
    expect(pendingOf(await two.call('continue_workflow', { stateToken: settling['stateToken']! }))['prompt']).toBe(
      told,
    );
    const ended = await goOn(two, settling, { context: { summary: 'An empty list fails.' } });
    expect(ended).toMatchObject({
      isComplete: true,
      returned: { status: 'changes requested', findings: { correctness: [problem], security: [], tests: [] } },
    });

    expect(JSON.parse(workrail('state', 'show', session, '--json', '--data-dir', place.dataDir))).toMatchObject({
      version: 8,
      current_data: { status: 'changes requested', areas: { correctness: { agent: 'ada', verdict: 'block' } } },
    });
    expect(workrail('state', 'log', session, '--data-dir', place.dataDir)).toContain('step areas@1/take of run_');
  });
});
