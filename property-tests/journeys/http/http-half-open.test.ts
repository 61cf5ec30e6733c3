import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeRequestsWorld } from '../../worlds/requests-world.js';
import { listen, serveRequests } from '../../worlds/http-world.js';

const main = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url));
const host = 'Host: 127.0.0.1\r\n';
/** What a client may say and then nothing more. */
const halves = [
  '',
  'G',
  `GET /api/sessions HTTP/1.1\r\n${host}`,
  `GET /api/sessions HTTP/1.1\r\n${host}X-Padding: ${'x'.repeat(2000)}`,
  `POST /mcp HTTP/1.1\r\n${host}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
  `POST /api/import HTTP/1.1\r\n${host}X-WorkRail: 1\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab`,
];

let folder: string;
const sockets: Socket[] = [];
const children: ChildProcess[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'http-half-'));
  for (const name of ['work', 'home']) mkdirSync(join(folder, name));
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const child of children.splice(0)) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

/** So many clients that say a half and wait; how many of them the server has let go of. */
async function halfOpen(port: number, count: number): Promise<() => number> {
  let ended = 0;
  for (let index = 0; index < count; index += 1) {
    await new Promise<void>((resolve) => {
      const socket = connect({ port, host: '127.0.0.1' }, () => {
        socket.write((halves[index % halves.length] ?? '').replace(host, `Host: 127.0.0.1:${port}\r\n`));
        resolve();
      });
      sockets.push(socket);
      socket.resume();
      socket.on('error', () => resolve());
      socket.on('close', () => {
        ended += 1;
        resolve();
      });
    });
  }
  return () => ended;
}

describe('clients that begin and do not go on', () => {
  it('are let go of, oldest first, and keep nobody out of a program that may open 1,024 files', async () => {
    const script = `ulimit -n 1024; exec "${process.execPath}" "${main}" serve --port 0`;
    const child = spawn('sh', ['-c', script], {
      cwd: join(folder, 'work'),
      env: { PATH: process.env['PATH'] ?? '', HOME: join(folder, 'home') },
    });
    children.push(child);
    const port = await portOf(child);
    const stream = await listen(`http://127.0.0.1:${port}/api/events`);
    let streamEnded = false;
    void stream.ended.then(() => (streamEnded = true));
    const ended = await halfOpen(port, 1_300);
    const answer = await fetch(`http://127.0.0.1:${port}/api/sessions`);
    expect([answer.status, await answer.json()]).toMatchObject([200, { sessions: [] }]);
    await expect.poll(ended, { timeout: 20_000 }).toBeGreaterThanOrEqual(1_300 - 512);
    // What was asked for whole is not cut off for those.
    expect(streamEnded).toBe(false);
    stream.close();
  }, 60_000);

  it('are given up after a time, whatever they have said, and one that only waits for news is not', async () => {
    const world = makeRequestsWorld({ seed: 7 });
    const served = await serveRequests(world.open(), {
      keepAliveMs: 60_000,
      headMs: 400,
      pauseMs: 400,
    });
    try {
      const stream = await listen(`${served.origin}/api/events`);
      let streamEnded = false;
      void stream.ended.then(() => (streamEnded = true));
      const ended = await halfOpen(served.port, 4 * halves.length);
      await expect.poll(ended, { timeout: 20_000 }).toBe(4 * halves.length);
      expect(streamEnded).toBe(false);
      expect((await served.get('/api/sessions')).status).toBe(200);
      stream.close();
    } finally {
      await served.close();
      await world.close();
    }
  }, 60_000);
});

function portOf(served: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    let said = '';
    for (const stream of [served.stdout, served.stderr])
      stream?.on('data', (bytes: Buffer) => {
        said += bytes.toString('utf8');
        const port = /at http:\/\/\S+?:(\d+)\//u.exec(said)?.[1];
        if (port !== undefined && said.includes('Ctrl-C')) resolve(Number(port));
      });
    served.once('exit', (code) => reject(new Error(`it ended with ${code}: ${said}`)));
  });
}
