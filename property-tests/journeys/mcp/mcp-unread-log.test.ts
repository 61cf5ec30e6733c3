import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const main = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url));
let folder: string;
const children: ChildProcess[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'unread-log-'));
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

describe('a server whose stderr nobody reads', () => {
  it('goes on when it is full, and ends when its client does', async () => {
    const child = spawn(process.execPath, [main, 'mcp', '--data-dir', join(folder, 'data')], {
      cwd: folder,
      env: { PATH: process.env['PATH'] ?? '', HOME: folder },
      stdio: 'pipe',
    });
    children.push(child);
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
    const say = (message: object): void =>
      void child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    say({
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
    });
    // Each is told on stderr: many times what a pipe holds, and what is kept for a reader.
    for (let line = 0; line < 8_000; line += 1) child.stdin.write(`{"no": "message", "line": ${line}, \n`);
    say({ id: 2, method: 'tools/list' });
    await expect.poll(() => said.includes('"id":2'), { timeout: 30_000 }).toBe(true);
    child.stdin.end();
    expect(await ended).toBe(0);
  }, 60_000);
});
