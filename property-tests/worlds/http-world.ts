import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openHttpServer, type HttpServerOptions } from '../../src/http/http-server.js';
import { serveHttp } from '../../src/mcp/http-sessions.js';
import { toolCatalogue } from '../../src/contract/tool-catalogue.js';
import type { Requests } from '../../src/requests/requests.js';

export interface ServedWorld {
  readonly port: number;
  readonly origin: string;
  readonly lines: readonly string[];
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Response>;
  post(path: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<Response>;
  close(): Promise<void>;
}

/** The HTTP door over given requests, in this process, on a port of its own. */
export async function serveRequests(requests: Requests, over: Partial<HttpServerOptions> = {}): Promise<ServedWorld> {
  const pageFolder = mkdtempSync(join(tmpdir(), 'http-page-'));
  mkdirSync(join(pageFolder, 'assets'));
  writeFileSync(join(pageFolder, 'index.html'), '<!doctype html><title>the page</title>');
  writeFileSync(join(pageFolder, 'assets', 'index-0123abcd.js'), `export const words = '${'again '.repeat(500)}';\n`);
  const lines: string[] = [];
  const log = (line: string): void => void lines.push(line);
  const tools = new Set(toolCatalogue.map(({ name }) => name));
  const sessions = serveHttp(
    requests,
    { version: '0.0.0-test', tools, legacyNames: false, structuredContent: false, log },
    () => performance.now(),
  );
  const server = await openHttpServer({
    host: '127.0.0.1',
    port: 0,
    hosts: [],
    token: undefined,
    people: requests.people,
    mcp: (request) => sessions.handle(request),
    pageFolder,
    about: (origin) => ({
      version: '0.0.0-test',
      workspace: '/somewhere',
      platform: 'linux',
      connect: { http: `${origin}/mcp`, stdio: 'workrail mcp' },
      program: ['workrail'],
      where: [],
    }),
    now: () => new Date(),
    log,
    ...over,
  });
  const origin = `http://127.0.0.1:${server.port}`;
  return {
    port: server.port,
    origin,
    lines,
    get: (path, headers = {}) => fetch(`${origin}${path}`, { headers: { ...headers }, redirect: 'manual' }),
    post: (path, body, headers = {}) =>
      fetch(`${origin}${path}`, {
        method: 'POST',
        headers: { 'x-workrail': '1', 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      }),
    close: async () => {
      await sessions.close();
      await server.close();
      rmSync(pageFolder, { recursive: true, force: true });
    },
  };
}

/** Bytes as they are, over a socket: one whole answer, or what came until the other end closed; of a stream its head. */
export function speak(
  port: number,
  said: string,
  { host = '127.0.0.1' }: { readonly host?: string } = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host });
    let heard = '';
    socket.setTimeout(20_000, () => socket.destroy());
    socket.on('data', (bytes) => {
      heard += bytes.toString('latin1');
      if (isWhole(heard, said.startsWith('HEAD '))) socket.destroy();
    });
    socket.on('error', (error) => (heard === '' ? reject(error) : resolve(heard)));
    socket.on('close', () => resolve(heard));
    socket.write(said);
  });
}

function isWhole(heard: string, headAlone: boolean): boolean {
  const end = heard.indexOf('\r\n\r\n');
  if (end < 0) return false;
  const head = heard.slice(0, end).toLowerCase();
  if (headAlone || head.includes('content-type: text/event-stream')) return true;
  const length = /^content-length: (\d+)/mu.exec(head)?.[1];
  return length === undefined ? heard.endsWith('\r\n0\r\n\r\n') : heard.length >= end + 4 + Number(length);
}

export interface Heard {
  readonly event: string;
  readonly id: string | undefined;
  readonly data: unknown;
}

/** Reads server-sent events as a browser does. */
export interface Listener {
  /** All that has been heard. */
  readonly heard: readonly Heard[];
  /** The last id, with which one goes on. */
  lastId(): string | undefined;
  until(done: (heard: readonly Heard[]) => boolean, milliseconds?: number): Promise<void>;
  /** Resolves when the server has ended the stream. */
  readonly ended: Promise<void>;
  close(): void;
}

export async function listen(url: string, lastEventId?: string): Promise<Listener> {
  const gone = new AbortController();
  const response = await fetch(url, {
    headers: { accept: 'text/event-stream', ...(lastEventId !== undefined && { 'last-event-id': lastEventId }) },
    signal: gone.signal,
  });
  if (response.status !== 200 || response.body === null)
    throw new Error(`${response.status}: ${await response.text()}`);
  const heard: Heard[] = [];
  let last: string | undefined;
  let ring = (): void => undefined;
  const read = async (body: ReadableStream<Uint8Array>): Promise<void> => {
    let rest = '';
    const decoder = new TextDecoder();
    for await (const bytes of body) {
      const blocks = (rest + decoder.decode(bytes, { stream: true })).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) {
        const fields = new Map(
          block
            .split('\n')
            .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)] as const),
        );
        const id = fields.get('id');
        if (id !== undefined) last = id;
        const data = fields.get('data');
        if (data !== undefined) heard.push({ event: fields.get('event') ?? 'message', id, data: JSON.parse(data) });
      }
      ring();
    }
  };
  const ended = read(response.body).catch(() => undefined);
  return {
    heard,
    lastId: () => last,
    until: async (done, milliseconds = 5000) => {
      const late = Date.now() + milliseconds;
      while (!done(heard)) {
        const left = late - Date.now();
        if (left <= 0)
          throw new Error(`not heard in ${milliseconds} ms; so far: ${JSON.stringify(heard).slice(0, 2000)}`);
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, left);
          ring = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
    },
    ended,
    close: () => gone.abort(),
  };
}
