import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { makeDemoFolder } from '../../../src/cli/demo/demo-folder.js';
import { expectsFiller } from '../../../src/cli/demo/demo-agent.js';
import { executionOf, playerOn } from '../../../src/cli/demo/demo-player.js';
import type { ExecutionAnswer } from '../../../src/contract/answer.js';
import { startStdioClient, type StdioClient } from '../../../src/mcp/stdio-client.js';
import { answerKey } from '../../../src/mcp/tool-result.js';
import { startBuilt } from '../../worlds/built-server.js';
import { eras } from '../../worlds/stdio-world.js';

const program = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url));
const place = makeDemoFolder();
const env = { ...place.env, PATH: process.env['PATH'] ?? '' };
afterAll(() => place.remove());

function workrail(...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
    cwd: place.workspace,
    env,
    encoding: 'utf8',
    input: '',
  });
  return { status, stdout, stderr };
}

const serve = (): Promise<StdioClient> =>
  startStdioClient({
    command: process.execPath,
    args: [program, 'mcp', '--data-dir', place.dataDir],
    env: place.env,
    cwd: place.workspace,
    name: 'test',
  });

describe('the built program', () => {
  it('tells its version, its commands and its mistakes, with the exit code of each', () => {
    const { version } = JSON.parse(
      readFileSync(fileURLToPath(new URL('../../../package.json', import.meta.url)), 'utf8'),
    );
    expect(workrail('version')).toEqual({ status: 0, stdout: `workrail ${version}\n`, stderr: '' });
    expect(workrail('help')).toMatchObject({ status: 0, stdout: expect.stringContaining('keys rotate'), stderr: '' });
    expect(workrail('versio')).toEqual({
      status: 2,
      stdout: '',
      stderr: expect.stringMatching(/^workrail: no command named "versio"; did you mean version\?\nSee: \S.* help\n$/u),
    });
    expect(workrail('keys', 'rotate', '--workspace', 'nowhere')).toMatchObject({ status: 2, stdout: '' });
  });

  it('ends at once where stdin is empty and no command is given', () => {
    expect(workrail()).toEqual({ status: 0, stdout: '', stderr: '' });
  });

  it('rotates keys, and tokens from before go on working, in a server that was started before and in those started after, of clients of either era', async () => {
    const before = await serve();
    const player = playerOn(before);
    const started = executionOf(
      await player.call('start_workflow', { workflowId: 'wr.bug_investigation', context: { symptom: 'It fails.' } }),
    );
    const first = await player.play(started);
    const rotated = workrail('keys', 'rotate', '--json');
    expect(rotated).toMatchObject({ status: 0, stderr: '' });
    expect(JSON.parse(rotated.stdout)).toEqual({ key: expect.stringMatching(/^k_[0-9a-f]{8}$/u) });
    const second = await player.play(first.answer);
    await before.close();
    let at = second.answer;
    for (const era of eras) {
      const after = startBuilt(era, ['mcp', '--data-dir', place.dataDir], { folder: place.workspace, env: place.env });
      await after.initialize();
      const { stateToken, ackToken, pending } = at;
      const done = { stateToken, ackToken, ...expectsFiller(pending!.expects) };
      const { result } = await after.ask('tools/call', { name: 'continue_workflow', arguments: done });
      at = (result!['_meta'] as { readonly [answerKey]: ExecutionAnswer })[answerKey];
      after.child.stdin.end();
      await after.ended;
    }
    expect(at.stepsDone).toBe(4);
  });
});
