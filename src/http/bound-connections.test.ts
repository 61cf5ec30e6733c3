import { createServer, type RequestListener, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { boundConnections } from './bound-connections.js';

let server: Server;
const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  server.closeAllConnections();
  server.close();
});

const pauseMs = 1000;
async function serve(answer: RequestListener): Promise<number> {
  server = createServer(answer);
  server.timeout = pauseMs;
  boundConnections(server, { all: 10, ofAddress: 10 });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return (server.address() as AddressInfo).port;
}
/** Asks, and reads nothing of the answer by itself. */
function ask(port: number): { readonly socket: Socket; readonly isLetGo: () => boolean } {
  const socket = connect({ port, host: '127.0.0.1' });
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  socket.pause();
  sockets.push(socket);
  let letGo = false;
  server.once('connection', (its: Socket) => its.once('close', () => (letGo = true)));
  socket.on('error', () => undefined);
  return { socket, isLetGo: () => letGo };
}

/** More than any system keeps for who does not read. */
const large = Buffer.alloc(64 * 1024 * 1024, 'x');

test('an answer that nobody reads is given up after the pause, and what it held is free', async () => {
  let closed = 0;
  const port = await serve((_, outgoing) => {
    outgoing.once('close', () => (closed += 1));
    outgoing.end(large);
  });
  const { isLetGo } = ask(port);
  await expect.poll(() => [isLetGo(), closed], { timeout: 20_000 }).toEqual([true, 1]);
});

test('one that is read slowly, and one that is still being found, are not', async () => {
  const port = await serve((_, outgoing) => {
    outgoing.writeHead(200, { 'content-length': large.length });
    outgoing.write(large.subarray(0, large.length / 2));
    setTimeout(() => outgoing.end(large.subarray(large.length / 2)), 3 * pauseMs);
  });
  const { socket } = ask(port);
  let read = 0;
  socket.on('data', (bytes) => {
    read += bytes.length;
    socket.pause();
  });
  const reading = setInterval(() => socket.resume(), 1);
  await expect.poll(() => read, { timeout: 30_000, interval: 20 }).toBeGreaterThanOrEqual(large.length);
  clearInterval(reading);
  const silent = await serveSilent();
  const answered = await fetch(`http://127.0.0.1:${silent}/`);
  expect(await answered.text()).toBe('found');
});

async function serveSilent(): Promise<number> {
  server.closeAllConnections();
  server.close();
  return serve((_, outgoing) => {
    void pause(3 * pauseMs).then(() => outgoing.end('found'));
  });
}

test('a connection that was upgraded may be silent, and makes no room for another', async () => {
  const port = await serve((_, outgoing) => outgoing.end('served'));
  server.on('upgrade', (_incoming, socket) => {
    socket.on('error', () => undefined);
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
  });
  const upgraded = connect({ port, host: '127.0.0.1' });
  sockets.push(upgraded);
  upgraded.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
  const heard: string[] = [];
  let isLetGo = false;
  upgraded.on('data', (bytes: Buffer) => heard.push(bytes.toString()));
  upgraded.on('error', () => undefined);
  upgraded.on('close', () => (isLetGo = true));
  await expect.poll(() => heard.join('')).toMatch(/ 101 /u);
  // More than there is room for, none of which ever asks anything.
  const others = Array.from({ length: 12 }, () => {
    const socket = connect({ port, host: '127.0.0.1' });
    sockets.push(socket);
    const other = { isLetGo: false };
    socket.on('error', () => undefined);
    socket.on('close', () => (other.isLetGo = true));
    return other;
  });
  await expect.poll(() => others.filter((other) => other.isLetGo).length).toBeGreaterThanOrEqual(3);
  await pause(2 * pauseMs);
  expect(isLetGo).toBe(false);
});
