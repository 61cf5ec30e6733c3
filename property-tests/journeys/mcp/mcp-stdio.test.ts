import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { Era } from '../../../src/mcp/asked.js';
import { type BuiltServer, startBuilt } from '../../worlds/built-server.js';
import { eras } from '../../worlds/stdio-world.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const folder = mkdtempSync(path.join(tmpdir(), 'workrail-stdio-'));
mkdirSync(path.join(folder, 'home'));

const started: BuiltServer[] = [];
afterEach(() => {
  for (const { child } of started.splice(0)) child.kill('SIGKILL');
});
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));

function start(era: Era, args: readonly string[], env: Readonly<Record<string, string>> = {}): BuiltServer {
  const server = startBuilt(era, args, { folder, env });
  started.push(server);
  return server;
}

/** Who serves, where each era has it. */
const named = (era: Era, server: object): object =>
  era === 'legacy' ? { serverInfo: server } : { _meta: { 'io.modelcontextprotocol/serverInfo': server } };

function snapshot(name: string): unknown {
  return JSON.parse(readFileSync(path.join(root, 'fixtures', 'tool-schemas', `${name}.json`), 'utf8'));
}

describe.each(eras)('the built server (%s)', (era) => {
  it('says who it is, and lists what the snapshots say', async () => {
    const server = start(era, ['mcp']);
    const { result } = await server.initialize();
    const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
    expect(result).toMatchObject({ ...named(era, { name: 'workrail', version }), capabilities: { tools: {} } });
    const tools = (await server.ask('tools/list')).result?.['tools'] as readonly { readonly name: string }[];
    expect(tools).toEqual(
      [
        'list_workflows',
        'inspect_workflow',
        'start_workflow',
        'continue_workflow',
        'checkpoint_workflow',
        'resume_session',
      ].map(snapshot),
    );
  });

  it('has the schema of workflow files as a resource', async () => {
    const server = start(era, ['mcp']);
    await server.initialize();
    const listed = (await server.ask('resources/list')).result?.['resources'] as readonly { readonly uri: string }[];
    expect(listed.map(({ uri }) => uri)).toEqual(['workrail://workflow-schema']);
    const read = (await server.ask('resources/read', { uri: 'workrail://workflow-schema' })).result?.[
      'contents'
    ] as readonly { readonly text: string }[];
    expect(JSON.parse(read[0]?.text ?? '')).toEqual(
      JSON.parse(readFileSync(path.join(root, 'docs/workflow.schema.json'), 'utf8')),
    );
    expect((await server.ask('resources/read', { uri: 'workrail://nothing' })).error?.code).toBe(-32602);
  });

  it('offers what flags and environment say', async () => {
    const server = start(era, ['mcp', '--enable', 'start_session', '--legacy-tool-names'], {
      WORKRAIL_DISABLE: 'resume_session',
    });
    await server.initialize();
    const tools = (await server.ask('tools/list')).result?.['tools'] as readonly { readonly name: string }[];
    const names = tools.map(({ name }) => name);
    expect(names).toContain('start_session');
    expect(names).toContain('workflow_advance');
    expect(names).not.toContain('resume_session');
  });

  it('is what workrail without a word is, where no terminal is', async () => {
    const server = start(era, []);
    expect((await server.initialize()).result).toMatchObject(named(era, { name: 'workrail' }));
  });

  it('writes nothing and makes no file before it is called, and answers lookups without a session', async () => {
    const server = start(era, ['mcp', '--data-dir', path.join(folder, `untouched-${era}`)]);
    await server.initialize();
    await server.ask('tools/list');
    expect(readdirSync(folder)).not.toContain(`untouched-${era}`);
    const { result } = await server.ask('tools/call', { name: 'list_workflows', arguments: {} });
    expect(result).toMatchObject({
      content: [{ type: 'text' }],
      structuredContent: { workflows: expect.anything() },
      _meta: { 'workrail/answer': { workflows: expect.anything() } },
    });
    expect(readdirSync(folder)).not.toContain(`untouched-${era}`);
  });

  it('gives an execution answer as text and data, and as structured content only where that is asked for', async () => {
    const args = { workflowId: 'wr.bug_investigation', context: { symptom: 'It fails.' } };
    const plain = start(era, ['mcp', '--data-dir', path.join(folder, `plain-${era}`)]);
    await plain.initialize();
    const one = (await plain.ask('tools/call', { name: 'start_workflow', arguments: args })).result;
    expect(one).toMatchObject({ _meta: { 'workrail/answer': { kind: 'ok' } } });
    expect(one).not.toHaveProperty('structuredContent');
    const structured = start(era, [
      'mcp',
      '--data-dir',
      path.join(folder, `structured-${era}`),
      '--structured-content',
    ]);
    await structured.initialize();
    const other = (await structured.ask('tools/call', { name: 'start_workflow', arguments: args })).result;
    expect(other).toMatchObject({ structuredContent: { kind: 'ok', pending: { prompt: expect.any(String) } } });
  });
});

describe.each(eras)('the end of the built server (%s)', (era) => {
  it('comes with the end of stdin, after the last answer', async () => {
    const server = start(era, ['mcp', '--data-dir', path.join(folder, `ends-${era}`)]);
    await server.initialize();
    const answer = server.ask('tools/call', {
      name: 'start_workflow',
      arguments: { workflowId: 'wr.bug_investigation', context: { symptom: 'It fails.' } },
    });
    server.child.stdin.end();
    expect((await answer).result).toMatchObject({ _meta: { 'workrail/answer': { kind: 'ok' } } });
    expect(await server.ended).toEqual({ code: 0, signal: null });
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('comes with %s', async (signal) => {
    const server = start(era, ['mcp']);
    await server.initialize();
    server.child.kill(signal);
    expect(await server.ended).toEqual({ code: 0, signal: null });
  });

  it('comes without a crash when the client stops reading', async () => {
    const server = start(era, ['mcp']);
    await server.initialize();
    server.child.stdout.destroy();
    void server.ask('tools/list');
    expect(await server.ended).toEqual({ code: 0, signal: null });
    expect(server.stderr()).toBe('');
  });
});

describe.each(eras)('stdout (%s)', (era) => {
  it('carries messages of the protocol and nothing else, whatever is asked', async () => {
    const server = start(era, ['mcp', '--data-dir', path.join(folder, `clean-${era}`)]);
    await server.initialize();
    server.child.stdin.write('this is no message\n');
    await server.ask('tools/call', {
      name: 'continue_workflow',
      arguments: { stateToken: 'nonsense', surprise: true },
    });
    await server.ask('tools/call', { name: 'resume_session', arguments: { query: 'nothing' } });
    server.child.stdin.end();
    await server.ended;
    const lines = server.stdout().split('\n');
    expect(lines.pop()).toBe('');
    const messages = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    const refused = { jsonrpc: '2.0', id: null, error: { code: -32700, message: expect.any(String) as string } };
    expect(messages.filter(({ id }) => id === null)).toEqual([refused]);
    for (const id of [1, 2, 3]) expect(messages).toContainEqual(expect.objectContaining({ jsonrpc: '2.0', id }));
    expect(messages).toHaveLength(4);
  });
});

describe('stdout', () => {
  it('stays empty when the command line is wrong', async () => {
    for (const [args, message] of [
      [['mcp', '--disable', 'resume_sesion'], 'did you mean resume_session?'],
      [['mcp', '--disable', 'start_workflow'], 'cannot be disabled'],
      [['mcp', '--workspace', 'no-such-folder'], 'no-such-folder is not a folder'],
      [['mpc'], 'did you mean mcp?'],
    ] as const) {
      const server = start('legacy', args);
      expect(await server.ended).toEqual({ code: 2, signal: null });
      expect(server.stdout()).toBe('');
      expect(server.stderr()).toContain(message);
    }
  });
});

describe('two servers at once, of clients of either era', () => {
  it('start on one data folder, and both serve', async () => {
    const servers = eras.map((era) => start(era, ['mcp', '--data-dir', path.join(folder, 'both')]));
    await Promise.all(servers.map((server) => server.initialize()));
    const start_ = (session: string) => ({
      name: 'start_workflow',
      arguments: { workflowId: 'wr.bug_investigation', session, context: { symptom: 'It fails.' } },
    });
    const answers = await Promise.all(servers.map((server, index) => server.ask('tools/call', start_(`S-${index}`))));
    for (const { result } of answers) expect(result).toMatchObject({ _meta: { 'workrail/answer': { kind: 'ok' } } });
    const found = await servers[0]!.ask('tools/call', { name: 'resume_session', arguments: { query: 'S-1' } });
    expect(found.result).toMatchObject({ _meta: { 'workrail/answer': { candidates: [{ sessionId: 'S-1' }] } } });
  });
});
