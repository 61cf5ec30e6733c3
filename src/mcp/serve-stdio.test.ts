import { tmpdir } from 'node:os';
import { PassThrough, Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { limits } from '../base/limits.js';
import type { Reply } from '../contract/reply.js';
import { chooseTools } from './choose-tools.js';
import { serveStdio, type StdioServerOptions } from './serve-stdio.js';

interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string };
}

interface Calls {
  readonly opened: string[];
  readonly requests: { readonly name: string; readonly raw: unknown }[];
  closed: number;
}

const said = (text: string): Reply => ({ failed: false, lookup: false, text, answer: { kind: 'ok' } });

/** A server on streams, with requests that the test stands in for. */
function serve(answer: (name: string, raw: unknown) => Promise<Reply>, besides: Partial<StdioServerOptions> = {}) {
  const stdin = new PassThrough();
  const stdout = new PassThrough();
  const messages: Message[] = [];
  const log: string[] = [];
  const calls: Calls = { opened: [], requests: [], closed: 0 };
  const stop = new AbortController();
  const tools = chooseTools([]);
  if (!tools.ok) throw new Error(tools.error);
  let rest = '';
  stdout.on('data', (bytes: Buffer) => {
    const lines = (rest + bytes.toString()).split('\n');
    rest = lines.pop() ?? '';
    messages.push(...lines.map((line) => JSON.parse(line) as Message));
  });
  const ended = serveStdio({
    version: '1.2.3',
    tools: tools.value,
    legacyNames: false,
    structuredContent: false,
    workspace: undefined,
    workingFolder: '/here',
    openRequests: (workspace) => {
      calls.opened.push(workspace);
      return Promise.resolve({
        call: (name: string, raw: unknown) => {
          calls.requests.push({ name, raw });
          return answer(name, raw);
        },
        resources: () => [],
        rotateKey: () => ({ id: 'k' }),
        close: () => {
          calls.closed += 1;
          return Promise.resolve();
        },
      });
    },
    stdin,
    stdout,
    log: (line) => void log.push(line),
    stop: stop.signal,
    ...besides,
  });
  const send = (message: object): void => void stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const answered = async (matches: (message: Message) => boolean): Promise<Message> => {
    for (let round = 0; round < 500; round += 1) {
      const found = messages.find(matches);
      if (found !== undefined) return found;
      await new Promise((resolve) => setTimeout(resolve, 4));
    }
    throw new Error(`no such answer among ${JSON.stringify(messages)}`);
  };
  const ask = (id: number, method: string, params: object = {}): Promise<Message> => {
    send({ id, method, params });
    return answered((message) => message.id === id && message.method === undefined);
  };
  const initialize = (capabilities: object = {}): Promise<Message> =>
    ask(1, 'initialize', { protocolVersion: '2025-11-25', capabilities, clientInfo: { name: 'test', version: '1' } });
  return { stdin, stdout, log, calls, stop, ended, send, ask, answered, initialize };
}

const hasText = (text: string) => ({ content: [{ type: 'text', text }] });

describe('a client', () => {
  it('is told who serves, what is served and how to use it, before any request is opened', async () => {
    const { initialize, ask, calls, stdin, ended } = serve(() => Promise.resolve(said('x')));
    const { result } = await initialize();
    expect(result).toMatchObject({ protocolVersion: '2025-11-25', serverInfo: { name: 'workrail', version: '1.2.3' } });
    expect(result?.['capabilities']).toEqual({ tools: {}, resources: {}, prompts: {} });
    expect(String(result?.['instructions']).length).toBeLessThanOrEqual(1800);
    expect((await ask(2, 'tools/list')).result?.['tools']).toHaveLength(6);
    expect((await ask(3, 'prompts/list')).result?.['prompts']).toEqual([]);
    expect((await ask(4, 'server/discover')).error).toMatchObject({ code: -32601 });
    expect(calls.opened).toEqual([]);
    stdin.end();
    await ended;
    expect(calls.closed).toBe(0);
  });

  it('gets a protocol error for a tool that is not offered, with what would help', async () => {
    const { initialize, ask, calls } = serve(() => Promise.resolve(said('x')));
    await initialize();
    expect((await ask(2, 'tools/call', { name: 'start_workflw' })).error).toEqual({
      code: -32602,
      message: 'There is no tool "start_workflw". Did you mean start_workflow?',
    });
    expect((await ask(3, 'tools/call', { name: 'start_session', arguments: {} })).error?.message).toContain(
      '--enable start_session',
    );
    expect(calls.requests).toEqual([]);
  });

  it('gets every call answered, arguments or none, through requests that were opened once', async () => {
    const { initialize, ask, calls } = serve((name) => Promise.resolve(said(name)));
    await initialize();
    expect((await ask(2, 'tools/call', { name: 'list_workflows' })).result).toMatchObject(hasText('list_workflows'));
    expect((await ask(3, 'tools/call', { name: 'resume_session', arguments: { query: 'x' } })).result).toMatchObject(
      hasText('resume_session'),
    );
    expect(calls).toMatchObject({
      opened: ['/here'],
      requests: [
        { name: 'list_workflows', raw: {} },
        { name: 'resume_session', raw: { query: 'x' } },
      ],
    });
  });

  it('gets what was thrown as a rejection, with nothing of its inside', async () => {
    const { initialize, ask, log } = serve(() => Promise.reject(new Error('a secret of the inside')));
    await initialize();
    const { result } = await ask(2, 'tools/call', { name: 'list_workflows' });
    expect(result).toMatchObject({
      isError: true,
      _meta: { 'workrail/answer': { error_code: 'INTERNAL', category: 'internal', retryable: false } },
    });
    expect(JSON.stringify(result)).not.toContain('secret');
    expect(log.join('\n')).toMatch(/list_workflows failed \(correlation [0-9a-f]{8}\): Error: a secret/u);
  });

  it('may call with the old names where they are offered', async () => {
    const { initialize, ask, calls } = serve(() => Promise.resolve(said('x')), { legacyNames: true });
    await initialize();
    const handed = { stateToken: 's', context: { notesMarkdown: 'n' } };
    await ask(2, 'tools/call', { name: 'workflow_advance', arguments: handed });
    await ask(3, 'tools/call', { name: 'continue_workflow', arguments: handed });
    expect(calls.requests).toEqual([
      { name: 'continue_workflow', raw: handed },
      { name: 'continue_workflow', raw: handed },
    ]);
  });
});

describe('requests that cannot be opened', () => {
  it('are tried again by the next call', async () => {
    let tries = 0;
    const { initialize, ask } = serve(() => Promise.resolve(said('x')), {
      openRequests: () => {
        tries += 1;
        if (tries === 1) return Promise.reject(new Error('the disk is full'));
        return Promise.resolve({
          call: () => Promise.resolve(said('works')),
          resources: () => [],
          rotateKey: () => ({ id: 'k' }),
          close: () => Promise.resolve(),
        });
      },
    });
    await initialize();
    expect((await ask(2, 'tools/call', { name: 'list_workflows' })).result).toMatchObject({ isError: true });
    expect((await ask(3, 'tools/call', { name: 'list_workflows' })).result).toMatchObject(hasText('works'));
  });
});

describe('the workspace', () => {
  it('is the first root of a client that has roots', async () => {
    const { initialize, send, ask, answered, calls } = serve(() => Promise.resolve(said('x')));
    await initialize({ roots: {} });
    send({ method: 'notifications/initialized' });
    const { id } = await answered(({ method }) => method === 'roots/list');
    send({ id, result: { roots: [{ uri: pathToFileURL(tmpdir()).href }] } });
    await ask(2, 'tools/call', { name: 'list_workflows' });
    expect(calls.opened).toEqual([tmpdir()]);
  });

  it('is the working folder where the client does not answer in time', async () => {
    const { initialize, send, ask, calls, log } = serve(() => Promise.resolve(said('x')));
    await initialize({ roots: {} });
    send({ method: 'notifications/initialized' });
    await ask(2, 'tools/call', { name: 'list_workflows' });
    expect(calls.opened).toEqual(['/here']);
    expect(log.join('\n')).toContain('did not name its roots');
  });

  it('is not asked for where it was given', async () => {
    const { initialize, ask, calls } = serve(() => Promise.resolve(said('x')), { workspace: '/given' });
    await initialize({ roots: {} });
    await ask(2, 'tools/call', { name: 'list_workflows' });
    expect(calls.opened).toEqual(['/given']);
  });
});

describe('the end', () => {
  const slow = (): Promise<Reply> => new Promise((resolve) => setTimeout(() => resolve(said('late')), 60));

  it('of stdin comes after what was asked has been answered and the requests are closed', async () => {
    const { initialize, send, stdin, ended, answered, calls } = serve(slow);
    await initialize();
    send({ id: 2, method: 'tools/call', params: { name: 'list_workflows' } });
    stdin.end();
    await ended;
    expect((await answered(({ id }) => id === 2)).result).toMatchObject(hasText('late'));
    expect(calls.closed).toBe(1);
  });

  it('may be a signal', async () => {
    const { initialize, send, stop, ended, answered, calls } = serve(slow);
    await initialize();
    send({ id: 2, method: 'tools/call', params: { name: 'list_workflows' } });
    await new Promise((resolve) => setTimeout(resolve, 10));
    stop.abort();
    await ended;
    expect((await answered(({ id }) => id === 2)).result).toMatchObject(hasText('late'));
    expect(calls.closed).toBe(1);
  });

  it('does not wait for a call that the client took back', async () => {
    const { initialize, send, stdin, ended, calls } = serve(() => new Promise(() => undefined));
    await initialize();
    send({ id: 2, method: 'tools/call', params: { name: 'list_workflows' } });
    send({ method: 'notifications/cancelled', params: { requestId: 2 } });
    stdin.end();
    await ended;
    expect(calls.closed).toBe(1);
  });

  it('comes when the client no longer reads', async () => {
    const { initialize, ask, stdout, ended, calls } = serve(() => Promise.resolve(said('x')));
    await initialize();
    await ask(2, 'tools/call', { name: 'list_workflows' });
    stdout.destroy(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
    await ended;
    expect(calls.closed).toBe(1);
  });

  it('comes with a message that is too long, and says so', async () => {
    const { initialize, stdin, ended, log } = serve(() => Promise.resolve(said('x')));
    await initialize();
    stdin.write(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":"${'x'.repeat(11 * 1024 * 1024)}"}\n`);
    await ended;
    expect(log.join('\n')).toContain('more than 10485760 bytes');
  });

  it('does not come with a line that is no message, which is passed over and named', async () => {
    const { initialize, stdin, ask, log } = serve(() => Promise.resolve(said('still here')));
    await initialize();
    stdin.write('hello\n');
    expect((await ask(2, 'tools/call', { name: 'list_workflows' })).result).toMatchObject(hasText('still here'));
    expect(log.join('\n')).toMatch(/^protocol: /u);
  });
});

describe('a client that cannot keep up', () => {
  it('which reads nothing is let go of, and does not keep the process', async () => {
    const stdout = new Writable({ write: () => undefined });
    const { send, ended, log, calls } = serve(() => Promise.resolve(said('x'.repeat(1024 * 1024))), { stdout });
    for (let id = 0; id < 70; id += 1) send({ id, method: 'tools/call', params: { name: 'list_workflows' } });
    await ended;
    expect(log.join('\n')).toContain('bytes of answers unread');
    expect(calls.closed).toBe(1);
    expect(stdout.destroyed).toBe(true);
  });

  it.each([
    ['', (n: number) => n],
    [', and gives all of it one id,', () => 1],
  ])('which asks for too much at once%s is heard again once some of it is answered', async (_, idOf) => {
    const waiting: (() => void)[] = [];
    const { send, stdin, ended, answered, calls } = serve(
      () => new Promise((resolve) => waiting.push(() => resolve(said('x')))),
    );
    for (let id = 0; id < limits.openCalls; id += 1)
      send({ id: idOf(id), method: 'tools/call', params: { name: 'list_workflows' } });
    while (waiting.length < limits.openCalls) await new Promise((resolve) => setTimeout(resolve, 4));
    expect(stdin.isPaused()).toBe(true);
    send({ id: 'after', method: 'ping' });
    for (const answer of waiting) answer();
    await answered(({ id }) => id === 'after');
    expect(stdin.isPaused()).toBe(false);
    stdin.end();
    await ended;
    expect(calls.requests).toHaveLength(limits.openCalls);
  });
});
