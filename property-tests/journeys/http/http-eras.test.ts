import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json-value.js';
import { answerKey } from '../../../src/mcp/tool-result.js';
import { serveRequests, type ServedWorld } from '../../worlds/http-world.js';
import { type Fields, makeRequestsWorld, type RequestsWorld, textOf } from '../../worlds/requests-world.js';
import { envelope } from '../../worlds/stdio-world.js';

const meta = { _meta: { ...envelope, 'io.modelcontextprotocol/clientCapabilities': {} } };
const version = '2026-07-28';
const walk = `workflow: wr.walk
title: A walk
description: A step, and another.
version: 1.0.0
steps:
  - { id: one, title: First, prompt: Begin. }
  - { id: two, title: Second, prompt: End. }
`;
let world: RequestsWorld;
let served: ServedWorld;
beforeAll(async () => {
  world = makeRequestsWorld({ seed: 2607 });
  world.writeWorkflow('walk', walk);
  served = await serveRequests(world.open());
});
afterAll(async () => {
  await served.close();
  await world.close();
});

interface Heard {
  readonly status: number;
  readonly message: { readonly result?: Fields; readonly error?: { readonly code: number; readonly message: string } };
}

async function post(body: unknown, headers: Readonly<Record<string, string>>): Promise<Heard> {
  const response = await fetch(`${served.origin}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, message: text === '' ? {} : (JSON.parse(text) as Heard['message']) };
}

/** A request of a client that has no session: headers and body say the same. */
const ask = (method: string, params: JsonObject = {}, headers: Readonly<Record<string, string>> = {}): Promise<Heard> =>
  post(
    { jsonrpc: '2.0', id: 1, method, params: { ...params, ...meta } },
    {
      'mcp-protocol-version': version,
      'mcp-method': method,
      ...(typeof params['name'] === 'string' && { 'mcp-name': params['name'] }),
      ...headers,
    },
  );

describe('a client of 2026-07-28 over HTTP', () => {
  it('has no session: it finds out, lists and works, each request by itself', async () => {
    expect((await ask('server/discover')).message.result).toMatchObject({ supportedVersions: [version] });
    expect((await ask('tools/list')).message.result).toMatchObject({ ttlMs: 3_600_000, cacheScope: 'public' });
    const call = async (name: string, args: JsonObject): Promise<Fields> => {
      const { result } = (await ask('tools/call', { name, arguments: args })).message;
      return (result?.['_meta'] as { readonly [answerKey]: Fields } | undefined)?.[answerKey] ?? {};
    };
    const started = await call('start_workflow', { workflowId: 'wr.walk', session: 'ERA-1' });
    const looked = await call('continue_workflow', { stateToken: textOf(started['stateToken']) });
    expect(looked['session']).toMatchObject({ sessionId: 'ERA-1' });
  });

  it.each([
    ['another method', { 'mcp-method': 'tools/list' }, 400, -32020],
    ['another name', { 'mcp-name': 'start_workflow' }, 400, -32020],
    ['another revision', { 'mcp-protocol-version': '2025-11-25' }, 400, -32020],
  ])('is refused where its headers say %s than its body', async (_, headers, status, code) => {
    const { message, ...heard } = await ask('tools/call', { name: 'list_workflows', arguments: {} }, headers);
    expect({ ...heard, code: message.error?.code }).toEqual({ status, code });
  });

  it('is told of what is not there: a method with 404, a revision with those that are', async () => {
    expect(await ask('nobody/knows')).toMatchObject({ status: 404, message: { error: { code: -32601 } } });
    const unknown = { ...envelope, 'io.modelcontextprotocol/protocolVersion': '2030-01-01' };
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: { ...meta._meta, ...unknown } } };
    expect(await post(body, { 'mcp-protocol-version': '2030-01-01', 'mcp-method': 'tools/list' })).toMatchObject({
      status: 400,
      message: { error: { code: -32022, data: { supported: [version] } } },
    });
  });

  it.each([
    ['no JSON', '{"jsonrpc"', 400, -32700],
    ['a batch', [{ jsonrpc: '2.0', id: 1, method: 'tools/list', params: meta }], 400, -32600],
    ['too much', { jsonrpc: '2.0', id: 1, method: 'x', params: { ...meta, a: 'x'.repeat(11_000_000) } }, 413, -32000],
  ])('is refused where it sends %s', async (_, body, status, code) => {
    const { message, ...heard } = await post(body, { 'mcp-protocol-version': version, 'mcp-method': 'tools/list' });
    expect({ ...heard, code: message.error?.code }).toEqual({ status, code });
  });
});

describe('both eras on one port', () => {
  const initialize = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'old', version: '1' } },
  };
  const list = { jsonrpc: '2.0', id: 2, method: 'tools/list', params: {} };

  it('a client that began with initialize goes on in its session, beside those that have none', async () => {
    const response = await fetch(`${served.origin}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify(initialize),
    });
    await response.text();
    const session = response.headers.get('mcp-session-id') ?? '';
    expect(session).toMatch(/^[0-9a-f-]{36}$/u);
    expect((await ask('tools/list')).status).toBe(200);
    const again = await fetch(`${served.origin}/mcp`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-session-id': session,
      },
      body: JSON.stringify(list),
    });
    expect(await again.text()).not.toContain('ttlMs');
    expect(again.status).toBe(200);
  });

  it('a session that is not there, or none, is told what to do', async () => {
    expect(await post(list, { 'mcp-session-id': 'nobody' })).toMatchObject({
      status: 404,
      message: { error: { message: expect.stringContaining('initialize') as string } },
    });
    expect(await post(list, {})).toMatchObject({ status: 400, message: { error: { code: -32000 } } });
    for (const method of ['GET', 'DELETE'])
      expect((await fetch(`${served.origin}/mcp`, { method, headers: { accept: 'text/event-stream' } })).status).toBe(
        400,
      );
  });

  it.each([{ origin: 'http://evil.example' }, { 'sec-fetch-site': 'cross-site', origin: 'null' }])(
    'a page of another origin is refused in both: %j',
    async (headers) => {
      expect((await ask('tools/list', {}, headers)).status).toBe(403);
      expect((await post(initialize, headers)).status).toBe(403);
    },
  );
});
