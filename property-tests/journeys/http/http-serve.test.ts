import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import type { QuestionsTold } from '../../../src/contract/question-told.js';
import type { SessionsPage } from '../../../src/contract/session-list.js';
import { startStdioClient } from '../../../src/mcp/stdio-client.js';
import { answerKey } from '../../../src/mcp/tool-result.js';
import { listen } from '../../worlds/http-world.js';
import { textOf } from '../../worlds/requests-world.js';

const main = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url));
let folder: string;
const children: ChildProcess[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'http-serve-'));
  for (const name of ['work', 'home']) mkdirSync(join(folder, name));
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

const env = (): Record<string, string> => ({
  PATH: process.env['PATH'] ?? '',
  HOME: join(folder, 'home'),
  XDG_CONFIG_HOME: join(folder, 'config'),
  XDG_DATA_HOME: join(folder, 'user'),
});

interface Served {
  readonly port: number;
  readonly out: () => string;
  readonly child: ChildProcess;
  readonly exit: Promise<number | null>;
}

/** The built program, as a person starts it. */
const serve = (...args: readonly string[]): Promise<Served> => serveBy(main, 'serve', '--port', '0', ...args);

async function serveBy(...args: readonly string[]): Promise<Served> {
  const child = spawn(process.execPath, args, { cwd: join(folder, 'work'), env: env() });
  children.push(child);
  let out = '';
  const exit = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const port = await new Promise<number>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (bytes: Buffer) => {
        out += bytes.toString('utf8');
        const found = /at http:\/\/\S+?:(\d+)\//u.exec(out)?.[1];
        if (found !== undefined && out.includes('Ctrl-C')) resolve(Number(found));
      });
    void exit.then((code) => reject(new Error(`it ended with ${code}: ${out}`)));
  });
  return { port, out: () => out, child, exit };
}

async function connect(port: number, headers: Readonly<Record<string, string>> = {}): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  const transport = new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`), {
    requestInit: { headers },
  });
  // The SDK's types disagree with themselves under exactOptionalPropertyTypes.
  await client.connect(transport as unknown as Transport);
  return client;
}

const answerOf = (result: { readonly [key: string]: unknown }): Record<string, unknown> =>
  (result['_meta'] as Record<string, Record<string, unknown>>)[answerKey]!;

describe('workrail serve', () => {
  it('serves agents over HTTP and on stdio the same work, and the page sees both', async () => {
    const served = await serve();
    const events = await listen(`http://127.0.0.1:${served.port}/api/events`);
    const http = await connect(served.port);
    const stdio = await startStdioClient({
      command: process.execPath,
      args: [main, 'mcp'],
      env: env(),
      cwd: join(folder, 'work'),
      name: 'beside',
    });
    try {
      expect((await http.listTools()).tools.map(({ name }) => name)).toContain('continue_workflow');
      const started = answerOf(
        await http.callTool({
          name: 'start_workflow',
          arguments: { workflowId: 'wr.bug_investigation', session: 'BUG-7', context: { symptom: 'It fails.' } },
        }),
      );
      const stateToken = textOf(started['stateToken'] as string);
      expect(stateToken).toMatch(/^st\.v1\./u);
      const looked = await stdio.call('continue_workflow', { stateToken });
      expect((looked.answer['session'] as { sessionId: string }).sessionId).toBe('BUG-7');
      await events.until((heard) =>
        heard.some(({ event, data }) => event === 'session' && (data as { sessionId: string }).sessionId === 'BUG-7'),
      );
      const before = events.heard.length;
      await stdio.call('checkpoint_workflow', { stateToken, output: { notesMarkdown: 'Halfway.' } });
      await events.until((heard) => heard.length > before);
      const page = (await (
        await fetch(`http://127.0.0.1:${served.port}/api/sessions?query=halfway`)
      ).json()) as SessionsPage;
      expect(page.sessions.map(({ sessionId }) => sessionId)).toEqual(['BUG-7']);
    } finally {
      events.close();
      await http.close();
      await stdio.close();
    }
  });

  it('shows who types npm start the sessions of the demo, goes on with the one that they answer, and keeps what an agent of theirs begins beside it', async () => {
    const { port, child, exit } = await serveBy(
      fileURLToPath(new URL('../../../.tools/start.mjs', import.meta.url)),
      '--port',
      '0',
    );
    const api = `http://127.0.0.1:${port}/api`;
    const listed = async (): Promise<SessionsPage['sessions']> =>
      ((await (await fetch(`${api}/sessions`)).json()) as SessionsPage).sessions;
    const demo = await listed();
    const ids = demo.map(({ sessionId }) => sessionId);
    expect(ids.toSorted()).toEqual([
      'TILL-466',
      'TILL-479',
      'TILL-482',
      'TILL-490',
      'TILL-491',
      'TILL-492',
      'TILL-493',
    ]);
    const http = await connect(port);
    await http.callTool({
      name: 'start_workflow',
      arguments: { workflowId: 'wr.bug_investigation', session: 'OVER-HTTP', context: { symptom: 'It fails.' } },
    });
    const stdio = await startStdioClient({
      command: process.execPath,
      args: [main, 'mcp'],
      env: env(),
      cwd: join(folder, 'work'),
      name: 'own',
    });
    await stdio.call('start_workflow', {
      workflowId: 'wr.bug_investigation',
      session: 'OVER-STDIO',
      context: { symptom: 'It fails too.' },
    });
    await expect
      .poll(async () => (await listed()).map(({ sessionId }) => sessionId).toSorted(), { timeout: 5000 })
      .toEqual([...ids, 'OVER-HTTP', 'OVER-STDIO'].toSorted());
    await Promise.all([http.close(), stdio.close()]);
    const { waiting } = (await (await fetch(`${api}/sessions/TILL-479/questions`)).json()) as QuestionsTold;
    const { block, question } = waiting[0]!.questions[0]!;
    const said = await fetch(`${api}/sessions/TILL-479/answers`, {
      method: 'POST',
      headers: { 'x-workrail': '1', 'content-type': 'application/json' },
      body: JSON.stringify({ block, question, answer: 'agreed' }),
    });
    expect(said.status).toBe(200);
    // The agent of the demo goes on with it.
    await expect
      .poll(async () => (await listed()).find(({ sessionId }) => sessionId === 'TILL-479')?.run?.status, {
        timeout: 20_000,
      })
      .toBe('complete');
    child.kill('SIGINT');
    expect(await exit).toBe(0);
    expect(demo.filter(({ folder: kept }) => existsSync(kept))).toEqual([]);
    expect(readdirSync(join(folder, 'user', 'workrail', 'sessions')).toSorted()).toEqual(['OVER-HTTP', 'OVER-STDIO']);
  }, 120_000);

  it('gives each client session a server of its own, and ends it when it is told to', async () => {
    const { port } = await serve();
    const [one, other] = [await connect(port), await connect(port)];
    await Promise.all([one.ping(), other.ping()]);
    const post = (headers: Readonly<Record<string, string>>, body: object): Promise<Response> =>
      fetch(`http://127.0.0.1:${port}/mcp`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
        body: JSON.stringify(body),
      });
    expect((await post({}, { jsonrpc: '2.0', id: 1, method: 'tools/list' })).status).toBe(400);
    expect((await post({ 'mcp-session-id': 'nobody' }, { jsonrpc: '2.0', id: 1, method: 'tools/list' })).status).toBe(
      404,
    );
    const begun = await post(
      {},
      {
        jsonrpc: '2.0',
        id: 1,
        method: 'initialize',
        params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
      },
    );
    const id = begun.headers.get('mcp-session-id') ?? '';
    expect(id).not.toBe('');
    await begun.body?.cancel();
    const ended = await fetch(`http://127.0.0.1:${port}/mcp`, { method: 'DELETE', headers: { 'mcp-session-id': id } });
    expect(ended.status).toBe(200);
    expect((await post({ 'mcp-session-id': id }, { jsonrpc: '2.0', id: 2, method: 'ping' })).status).toBe(404);
    await Promise.all([one.ping(), other.ping()]);
    await one.close();
    await other.close();
  });

  test.each(['SIGINT', 'SIGTERM'] as const)('ends on %s with streams and client sessions open', async (signal) => {
    const began = performance.now();
    const served = await serve();
    const started = performance.now() - began;
    const events = await listen(`http://127.0.0.1:${served.port}/api/events`);
    const http = await connect(served.port);
    const signalled = performance.now();
    served.child.kill(signal);
    expect(await served.exit).toBe(0);
    expect(performance.now() - signalled).toBeLessThan(10 * started);
    await events.ended;
    expect(events.heard.at(-1)?.event).toBe('stopped');
    await http.close();
  });

  it('says that a port is taken, and takes no other', async () => {
    const { port } = await serve();
    const second = await promisify(execFile)(process.execPath, [main, 'serve', '--port', String(port)], {
      cwd: join(folder, 'work'),
      env: env(),
    }).then(
      () => ({ code: 0, stderr: '' }),
      (error: { code: number; stderr: string }) => error,
    );
    expect(second.code).toBe(3);
    expect(second.stderr).toContain(`port ${port} on 127.0.0.1 is in use`);
    expect(second.stderr).toContain('--port 0');
  });

  test.each([
    ['--port', 'abc'],
    ['--port', '65536'],
    ['--token', 'short'],
    ['--token', 'with a space in it'],
    ['--host', 'a/b'],
  ])('refuses %s %s with a word', async (option, value) => {
    const refused = await promisify(execFile)(process.execPath, [main, 'serve', option, value], {
      cwd: join(folder, 'work'),
      env: env(),
    }).catch((error: { code: number; stderr: string }) => error);
    expect(refused).toMatchObject({ code: 2 });
    expect(refused.stderr).toMatch(/See: \S.* help serve/u);
  });

  it('asks for a token where others can reach it, makes one, and prints how to come in', async () => {
    const address =
      Object.values(networkInterfaces())
        .flatMap((faces) => faces ?? [])
        .find(({ internal, family }) => !internal && family === 'IPv4')?.address ?? '127.0.0.1';
    const served = await serve('--host', '0.0.0.0');
    const token = /\?token=([\w.~-]+)/u.exec(served.out())?.[1] ?? '';
    expect(token.length).toBeGreaterThanOrEqual(32);
    for (const host of ['127.0.0.1', address]) {
      const origin = `http://${host}:${served.port}`;
      expect((await fetch(`${origin}/api/about`)).status).toBe(401);
      expect((await fetch(`${origin}/api/events`)).status).toBe(401);
      expect((await fetch(`${origin}/api/about`, { headers: { authorization: `Bearer ${token}` } })).status).toBe(200);
    }
    const client = await connect(served.port, { authorization: `Bearer ${token}` });
    await client.ping();
    await client.close();
    await expect(connect(served.port)).rejects.toThrow(/401|token/iu);
  });
});
