import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { limits } from '../base/limits.js';
import { type DoorRefusal, refusalBody } from './api-error.js';
import { serveSocket, type SocketWorld } from './serve-socket.js';

/** Where WebSockets are served. */
const socketPath = '/ws';

export interface WebSockets {
  /** Takes over a connection that has passed the guard, or refuses it. */
  readonly take: (incoming: IncomingMessage, socket: Duplex, head: Buffer) => void;
  /** Cuts off whoever has not gone by itself. */
  readonly cut: () => void;
}

/** The WebSockets of one server. */
export function webSockets(world: SocketWorld): WebSockets {
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: limits.socketMessage,
    // What is sent is small or comes once; and unpacking is work that a stranger could ask for.
    perMessageDeflate: false,
  });
  return {
    take: (incoming, socket, head) => {
      if (incoming.url?.split('?')[0] !== socketPath) return refuseUpgrade(socket, 404, noSuchPlace);
      if (server.clients.size >= limits.webSockets) return refuseUpgrade(socket, 503, tooMany);
      server.handleUpgrade(incoming, socket, head, (accepted) => serveSocket(accepted, world));
    },
    cut: () => {
      for (const client of server.clients) client.terminate();
    },
  };
}

/** An answer to a request that wanted to be more than one; the connection ends with it. */
export function refuseUpgrade(
  socket: Duplex,
  status: number,
  told: DoorRefusal,
  headers: Readonly<Record<string, string>> = {},
): void {
  const text = JSON.stringify(refusalBody(told));
  const lines = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    connection: 'close',
    ...headers,
  };
  const head = Object.entries(lines).map(([name, value]) => `${name}: ${value}`);
  socket.on('error', () => undefined);
  // Whoever does not take the answer is not waited for.
  const late = setTimeout(() => socket.destroy(), limits.serverCloseMs);
  socket.once('close', () => clearTimeout(late));
  socket.end([`HTTP/1.1 ${status} ${reasons.get(status) ?? 'Refused'}`, ...head, '', text].join('\r\n'), () =>
    socket.destroy(),
  );
}

const reasons: ReadonlyMap<number, string> = new Map([
  [400, 'Bad Request'],
  [401, 'Unauthorized'],
  [403, 'Forbidden'],
  [404, 'Not Found'],
  [503, 'Service Unavailable'],
]);

const noSuchPlace: DoorRefusal = {
  error_code: 'NOT_FOUND',
  category: 'not_found',
  message: 'WebSockets are served at /ws alone',
  suggested_action: 'connect to /ws',
};

const tooMany: DoorRefusal = {
  error_code: 'TOO_MANY_STREAMS',
  category: 'execution',
  message: `${limits.webSockets} WebSockets are open already`,
  suggested_action: 'close one that you do not need, then try again',
  retryable: true,
};
