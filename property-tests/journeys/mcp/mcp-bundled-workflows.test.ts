import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Mode, modeNames } from '../../../src/base/preferences.js';
import { makeDemoFolder } from '../../../src/cli/demo/demo-folder.js';
import { executionOf, playerOn } from '../../../src/cli/demo/demo-player.js';
import { startStdioClient, type StdioClient } from '../../../src/mcp/stdio-client.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const workflows = readdirSync(`${root}workflows`).filter((file) => file.endsWith('.yaml'));
/** More than any path has, so that a loop without end is a failure and not a hang. */
const mostSteps = 400;

describe('a script that reads nothing but pending.expects', () => {
  const place = makeDemoFolder();
  let client: StdioClient;
  let listed: readonly { readonly id: string; readonly kind: string }[] = [];
  beforeAll(async () => {
    const args = [`${root}dist/cli/main.js`, 'mcp', '--data-dir', place.dataDir, '--workspace', place.workspace];
    client = await startStdioClient({
      command: process.execPath,
      args,
      env: place.env,
      cwd: place.workspace,
      name: 'script',
    });
    const { answer } = await client.call('list_workflows', {});
    listed = answer['workflows'] as typeof listed;
  });
  afterAll(async () => {
    await client.close();
    place.remove();
  });

  async function finish(workflowId: string, mode: Mode): Promise<{ readonly steps: number; readonly status: string }> {
    const player = playerOn(client);
    const request = { workflowId, mode, session: `${workflowId}-${mode}` };
    let started = await player.call('start_workflow', request);
    // The inputs are not of a step; the refusal says what they are, with a hole for each.
    const { nextCall } = started.answer as {
      readonly nextCall?: { readonly arguments: { readonly context?: Record<string, string> } };
    };
    const context = Object.fromEntries(
      Object.keys(nextCall?.arguments.context ?? {}).map((name) => [name, `the ${name} of this test`]),
    );
    if (started.isError) started = await player.call('start_workflow', { ...request, context });
    let at = executionOf(started);
    while (!at.isComplete && player.played.length < mostSteps) at = (await player.play(at)).answer;
    expect(at.isComplete, `after ${mostSteps} steps`).toBe(true);
    return { steps: player.played.length, status: at.status };
  }

  it('finds the bundled workflows', () => {
    expect(listed).toHaveLength(workflows.length);
  });

  it.each(modeNames)('finishes each of them in %s, with no gap left', async (mode) => {
    for (const { id, kind } of listed) {
      const { steps, status } = await finish(id, mode);
      expect(steps, id).toBeGreaterThan(kind === 'routine' ? 0 : 2);
      expect(status, id).toBe('complete');
    }
  });
});
