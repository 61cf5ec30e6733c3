import { randomUUID } from 'node:crypto';
import {
  createMcpHandler,
  isInitializeRequest,
  isLegacyRequest,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { limits } from '../base/limits.js';
import { err, ok, type Result } from '../base/result.js';
import type { AgentRequests } from '../requests/requests.js';
import type { Era } from './asked.js';
import { mcpServer, type McpServerOptions } from './mcp-server.js';

export interface HttpSessionsOptions {
  /** One server object a client session, or a request that belongs to none: sharing one would let answers reach another client. */
  readonly makeServer: (era: Era) => Server;
  readonly now: () => number;
  readonly log: (line: string) => void;
}

export interface HttpSessions {
  handle(request: Request): Promise<Response>;
  close(): Promise<void>;
}

interface ClientSession {
  readonly server: Server;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  /** When it was last heard of, and how many of its requests are open: a stream that hangs is a client that listens. */
  heard: number;
  open: number;
}

/** MCP over Streamable HTTP, as agents have it. */
export function serveHttp(requests: AgentRequests, options: McpServerOptions, now: () => number): HttpSessions {
  const makeServer = (era: Era): Server => mcpServer(() => Promise.resolve(requests), options, era);
  return openHttpSessions({ makeServer, now, log: options.log });
}

/**
 * Client sessions begin with `initialize` and end with DELETE, or after a long silence. Clients of 2026-07-28 have none:
 * each of their requests says who asks, and is served by itself.
 */
export function openHttpSessions({ makeServer, now, log }: HttpSessionsOptions): HttpSessions {
  const sessions = new Map<string, ClientSession>();
  const maxRequestBodySize = limits.mcpMessage;
  const onerror = (error: Error): void => log(`protocol: ${error.message.replace(/\s+/gu, ' ').slice(0, 500)}`);

  const forget = async (id: string): Promise<void> => {
    const session = sessions.get(id);
    sessions.delete(id);
    await session?.server.close();
  };

  const makeRoom = async (): Promise<boolean> => {
    for (const [id, { heard, open }] of sessions)
      if (open === 0 && now() - heard > limits.httpSessionIdleMs) await forget(id);
    if (sessions.size < limits.httpSessions) return true;
    const idle = [...sessions].filter(([, { open }]) => open === 0).toSorted(([, a], [, b]) => a.heard - b.heard)[0];
    if (idle === undefined) return false;
    await forget(idle[0]);
    return true;
  };

  const begin = async (): Promise<ClientSession | undefined> => {
    if (!(await makeRoom())) return undefined;
    const server = makeServer('legacy');
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      maxRequestBodySize,
      onsessioninitialized: (id) => void sessions.set(id, session),
      onsessionclosed: (id) => void sessions.delete(id),
    });
    const session: ClientSession = { server, transport, heard: now(), open: 0 };
    server.onerror = onerror;
    await server.connect(transport);
    return session;
  };

  const alone = createMcpHandler(({ era }) => makeServer(era), { legacy: 'reject', maxRequestBodySize, onerror });

  return {
    async handle(request) {
      if (!(await isLegacyRequest(request, undefined, { maxRequestBodySize }))) return alone.fetch(request);
      const id = request.headers.get('mcp-session-id');
      const known = id === null ? undefined : sessions.get(id);
      // Without an id only the beginning of a session makes sense; an id that is not known tells the client to begin anew.
      if (id !== null && known === undefined)
        return refusal(404, -32001, 'no such client session; start a new one with initialize');
      if (known !== undefined) return tracked(known, now, () => known.transport.handleRequest(request));
      if (request.method !== 'POST')
        return refusal(
          request.method === 'GET' || request.method === 'DELETE' ? 400 : 405,
          -32000,
          'a client session begins with a POST of initialize',
        );
      const body = await jsonOf(request);
      if (!body.ok) return body.error;
      if (!(Array.isArray(body.value) ? body.value : [body.value]).some(isInitializeRequest))
        return refusal(
          400,
          -32000,
          'a client session begins with initialize; send its id as Mcp-Session-Id afterwards',
        );
      const session = await begin();
      if (session === undefined)
        return refusal(503, -32000, `there are ${limits.httpSessions} client sessions open; end one first`);
      const response = await tracked(session, now, () =>
        session.transport.handleRequest(request, { parsedBody: body.value }),
      );
      if (session.transport.sessionId === undefined) await session.server.close();
      return response;
    },
    async close() {
      await alone.close();
      for (const id of sessions.keys()) await forget(id);
    },
  };
}

/** Counts the request as open until its answer, a stream perhaps, has ended. */
async function tracked(session: ClientSession, now: () => number, handle: () => Promise<Response>): Promise<Response> {
  session.heard = now();
  session.open += 1;
  const done = (): void => {
    session.open -= 1;
    session.heard = now();
  };
  let response: Response;
  try {
    response = await handle();
  } catch (cause) {
    done();
    throw cause;
  }
  if (response.body === null) {
    done();
    return response;
  }
  const stream: ReadableStream<Uint8Array> = response.body;
  const reader = stream.getReader();
  let ended = false;
  const end = (): void => {
    if (!ended) done();
    ended = true;
  };
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const part = await reader.read();
      if (!part.done) return controller.enqueue(part.value);
      end();
      controller.close();
    },
    async cancel(reason) {
      end();
      await reader.cancel(reason);
    },
  });
  return new Response(body, { status: response.status, headers: response.headers });
}

async function jsonOf(request: Request): Promise<Result<unknown, Response>> {
  const declared = Number(request.headers.get('content-length') ?? 0);
  const tooLarge = (): Result<never, Response> =>
    err(refusal(413, -32000, `a message may have ${limits.mcpMessage} bytes`));
  if (declared > limits.mcpMessage) return tooLarge();
  const parts: Uint8Array[] = [];
  let size = 0;
  const body: ReadableStream<Uint8Array> | null = request.body;
  const reader = body?.getReader();
  for (let part = await reader?.read(); part?.done === false; part = await reader?.read()) {
    size += part.value.byteLength;
    if (size > limits.mcpMessage) return tooLarge();
    parts.push(part.value);
  }
  try {
    return ok(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(parts))));
  } catch {
    return err(refusal(400, -32700, 'the body is not JSON in UTF-8'));
  }
}

function refusal(status: number, code: number, message: string): Response {
  return Response.json(
    { jsonrpc: '2.0', error: { code, message }, id: null },
    { status, ...(status === 405 && { headers: { allow: 'GET, POST, DELETE' } }) },
  );
}
