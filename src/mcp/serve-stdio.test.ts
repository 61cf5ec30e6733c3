import { tmpdir } from 'node:os';
import { Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { limits } from '../base/limits.js';
import type { Reply } from '../contract/reply.js';
import { eras, said, serve } from '../../property-tests/worlds/stdio-world.js';

const hasText = (text: string) => ({ content: [{ type: 'text', text }] });

describe.each(eras)('a client (%s)', (era) => {
  it('is told who serves, what is served and how to use it, before any request is opened', async () => {
    const { initialize, ask, calls, stdin, ended } = serve(era, () => Promise.resolve(said('x')));
    const { result } = await initialize();
    const serverInfo = { name: 'workrail', version: '1.2.3' };
    expect(result).toMatchObject(
      era === 'legacy'
        ? { protocolVersion: '2025-11-25', serverInfo }
        : { supportedVersions: ['2026-07-28'], _meta: { 'io.modelcontextprotocol/serverInfo': serverInfo } },
    );
    expect(result?.['capabilities']).toEqual({ tools: {}, resources: {}, prompts: {} });
    expect(String(result?.['instructions']).length).toBeLessThanOrEqual(1800);
    expect((await ask(2, 'tools/list')).result?.['tools']).toHaveLength(6);
    expect((await ask(3, 'prompts/list')).result?.['prompts']).toEqual([]);
    expect((await ask(4, 'resources/templates/list')).result?.['resourceTemplates']).toEqual([]);
    expect(calls.opened).toEqual([]);
    stdin.end();
    await ended;
    expect(calls.closed).toBe(0);
  });

  it('gets a protocol error for a tool that is not offered, with what would help', async () => {
    const { initialize, ask, calls } = serve(era, () => Promise.resolve(said('x')));
    await initialize();
    expect((await ask(2, 'tools/call', { name: 'start_workflw' })).error).toEqual({
      code: -32602,
      message: 'No tool is named "start_workflw". Did you mean start_workflow?',
    });
    expect((await ask(3, 'tools/call', { name: 'start_session', arguments: {} })).error?.message).toContain(
      '--enable start_session',
    );
    expect(calls.requests).toEqual([]);
  });

  it('gets every call answered, arguments or none, through requests that were opened once', async () => {
    const { initialize, ask, calls } = serve(era, (name) => Promise.resolve(said(name)));
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
    const { initialize, ask, log } = serve(era, () => Promise.reject(new Error('a secret of the inside')));
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
    const { initialize, ask, calls } = serve(era, () => Promise.resolve(said('x')), { legacyNames: true });
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

describe.each(eras)('requests that cannot be opened (%s)', (era) => {
  it('are tried again by the next call', async () => {
    let tries = 0;
    const { initialize, ask } = serve(era, () => Promise.resolve(said('x')), {
      openRequests: () => {
        tries += 1;
        if (tries === 1) return Promise.reject(new Error('the disk is full'));
        return Promise.resolve({
          call: () => Promise.resolve(said('works')),
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

describe('the workspace of a client that began with initialize', () => {
  const era = 'legacy';
  it('is the first root of a client that has roots', async () => {
    const { initialize, send, ask, answered, calls } = serve(era, () => Promise.resolve(said('x')));
    await initialize({ roots: {} });
    send({ method: 'notifications/initialized' });
    const { id } = await answered(({ method }) => method === 'roots/list');
    send({ id, result: { roots: [{ uri: pathToFileURL(tmpdir()).href }] } });
    await ask(2, 'tools/call', { name: 'list_workflows' });
    expect(calls.opened).toEqual([tmpdir()]);
  });

  it('is the working folder where the client does not answer in time', async () => {
    const { initialize, send, ask, calls, log } = serve(era, () => Promise.resolve(said('x')));
    await initialize({ roots: {} });
    send({ method: 'notifications/initialized' });
    await ask(2, 'tools/call', { name: 'list_workflows' });
    expect(calls.opened).toEqual(['/here']);
    expect(log.join('\n')).toContain('did not name its roots');
  });
});

it.each(eras)('a workspace that was given is not asked for (%s)', async (era) => {
  const { initialize, ask, calls } = serve(era, () => Promise.resolve(said('x')), { workspace: '/given' });
  await initialize({ roots: {} });
  expect((await ask(2, 'tools/call', { name: 'list_workflows' })).result).toMatchObject(hasText('x'));
  expect(calls.opened).toEqual(['/given']);
});

describe.each(eras)('the end (%s)', (era) => {
  const slow = (): Promise<Reply> => new Promise((resolve) => setTimeout(() => resolve(said('late')), 60));

  it('of stdin comes after what was asked has been answered and the requests are closed', async () => {
    const { initialize, begin, stdin, ended, answered, calls } = serve(era, slow);
    await initialize();
    begin(2, 'tools/call', { name: 'list_workflows' });
    stdin.end();
    await ended;
    expect((await answered(({ id }) => id === 2)).result).toMatchObject(hasText('late'));
    expect(calls.closed).toBe(1);
  });

  it('may be a signal', async () => {
    const { initialize, begin, stop, ended, answered, calls } = serve(era, slow);
    await initialize();
    begin(2, 'tools/call', { name: 'list_workflows' });
    await new Promise((resolve) => setTimeout(resolve, 10));
    stop.abort();
    await ended;
    expect((await answered(({ id }) => id === 2)).result).toMatchObject(hasText('late'));
    expect(calls.closed).toBe(1);
  });

  it('does not wait for a call that the client took back', async () => {
    const { initialize, begin, send, stdin, ended, calls } = serve(era, () => new Promise(() => undefined));
    await initialize();
    begin(2, 'tools/call', { name: 'list_workflows' });
    send({ method: 'notifications/cancelled', params: { requestId: 2 } });
    stdin.end();
    await ended;
    expect(calls.closed).toBe(1);
  });

  it('comes when the client no longer reads', async () => {
    const { initialize, ask, stdout, ended, calls } = serve(era, () => Promise.resolve(said('x')));
    await initialize();
    await ask(2, 'tools/call', { name: 'list_workflows' });
    stdout.destroy(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
    await ended;
    expect(calls.closed).toBe(1);
  });

  it('comes with a message that is too long, and says so', async () => {
    const { initialize, stdin, ended, log } = serve(era, () => Promise.resolve(said('x')));
    await initialize();
    stdin.write(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":"${'x'.repeat(11 * 1024 * 1024)}"}\n`);
    await ended;
    expect(log.join('\n')).toContain('more than 10485760 bytes');
  });

  it('does not come with a line that is no message, which is passed over and named', async () => {
    const { initialize, stdin, ask, log } = serve(era, () => Promise.resolve(said('still here')));
    await initialize();
    stdin.write('hello\n');
    expect((await ask(2, 'tools/call', { name: 'list_workflows' })).result).toMatchObject(hasText('still here'));
    expect(log.join('\n')).toMatch(/^protocol: /u);
  });
});

describe.each(eras)('a client that cannot keep up (%s)', (era) => {
  it('which reads nothing is let go of, and does not keep the process', async () => {
    const stdout = new Writable({ write: () => undefined });
    const { begin, ended, log, calls } = serve(era, () => Promise.resolve(said('x'.repeat(1024 * 1024))), { stdout });
    for (let id = 0; id < 70; id += 1) begin(id, 'tools/call', { name: 'list_workflows' });
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
    const { begin, stdin, ended, answered, calls } = serve(
      era,
      () => new Promise((resolve) => waiting.push(() => resolve(said('x')))),
    );
    for (let id = 0; id < limits.openCalls; id += 1) begin(idOf(id), 'tools/call', { name: 'list_workflows' });
    while (waiting.length < limits.openCalls) await new Promise((resolve) => setTimeout(resolve, 4));
    expect(stdin.isPaused()).toBe(true);
    begin(9999, 'tools/list');
    for (const answer of waiting) answer();
    await answered(({ id }) => id === 9999);
    expect(stdin.isPaused()).toBe(false);
    stdin.end();
    await ended;
    expect(calls.requests).toHaveLength(limits.openCalls);
  });
});
