import { createServer, IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { getRequestListener } from '@hono/node-server';
import { limits } from '../base/limits.js';
import { type DoorRefusal, refusalBody } from './api-error.js';
import { boundConnections } from './bound-connections.js';
import {
  cookieName,
  guard,
  type GuardOptions,
  isToken,
  loopbackHosts,
  type Refused,
  type RequestHead,
} from './guard.js';
import { httpApp, type HttpAppOptions, secured } from './http-app.js';
import { refuseUpgrade, webSockets } from './web-sockets.js';

export interface HttpServerOptions extends Omit<HttpAppOptions, 'stop' | 'about'> {
  /** The address to listen on. */
  readonly host: string;
  /** 0 picks one. */
  readonly port: number;
  /** Names besides loopback's by which the machine may be called. */
  readonly hosts: readonly string[];
  readonly token: string | undefined;
  readonly headMs?: number;
  readonly pauseMs?: number;
  /** Told once the port is known. */
  readonly about: (origin: string) => HttpAppOptions['about'];
}

export interface HttpServer {
  readonly port: number;
  /** Ends streams with a word, waits a moment for answers, and closes. */
  close(): Promise<void>;
}

/** Listens; rejects where the port or the address cannot be had. Each request passes the guard as it came, before anything reads it. */
export async function openHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const { host, port, token, hosts, headMs = limits.requestHeadMs, pauseMs = limits.requestPauseMs } = options;
  const stop = new AbortController();
  const server = createServer({
    maxHeaderSize: limits.requestHead,
    // A body may take as long as it gets on; that its head comes has to be asked for beside it.
    requestTimeout: 0,
    headersTimeout: headMs,
    connectionsCheckingInterval: headMs / 10,
    keepAliveTimeout: limits.keepAliveMs,
    IncomingMessage: WebSocketAlone,
  });
  server.timeout = pauseMs;
  boundConnections(server, { all: limits.httpConnections, ofAddress: limits.httpConnectionsOfAddress });
  await listening(server, port, host);
  const { port: taken } = server.address() as AddressInfo;
  const guarding: GuardOptions = { port: taken, hosts: [...loopbackHosts, ...hosts], token };
  const origin = `http://${host === '::1' ? '[::1]' : '127.0.0.1'}:${taken}`;
  const world = { ...options, about: options.about(origin), stop: stop.signal };
  const app = httpApp(world);
  const sockets = webSockets(world);
  const listener = getRequestListener(app, {
    overrideGlobalObjects: false,
    hostname: `127.0.0.1:${taken}`,
    errorHandler: () => secured(Response.json(refusalBody(malformed), { status: 400 })),
  });
  // No connection is looked at before this turn ends.
  server.on('request', (incoming: IncomingMessage, outgoing: ServerResponse) =>
    admit(guarding, listener, incoming, outgoing),
  );
  server.on('upgrade', (incoming: IncomingMessage, socket: Duplex, head: Buffer) => {
    const refused = guard(headOf(incoming), guarding);
    if (refused !== undefined) refuseUpgrade(socket, refused.status, refusalOf(refused), challenge(refused));
    else sockets.take(incoming, socket, head);
  });
  return {
    port: taken,
    close: async () => {
      stop.abort();
      const closed = new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
      // A connection whose answer has just ended is kept for the next request; there is none to come.
      const idle = setInterval(() => server.closeIdleConnections(), limits.serverIdleMs);
      const late = setTimeout(() => {
        server.closeAllConnections();
        sockets.cut();
      }, limits.serverCloseMs);
      await closed;
      clearInterval(idle);
      clearTimeout(late);
    },
  };
}

/** Of all that may want to be upgraded, such as to HTTP/2, only WebSockets are: the rest is answered as it came. */
class WebSocketAlone extends IncomingMessage {
  wanted = false;

  get upgrade(): boolean {
    return this.wanted && this.headers.upgrade?.toLowerCase() === 'websocket';
  }

  // Set while the request is made.
  set upgrade(wanted: boolean | null) {
    this.wanted = wanted === true;
  }
}

const malformed = {
  error_code: 'VALIDATION_ERROR',
  category: 'validation',
  message: 'the request is not valid HTTP',
  suggested_action: 'send a valid HTTP/1.1 request',
} as const;

function admit(
  guarding: GuardOptions,
  listener: ReturnType<typeof getRequestListener>,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): void {
  const head = headOf(incoming);
  const visited = guarding.token === undefined ? undefined : visitWithToken(head.url, guarding.token);
  const refused = guard(head, visited === true ? { ...guarding, token: undefined } : guarding);
  if (refused !== undefined) return refuse(refused, outgoing);
  if (visited === true && head.method === 'GET') return letIn(guarding, outgoing);
  void listener(incoming, outgoing);
}

const headOf = ({ method = '', url = '', rawHeaders }: IncomingMessage): RequestHead => ({ method, url, rawHeaders });

/** Whether this is the address that was printed at the start, with the right token; undefined where it names none. */
function visitWithToken(url: string, token: string): boolean | undefined {
  if (!url.startsWith('/?')) return undefined;
  const given = new URLSearchParams(url.slice(2)).getAll('token');
  return given.length === 0 ? undefined : given.length === 1 && isToken(given[0]!, token);
}

/** The token goes into a cookie that no script sees, and out of the address. */
function letIn({ port, token }: GuardOptions, outgoing: ServerResponse): void {
  outgoing.writeHead(303, {
    location: '/',
    'set-cookie': `${cookieName(port)}=${token ?? ''}; Path=/; HttpOnly; SameSite=Strict`,
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  });
  outgoing.end();
}

const refusalOf = ({ code, message }: Refused): DoorRefusal => ({
  error_code: code,
  category: 'access',
  message,
  suggested_action: actions[code],
});

const challenge = ({ status }: Refused): Readonly<Record<string, string>> =>
  status === 401 ? { 'www-authenticate': 'Bearer realm="workrail"' } : {};

function refuse(refused: Refused, outgoing: ServerResponse): void {
  const { status } = refused;
  const body = refusalBody(refusalOf(refused));
  const response = secured(Response.json(body, { status }));
  // What the body of a stranger holds is of no interest; the connection ends with the answer.
  const text = JSON.stringify(body);
  outgoing.writeHead(status, {
    ...Object.fromEntries(response.headers),
    'content-length': Buffer.byteLength(text),
    connection: 'close',
    ...challenge(refused),
  });
  outgoing.end(text);
}

const actions: { readonly [code in Refused['code']]: string } = {
  HOST_REFUSED: 'open the address that workrail serve printed; to use another name, start it with --host',
  ORIGIN_REFUSED: 'use the page of this server, or a program outside a browser',
  CROSS_SITE_REFUSED: 'open the address that workrail serve printed in its own window',
  TOKEN_REFUSED: 'open the address with its token that workrail serve printed, or send it as Authorization: Bearer',
  HEADER_MISSING: 'send the header X-WorkRail: 1',
};

function listening(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host, exclusive: true }, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
