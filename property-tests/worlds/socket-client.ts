import { WebSocket } from 'ws';
import type { JsonObject } from '../../src/base/json-value.js';

/** A program that speaks WebSocket, and keeps what it hears. */
export interface SocketClient {
  readonly socket: WebSocket;
  readonly heard: readonly JsonObject[];
  say(message: unknown): void;
  until(done: (heard: readonly JsonObject[]) => boolean, milliseconds?: number): Promise<void>;
  /** With which code the connection was closed. */
  readonly closed: Promise<number>;
}

/** Rejects with the status where the server refuses. */
export function openSocket(url: string, headers: Readonly<Record<string, string>> = {}): Promise<SocketClient> {
  const socket = new WebSocket(url, { headers: { ...headers } });
  const heard: JsonObject[] = [];
  let ring = (): void => undefined;
  socket.on('message', (data: Buffer) => {
    heard.push(JSON.parse(data.toString('utf8')) as JsonObject);
    ring();
  });
  const closed = new Promise<number>((resolve) => {
    socket.on('close', resolve);
  });
  const client: SocketClient = {
    socket,
    heard,
    closed,
    say: (message) => socket.send(typeof message === 'string' ? message : JSON.stringify(message)),
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
  };
  return new Promise((resolve, reject) => {
    socket.on('open', () => resolve(client));
    socket.on('unexpected-response', (_request, response) => {
      response.resume();
      reject(new Error(`refused with ${response.statusCode}`));
      socket.terminate();
    });
    socket.on('error', reject);
  });
}
