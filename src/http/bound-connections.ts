import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface ConnectionBounds {
  /** Connections at the same time, in all and of one address. */
  readonly all: number;
  readonly ofAddress: number;
}

interface Connection {
  readonly address: string;
  /** What it asks for, until that is answered. */
  asks?: { readonly incoming: IncomingMessage; readonly outgoing: ServerResponse } | undefined;
  /** It became a WebSocket, which may be silent. */
  isUpgraded?: true;
}

/**
 * Holds a server to so many connections. Where there is no room, the one that has been longest without a whole request
 * makes it: whoever only opens connections keeps nobody out, and a request that is being answered is never cut off for
 * another. A request whose body, or an answer whose reader, stands still for the server's `timeout` is given up.
 */
export function boundConnections(server: Server, bounds: ConnectionBounds): void {
  // In the order in which they came or were last answered.
  const open = new Map<Socket, Connection>();
  const makeRoom = (most: number, among: (connection: Connection) => boolean): boolean => {
    let count = 0;
    let waiting: Socket | undefined;
    for (const [socket, connection] of open) {
      if (!among(connection)) continue;
      count += 1;
      if (waiting === undefined && connection.isUpgraded !== true && connection.asks?.incoming.complete !== true)
        waiting = socket;
    }
    if (count < most) return true;
    if (waiting === undefined) return false;
    open.delete(waiting);
    waiting.destroy();
    return true;
  };
  server.on('connection', (socket) => {
    const address = socket.remoteAddress ?? '';
    if (
      !makeRoom(bounds.ofAddress, (connection) => connection.address === address) ||
      !makeRoom(bounds.all, () => true)
    )
      return void socket.destroy();
    open.set(socket, { address });
    socket.once('close', () => open.delete(socket));
  });
  server.on('request', (incoming, outgoing) => {
    const connection = open.get(incoming.socket);
    if (connection === undefined) return;
    connection.asks = { incoming, outgoing };
    outgoing.once('close', () => {
      if (connection.asks?.outgoing !== outgoing) return;
      connection.asks = undefined;
      if (open.delete(incoming.socket) && !incoming.socket.destroyed) open.set(incoming.socket, connection);
    });
  });
  server.on('upgrade', ({ socket }: IncomingMessage) => {
    const connection = open.get(socket);
    if (connection !== undefined) connection.isUpgraded = true;
  });
  server.on('timeout', (socket: Socket) => {
    const { asks, isUpgraded } = open.get(socket) ?? {};
    if (isUpgraded === true) return;
    // An answer that is still being found, and a stream with nothing to say, may be silent.
    if (asks === undefined || !asks.incoming.complete || asks.outgoing.writableLength > 0) socket.destroy();
  });
}
