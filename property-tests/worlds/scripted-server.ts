import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';

/** One request as it arrived. */
export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Which connection it came on, from 1. */
  readonly connection: number;
}

/** What comes back: bytes, all or the first of them, and what happens to the connection then. */
export interface Scripted {
  readonly bytes: Buffer;
  /** Nothing after so many bytes. */
  readonly cut?: number;
  readonly then?: 'keep' | 'end' | 'reset' | 'hang';
  /** Byte by byte, each on its own. */
  readonly slow?: boolean;
}

export type Script = (request: SeenRequest, count: number) => Scripted | Promise<Scripted>;

export interface ScriptedServer {
  readonly port: number;
  /** `http://127.0.0.1:<port>` */
  readonly origin: string;
  readonly seen: SeenRequest[];
  readonly connections: () => number;
  /** Request lines that arrived whole, whatever came after. */
  readonly lines: () => number;
  readonly script: (next: Script) => void;
  /** What happens once so many bytes of a request have come, so many times; undefined for nothing. */
  readonly breakAt: (bytes: number | undefined, how?: 'end' | 'reset' | 'hang', times?: number) => void;
  readonly close: () => Promise<void>;
}

/** A server that does whatever it is told, to the byte. */
export async function scriptedServer(first: Script = () => answer(200)): Promise<ScriptedServer> {
  let script = first;
  let broken: { readonly bytes: number; readonly how: 'end' | 'reset' | 'hang'; readonly times: number } | undefined;
  let connections = 0;
  let lines = 0;
  const seen: SeenRequest[] = [];
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    connections += 1;
    const connection = connections;
    open.add(socket);
    socket.on('error', () => undefined).on('close', () => open.delete(socket));
    let got = Buffer.alloc(0);
    let hasLine = false;
    let isOver = false;
    const breakOff = ({ bytes, how, times }: NonNullable<typeof broken>): void => {
      broken = times > 1 ? { bytes, how, times: times - 1 } : undefined;
      leave(socket, how);
    };
    if (broken?.bytes === 0) return breakOff(broken);
    socket.on('data', (chunk: Buffer) => {
      if (isOver) return;
      got = Buffer.concat([got, chunk]);
      const kept = broken === undefined ? got : got.subarray(0, broken.bytes);
      if (!hasLine && kept.includes('\r\n')) {
        hasLine = true;
        lines += 1;
      }
      if (broken !== undefined && got.length >= broken.bytes) {
        isOver = true;
        return breakOff(broken);
      }
      const request = parsed(got, connection);
      if (request === undefined) return;
      got = Buffer.alloc(0);
      hasLine = false;
      seen.push(request);
      void Promise.resolve(script(request, seen.length)).then((scripted) => play(socket, scripted));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    origin: `http://127.0.0.1:${port}`,
    seen,
    connections: () => connections,
    lines: () => lines,
    script: (next) => {
      script = next;
    },
    breakAt: (bytes, how = 'reset', times = Infinity) => {
      broken = bytes === undefined ? undefined : { bytes, how, times };
    },
    close: async () => {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

function leave(socket: Socket, how: Scripted['then']): void {
  if (how === 'reset') socket.resetAndDestroy();
  if (how === 'end') socket.end();
}

async function play(
  socket: Socket,
  { bytes, cut = bytes.length, then = 'keep', slow = false }: Scripted,
): Promise<void> {
  const sent = bytes.subarray(0, cut);
  for (const piece of slow ? [...sent].map((byte) => Buffer.from([byte])) : [sent]) {
    if (socket.destroyed) return;
    if (piece.length > 0) await new Promise((done) => void socket.write(piece, done));
  }
  leave(socket, then);
}

/** A request once it is whole. */
function parsed(got: Buffer, connection: number): SeenRequest | undefined {
  const end = got.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const [line = '', ...rest] = got.subarray(0, end).toString('latin1').split('\r\n');
  const headers = Object.fromEntries(
    rest.map((header): [string, string] => {
      const at = header.indexOf(':');
      return [header.slice(0, at).toLowerCase(), header.slice(at + 1).trim()];
    }),
  );
  const body = bodyIn(got.subarray(end + 4), headers);
  const [method = '', path = ''] = line.split(' ');
  return body === undefined ? undefined : { method, path, headers, body, connection };
}

function bodyIn(bytes: Buffer, headers: Readonly<Record<string, string>>): string | undefined {
  if (headers['transfer-encoding'] === 'chunked') {
    let text = '';
    for (let at = 0; ;) {
      const line = bytes.indexOf('\r\n', at);
      if (line < 0) return undefined;
      const size = Number.parseInt(bytes.subarray(at, line).toString(), 16);
      if (bytes.length < line + 2 + size + 2) return undefined;
      if (size === 0) return text;
      text += bytes.subarray(line + 2, line + 2 + size).toString();
      at = line + 2 + size + 2;
    }
  }
  const length = Number(headers['content-length'] ?? 0);
  return bytes.length < length ? undefined : bytes.subarray(0, length).toString();
}

/** A whole answer. */
export function answer(
  status: number,
  body: string | Buffer | object = '',
  headers: Readonly<Record<string, string>> = {},
): Scripted {
  const isJson = typeof body === 'object' && !Buffer.isBuffer(body);
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(isJson ? JSON.stringify(body) : (body as string));
  const all = {
    ...(isJson && { 'content-type': 'application/json' }),
    ...(status !== 204 && { 'content-length': String(bytes.length) }),
    ...headers,
  };
  return { bytes: Buffer.concat([head(status, all), bytes]) };
}

/** The same in pieces, with an end that says so. */
export function chunkedAnswer(
  status: number,
  pieces: readonly string[],
  headers: Readonly<Record<string, string>> = {},
): Scripted {
  const body = [...pieces, ''].map((piece) => `${Buffer.byteLength(piece).toString(16)}\r\n${piece}\r\n`).join('');
  return { bytes: Buffer.concat([head(status, { 'transfer-encoding': 'chunked', ...headers }), Buffer.from(body)]) };
}

const head = (status: number, headers: Readonly<Record<string, string>>): Buffer =>
  Buffer.from(
    `HTTP/1.1 ${status} Scripted\r\n${Object.entries(headers)
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('')}\r\n`,
    'latin1',
  );

/** Says what it was asked, in every way that a server might. */
export const echo: Script = ({ method, path, headers, body }) => answer(200, { method, path, headers, body });

export const redirect = (status: number, location: string): Scripted => answer(status, '', { location });

/** Few bytes that become many. */
export const gzipBomb = (size: number): Scripted =>
  answer(200, gzipSync(Buffer.alloc(size)), { 'content-encoding': 'gzip', 'content-type': 'text/plain' });

/** Hands out tokens of its own, one after the other. */
export const tokenAnswer = (count: number, more: object = {}): Scripted =>
  answer(200, { access_token: `handed-out-token-${count}`, token_type: 'Bearer', expires_in: 3600, ...more });
