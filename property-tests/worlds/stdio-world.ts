import { PassThrough } from 'node:stream';
import type { DurableTasks } from '../../src/contract/durable-tasks.js';
import type { Reply } from '../../src/contract/reply.js';
import type { Askable } from '../../src/requests/world/environment.js';
import type { Era } from '../../src/mcp/asked.js';
import { chooseTools } from '../../src/mcp/choose-tools.js';
import { serveStdio, type StdioServerOptions } from '../../src/mcp/serve-stdio.js';

export interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

export interface ServedCalls {
  readonly opened: string[];
  readonly requests: { readonly name: string; readonly raw: unknown }[];
  closed: number;
}

export const said = (text: string): Reply => ({ failed: false, lookup: false, text, answer: { kind: 'ok' } });

export const eras: readonly Era[] = ['legacy', 'modern'];
const clientName = { name: 'test', version: '1' };
const capabilitiesKey = 'io.modelcontextprotocol/clientCapabilities';
export const envelope = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': clientName,
};

/** Parameters as a client of the era sends them: one of 2026-07-28 says with each request who it is and what it can. */
export const saidBy = (
  era: Era,
  params: Readonly<Record<string, unknown>>,
  capabilities: object = {},
): Readonly<Record<string, unknown>> =>
  era === 'legacy'
    ? params
    : { ...params, _meta: { ...envelope, [capabilitiesKey]: capabilities, ...(params['_meta'] as object) } };

export const initializing = (capabilities: object = {}) => ({
  protocolVersion: '2025-11-25',
  capabilities,
  clientInfo: clientName,
});

/** A server on streams, with requests that the test stands in for, and a client of one era. */
export function serve(
  era: Era,
  answer: (name: string, raw: unknown, askable?: Askable) => Promise<Reply>,
  besides: Partial<StdioServerOptions> = {},
  tasks?: DurableTasks,
) {
  const stdin = new PassThrough();
  const stdout = new PassThrough();
  const messages: Message[] = [];
  const log: string[] = [];
  const calls: ServedCalls = { opened: [], requests: [], closed: 0 };
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
        call: (name: string, raw: unknown, askable?: Askable) => {
          calls.requests.push({ name, raw });
          return answer(name, raw, askable);
        },
        ...(tasks && { tasks }),
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
  const ask = (id: number, method: string, params: Readonly<Record<string, unknown>> = {}): Promise<Message> => {
    send({ id, method, params: saidBy(era, params, declared) });
    return answered((message) => message.id === id && message.method === undefined);
  };
  let declared: object = {};
  /** What a client says first; the era is settled by the request that follows. */
  const initialize = (capabilities: object = {}): Promise<Message> => {
    declared = capabilities;
    return era === 'modern' ? ask(1, 'server/discover') : ask(1, 'initialize', initializing(capabilities));
  };
  const begin = (id: number, method: string, params: Readonly<Record<string, unknown>> = {}): void =>
    send({ id, method, params: saidBy(era, params, declared) });
  return { stdin, stdout, log, calls, stop, ended, messages, send, begin, ask, answered, initialize };
}
