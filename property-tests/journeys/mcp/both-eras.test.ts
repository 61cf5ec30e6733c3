import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Era } from '../../../src/mcp/asked.js';
import { envelope, initializing, type Message, saidBy } from '../../worlds/stdio-world.js';

const program = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url));
const folder = mkdtempSync(path.join(tmpdir(), 'workrail-eras-'));
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));

type Line = object | string;
type Heard = Message | readonly Message[];

const error = (code: number, besides: object = {}) => ({
  error: expect.objectContaining({ code, ...besides }) as object,
});
const result = (fields: object) => ({ result: expect.objectContaining(fields) as object });
const text = (begin: RegExp) => [{ type: 'text', text: expect.stringMatching(begin) as string }];
/** A list of the years before has nothing beside itself; one of 2026-07-28 says how long it holds. */
const list = (name: string) => ({
  result: expect.toSatisfy((given: object) => Object.keys(given).join() === name, `${name} and nothing else`) as object,
});
const holding = (name: string, lasting = { ttlMs: 3_600_000, cacheScope: 'public' }) =>
  result({ [name]: expect.any(Array), resultType: 'complete', ...lasting });
const unheld = { ttlMs: 0, cacheScope: 'private' };

const call = (name: string, args: object = {}) => ({ method: 'tools/call', params: { name, arguments: args } });
/** Says who asks by itself, or wrongly, whatever the connection. */
const bare = (method: string, meta?: object) => ({
  method,
  params: meta === undefined ? {} : { _meta: meta },
  bare: true,
});
const capable = { ...envelope, 'io.modelcontextprotocol/clientCapabilities': {} };
const future = { ...capable, 'io.modelcontextprotocol/protocolVersion': '2030-01-01' };
const unknownRevision = error(-32022, { data: { supported: ['2026-07-28'], requested: '2030-01-01' } });
const initialize = { method: 'initialize', params: initializing(), bare: true };

/** What is asked of a connection that has begun, and what each era answers; those who give one thing answer alike. */
const table: readonly (readonly [asked: string, line: Line, legacy: object, modern?: object])[] = [
  ['tools/list', { method: 'tools/list' }, list('tools'), holding('tools')],
  ['prompts/list', { method: 'prompts/list' }, list('prompts'), holding('prompts')],
  ['resources/list', { method: 'resources/list' }, list('resources'), holding('resources', unheld)],
  ['templates', { method: 'resources/templates/list' }, list('resourceTemplates'), holding('resourceTemplates')],
  ['an unknown resource', { method: 'resources/read', params: { uri: 'file:///etc/passwd' } }, error(-32602)],
  ['an unknown tool', call('no_such_tool'), error(-32602)],
  [
    'a tool that is not offered',
    call('start_session'),
    error(-32602, { message: expect.stringContaining('--enable') }),
  ],
  ['a call without a name', { method: 'tools/call' }, error(-32602)],
  [
    'a token that is none',
    call('continue_workflow', { stateToken: 'x' }),
    result({ isError: true, content: text(/^TOKEN_MALFORMED/u) }),
  ],
  ['an unknown method', { method: 'nobody/knows' }, error(-32601)],
  ['logging/setLevel', { method: 'logging/setLevel', params: { level: 'debug' } }, error(-32601)],
  ['ping', { method: 'ping' }, { result: {} }, error(-32601)],
  ['server/discover', { method: 'server/discover' }, error(-32601), result({ supportedVersions: ['2026-07-28'] })],
  [
    'initialize',
    initialize,
    result({ protocolVersion: '2025-11-25' }),
    error(-32022, { data: { supported: ['2026-07-28'], requested: '2025-11-25' } }),
  ],
  [
    'a subscription',
    { method: 'subscriptions/listen', params: { notifications: {} } },
    error(-32601),
    result({ resultType: 'complete' }),
  ],
  ['a request that does not say who asks', bare('tools/list'), list('tools'), error(-32602)],
  ['an envelope without capabilities', bare('tools/list', envelope), list('tools'), error(-32602)],
  ['an unknown revision', bare('tools/list', future), list('tools'), unknownRevision],
  ['no JSON', 'this is no message', error(-32700)],
  ['an empty batch', '[]', error(-32600)],
  ['parameters that are a list', { method: 'ping', params: [], bare: true }, error(-32600)],
  [
    'a batch',
    [{ jsonrpc: '2.0', id: 'in a batch', method: 'ping' }],
    [{ id: 'in a batch', result: {} }],
    [{ id: 'in a batch', ...error(-32601) }],
  ],
  // The last one, and stdin ends with it.
  ['a call when stdin ends', call('list_workflows'), result({ content: text(/^16 workflows/u) })],
];

/** Raw lines that come first, with what they are answered. */
const openings: readonly (readonly [how: string, era: Era, lines: readonly Line[], answers: readonly object[]])[] = [
  ['initialize', 'legacy', [initialize], [result({ protocolVersion: '2025-11-25' })]],
  [
    'server/discover and then initialize',
    'legacy',
    [bare('server/discover', capable), initialize],
    [result({ supportedVersions: ['2026-07-28'] }), result({ protocolVersion: '2025-11-25' })],
  ],
  ['server/discover', 'modern', [bare('server/discover', capable)], [result({ supportedVersions: ['2026-07-28'] })]],
  ['a request of 2026-07-28', 'modern', [bare('tools/list', capable)], [holding('tools')]],
  [
    'what settles nothing and then initialize',
    'legacy',
    [bare('tools/list', future), bare('tools/list', envelope), initialize],
    [unknownRevision, error(-32602), result({ protocolVersion: '2025-11-25' })],
  ],
];

describe.each(openings)('a connection that begins with %s', (_, era, opening, answers) => {
  let heard: readonly Heard[];
  let ended: { readonly status: number | null; readonly stderr: string };
  beforeAll(() => {
    const lines = [...opening, ...table.map(([, line]) => line)].map((line, id) => written(line, id, era));
    const env = { PATH: process.env['PATH'] ?? '', HOME: folder };
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, 'mcp'], {
      cwd: folder,
      env,
      encoding: 'utf8',
      input: lines.join('\n'),
    });
    ended = { status, stderr };
    heard = stdout
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Heard);
  });
  const answerTo = (line: Line, id: number): Heard | undefined => {
    if (Array.isArray(line)) return heard.find((message) => Array.isArray(message));
    const known = (message: Heard): message is Message => !Array.isArray(message);
    const wanted = typeof line === 'string' ? null : id;
    const of = heard.filter(known).filter((message) => message.id === wanted && message.method === undefined);
    const before =
      typeof line === 'string'
        ? table.filter(([, each]) => typeof each === 'string').findIndex(([, each]) => each === line)
        : 0;
    return of[before];
  };

  it('is answered so that the client knows how to go on', () => {
    expect(opening.map((line, id) => answerTo(line, id))).toMatchObject(answers);
  });

  it.each(
    table.map(
      ([asked, line, legacy, modern = legacy], at) => [asked, line, at, era === 'legacy' ? legacy : modern] as const,
    ),
  )('and goes on with %s', (_asked, line, at, expected) => {
    expect(answerTo(line, opening.length + at)).toMatchObject(expected);
  });

  it('answers each line once, and ends well', () => {
    const asked = heard.filter((message) => Array.isArray(message) || (message as Message).method === undefined);
    expect(asked).toHaveLength(opening.length + table.length);
    expect(ended).toEqual({ status: 0, stderr: expect.not.stringContaining('Error') as string });
  });
});

function written(line: Line, id: number, era: Era): string {
  if (typeof line === 'string') return line;
  if (Array.isArray(line)) return JSON.stringify(line);
  const { bare: asItIs, ...message } = line as { bare?: boolean; params?: Record<string, unknown> };
  return JSON.stringify({
    jsonrpc: '2.0',
    id,
    ...message,
    params: asItIs === true ? message.params : saidBy(era, message.params ?? {}),
  });
}
