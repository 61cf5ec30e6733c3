import { InMemoryTransport, type JSONRPCMessage } from '@modelcontextprotocol/server';
import { expect, it } from 'vitest';
import { toolCatalogue } from '../contract/tool-catalogue.js';
import { parseRequest } from '../contract/parse-request.js';
import type { AgentRequests } from '../requests/requests.js';
import { mcpServer } from './mcp-server.js';

const requests: AgentRequests = {
  call: (name, raw) => {
    const parsed = parseRequest(name, raw);
    return Promise.resolve({
      failed: !parsed.ok,
      lookup: false,
      text: parsed.ok ? 'done' : parsed.error.message,
      answer: {},
    });
  },
  close: () => Promise.resolve(),
};

/** What a server says to one message of a client that has not even begun. */
async function answerTo(method: string, params: unknown): Promise<unknown> {
  const [client, served] = InMemoryTransport.createLinkedPair();
  const server = mcpServer(
    () => Promise.resolve(requests),
    {
      version: '0',
      tools: new Set(toolCatalogue.filter(({ toolset }) => toolset === undefined).map(({ name }) => name)),
      legacyNames: true,
      structuredContent: false,
      log: () => undefined,
    },
    'legacy',
  );
  await server.connect(served);
  const answer = new Promise<unknown>((resolve) => {
    client.onmessage = resolve;
  });
  await client.send({ jsonrpc: '2.0', id: 1, method, ...(params !== undefined && { params }) } as JSONRPCMessage);
  try {
    return await answer;
  } finally {
    await server.close();
  }
}

it.each([
  ['tools/call', undefined],
  ['tools/call', { name: 5 }],
  ['tools/call', { name: '__proto__' }],
  ['resources/read', undefined],
  ['resources/read', { uri: 5 }],
  ['resources/read', { uri: 'file:///etc/passwd' }],
])('%s with %j is the mistake of the client', async (method, params) => {
  expect(await answerTo(method, params)).toMatchObject({
    error: { code: -32602, message: expect.any(String) as string },
  });
});

it.each(['constructor', '__proto__', 'tools/Call', 'prompts/get'])('there is no method %s', async (method) => {
  expect(await answerTo(method, {})).toMatchObject({
    error: { code: -32601, message: expect.stringContaining('tools/call') as string },
  });
});

it.each([{ given: '{}' }, { given: 5 }, { given: true }, { given: ['x'] }])(
  'arguments that are no object are refused like those of every request: %j',
  async ({ given }) => {
    const wanted = {
      result: { isError: true, content: [{ text: expect.stringContaining('one field is wrong') as string }] },
    };
    expect(await answerTo('tools/call', { name: 'start_workflow', arguments: given })).toMatchObject(wanted);
    expect(await answerTo('tools/call', { name: 'workflow_advance', arguments: given })).toMatchObject({
      result: { isError: true },
    });
  },
);

it('refuses the wish for a task where there is none to be had, before anything is done', async () => {
  expect(await answerTo('tools/call', { name: 'list_workflows', arguments: { tag: 'x' }, task: {} })).toMatchObject({
    error: {
      code: -32601,
      data: {
        error_code: 'TASK_CAPABILITY_REQUIRED',
        suggested_action: 'send the same call without "task"',
        nextCall: { tool: 'list_workflows', arguments: { tag: 'x' } },
      },
    },
  });
});

it.each(['tools/list', 'resources/list', 'prompts/list'])('%s takes whatever stands beside it', async (method) => {
  expect(await answerTo(method, { cursor: 5, more: [] })).toMatchObject({ result: expect.any(Object) as object });
});
