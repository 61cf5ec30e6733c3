import { PassThrough } from 'node:stream';
import type { Reply } from '../../src/contract/reply.js';
import type { AskPerson } from '../../src/requests/world/environment.js';
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

/** A server on streams, with requests that the test stands in for, and a client of one era. */
export function serve(
  era: Era,
  answer: (name: string, raw: unknown, askPerson?: AskPerson) => Promise<Reply>,
  besides: Partial<StdioServerOptions> = {},
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
        call: (name: string, raw: unknown, askPerson?: AskPerson) => {
          calls.requests.push({ name, raw });
          return answer(name, raw, askPerson);
        },
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
  const withEnvelope = (params: object): object =>
    era === 'legacy' ? params : { ...params, _meta: { ...envelope, [capabilitiesKey]: declared } };
  const ask = (id: number, method: string, params: object = {}): Promise<Message> => {
    send({ id, method, params: withEnvelope(params) });
    return answered((message) => message.id === id && message.method === undefined);
  };
  let declared: object = {};
  /** What a client says first; the era is settled by the request that follows. */
  const initialize = (capabilities: object = {}): Promise<Message> => {
    declared = capabilities;
    return era === 'modern'
      ? ask(1, 'server/discover')
      : ask(1, 'initialize', { protocolVersion: '2025-11-25', capabilities, clientInfo: clientName });
  };
  const begin = (id: number, method: string, params: object = {}): void =>
    send({ id, method, params: withEnvelope(params) });
  return { stdin, stdout, log, calls, stop, ended, messages, send, begin, ask, answered, initialize };
}
