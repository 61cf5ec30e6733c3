import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeDemoFolder } from '../src/cli/demo-folder.js';
import { startStdioClient, type ToolAnswer } from '../src/mcp/stdio-client.js';

const program = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
const hasStrace = spawnSync('strace', ['-V']).status === 0;
if (!hasStrace) console.log('mcp-strace: strace is not here; what a step costs in system calls is not counted');

/** What the built server asks of the system, as an agent's client drives it. */
describe.runIf(hasStrace)('system calls of the built server', () => {
  const place = makeDemoFolder();
  let calls: readonly string[] = [];
  let acked = 0;
  let replayed = 0;

  beforeAll(async () => {
    const trace = path.join(place.workspace, 'trace');
    const traced = 'write,pwrite64,writev,fsync,fdatasync,rename,renameat,renameat2,open,openat,creat,mkdir,mkdirat,unlink,unlinkat,ftruncate';
    const server = [process.execPath, program, 'mcp', '--data-dir', place.dataDir, '--workspace', place.workspace];
    const client = await startStdioClient({ command: 'strace', args: ['-f', '-qq', '-y', '-s', '40', '-e', `trace=${traced}`, '-o', trace, ...server], env: place.env, cwd: place.workspace, name: 'strace' });
    const say = async (tool: string, args: Parameters<typeof client.call>[1]): Promise<ToolAnswer> => {
      const said = await client.call(tool, args);
      expect(said.isError, said.text).toBe(false);
      return said;
    };
    const pair = ({ answer: { stateToken = '', ackToken = '' } }: ToolAnswer): { stateToken: string; ackToken: string } => ({ stateToken: stateToken as string, ackToken: ackToken as string });
    const ack = (at: ToolAnswer): Promise<ToolAnswer> => say('continue_workflow', { ...pair(at), output: { notesMarkdown: 'Done. Expected: Observed: Ran: Verdict: Verified:' } });
    let at = await say('start_workflow', { workflowId: 'wr.bug_investigation', session: 'STRACE', mode: 'auto_never_stop', context: { symptom: 'none' } });
    const first = at;
    at = await ack(at);
    // From here on everything is warm: the lock is held, the segment open, the keys read.
    const mark = (text: string): number => text.split('\n').length;
    const before = mark(readFileSync(trace, 'utf8'));
    while (at.answer['isComplete'] !== true) {
      at = await ack(at);
      acked += 1;
    }
    for (replayed = 0; replayed < 5; replayed += 1) await ack(first);
    calls = readFileSync(trace, 'utf8').split('\n').slice(before - 1);
    await client.close();
  }, 60_000);
  afterAll(() => place.remove());

  const touching = (folder: string): readonly string[] => calls.filter((call) => call.includes(folder));

  it('writes and syncs once a step, and not at all for a replay', () => {
    const log = touching(`${place.dataDir}/sessions`);
    expect(acked).toBeGreaterThan(2);
    expect(replayed).toBe(5);
    expect(log.filter((call) => /\b(?:write|pwrite64|writev)\(/u.test(call))).toHaveLength(acked);
    expect(log.filter((call) => /\bf(?:data)?sync\(/u.test(call))).toHaveLength(acked);
  });

  it('makes, renames and removes nothing in a session', () => {
    const other = touching(`${place.dataDir}/sessions`).filter((call) => /\b(?:rename\w*|mkdir\w*|unlink\w*|ftruncate|creat)\(/u.test(call) || call.includes('O_CREAT'));
    expect(other).toEqual([]);
  });

  it('touches nothing outside of its data and configuration folders', () => {
    const written = calls.filter((call) => (call.includes('O_CREAT') || /\b(?:rename\w*|mkdir\w*|unlink\w*|creat)\(/u.test(call)) && call.includes('"/'));
    expect(written.filter((call) => !call.includes(place.dataDir))).toEqual([]);
  });
});
