import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json-value.js';
import { apiError } from '../../../src/contract/http-api.js';
import { type StateMessage, stateMessages } from '../../../src/contract/state-messages.js';
import type { Requests } from '../../../src/requests/requests.js';
import { serveRequests, type ServedWorld, speak } from '../../worlds/http-world.js';
import { call, makeRequestsWorld, type RequestsWorld, textOf } from '../../worlds/requests-world.js';
import { openSocket, type SocketClient } from '../../worlds/socket-client.js';
import { StateFollower } from '../../worlds/state-follower.js';
import { withinLimits } from '../../worlds/within-limits.js';

const main = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url));
const run = promisify(execFile);

let world: RequestsWorld;
let requests: Requests;
let served: ServedWorld;
let [one, other] = ['', ''];
const clients: SocketClient[] = [];

beforeEach(async () => {
  world = makeRequestsWorld({ seed: 34 });
  requests = world.open();
  served = await serveRequests(requests);
  await requests.people.addSchema({ name: 'any', json: true });
  const create = async (session: string): Promise<string> => {
    const made = await call(requests, 'state_create', { schemaName: 'any', initialData: { count: 0 }, session });
    return textOf(made.answer['state_id']);
  };
  [one, other] = [await create('WS-1'), await create('WS-2')];
});
afterEach(async () => {
  for (const { socket } of clients.splice(0)) socket.terminate();
  await served.close();
  await world.close();
});

const socketUrl = (): string => `ws://127.0.0.1:${served.port}/ws`;
async function open(headers: Readonly<Record<string, string>> = {}, url = socketUrl()): Promise<SocketClient> {
  const client = await openSocket(url, headers);
  clients.push(client);
  return client;
}
const patch = (session: string, count: unknown): ReturnType<typeof call> =>
  call(requests, 'state_patch', {
    session,
    operations: [{ op: 'add', path: '/count', value: count } as JsonObject],
  });
const cli = (session: string, count: number): Promise<unknown> =>
  run(
    process.execPath,
    [main, 'state', 'patch', session, `[{"op":"add","path":"/by","value":${count}}]`, '--data-dir', world.data],
    {
      cwd: world.folder,
      env: { ...process.env, HOME: world.folder, XDG_CONFIG_HOME: join(world.folder, 'config') },
    },
  );
const etagOf = async (state: string): Promise<string> =>
  textOf(((await (await served.get(`/workflow-states/${state}`)).json()) as JsonObject)['etag']);
const at = (etag: string) => (heard: readonly JsonObject[]) => heard.some((message) => message['etag'] === etag);
const of = (state: string, { heard }: SocketClient): StateFollower => {
  const follower = new StateFollower();
  for (const message of heard) {
    const type = textOf(message['event_type']) as keyof typeof stateMessages;
    if (!(type in stateMessages) || message['state_id'] !== state) continue;
    follower.hear(stateMessages[type].parse(message) as StateMessage);
  }
  return follower;
};
const count = ({ heard }: SocketClient, type: string): number =>
  heard.filter(({ event_type: told }) => told === type).length;

describe('shared states over a WebSocket', () => {
  it('are told whole, then version by version, whoever writes, until nobody wants to know', async () => {
    const client = await open();
    client.say({ subscribe: one });
    client.say({ subscribe: other });
    await client.until(() => count(client, 'workflow_state_snapshot') === 2);
    await cli('WS-1', 1);
    await patch('WS-2', 1);
    await cli('WS-1', 2);
    for (const state of [one, other]) await client.until(at(await etagOf(state)));
    for (const [state, versions] of [
      [one, 3],
      [other, 2],
    ] as const) {
      const { seen } = of(state, client);
      expect(seen.length).toBe(versions);
      for (const { etag, value } of seen) {
        const read = await served.get(`/workflow-states/${state}/versions/${etag}`);
        expect(((await read.json()) as JsonObject)['current_data']).toEqual(value);
      }
    }
    client.say({ unsubscribe: one });
    await client.until(() => count(client, 'unsubscribed') === 1);
    await patch('WS-1', 'unheard');
    await patch('WS-2', 'heard');
    await client.until(at(await etagOf(other)));
    expect(of(one, client).seen.length).toBe(3);
  });

  it('go on from the version that was told last', async () => {
    const first = await open();
    first.say({ subscribe: one });
    await first.until(() => count(first, 'workflow_state_snapshot') === 1);
    await patch('WS-1', 1);
    await first.until(at(await etagOf(one)));
    first.socket.terminate();
    const { etag } = of(one, first);
    for (const value of [2, 3]) await patch('WS-1', value);
    const second = await open();
    second.say({ subscribe: one, from: etag });
    await second.until(at(await etagOf(one)));
    expect(second.heard[0]).toEqual({ event_type: 'subscribed', state_id: one, reset: false });
    expect(second.heard.slice(1).map(({ version }) => version)).toEqual([3, 4]);
    second.say({ subscribe: one, from: 'v9-000000000000' });
    await second.until(() => count(second, 'workflow_state_snapshot') === 1);
    expect(second.heard.at(-2)).toEqual({ event_type: 'subscribed', state_id: one, reset: true });
  });

  it('answer what is no message with an error, and go on', async () => {
    const client = await open();
    const wrong: readonly (readonly [unknown, string])[] = [
      ['', 'VALIDATION_ERROR'],
      ['subscribe', 'VALIDATION_ERROR'],
      ['{', 'VALIDATION_ERROR'],
      [[], 'VALIDATION_ERROR'],
      ['null', 'VALIDATION_ERROR'],
      [{ subscribe: 1 }, 'VALIDATION_ERROR'],
      [{ subscribe: one, unsubscribe: one }, 'VALIDATION_ERROR'],
      [{ subscribe: one, more: 1 }, 'VALIDATION_ERROR'],
      ['{"__proto__":{"subscribe":"x"}}', 'VALIDATION_ERROR'],
      [{ subscribe: 'x'.repeat(61) }, 'VALIDATION_ERROR'],
      [{ subscribe: 'constructor' }, 'NOT_FOUND'],
      [{ subscribe: 'wfstate_000000000000' }, 'NOT_FOUND'],
      [{ unsubscribe: one }, 'NOT_FOUND'],
    ];
    for (const [message] of wrong) client.say(message);
    client.socket.send(randomBytes(100));
    await client.until(() => count(client, 'error') === wrong.length + 1);
    expect(client.heard.map(({ error_code: code }) => code)).toEqual([
      ...wrong.map(([, code]) => code),
      'VALIDATION_ERROR',
    ]);
    const own = ['event_type', 'state_id'];
    for (const message of client.heard)
      apiError.parse(Object.fromEntries(Object.entries(message).filter(([field]) => !own.includes(field))));
    client.say({ subscribe: one });
    await client.until(() => count(client, 'workflow_state_snapshot') === 1);
    client.say('x'.repeat(4097));
    expect(await client.closed).toBe(1009);
    expect((await served.get('/api/about')).status).toBe(200);
    expect(served.lines).toEqual([]);
  });

  it('are bounded: what one may follow, and how many there may be', async () => {
    withinLimits({ socketSubscriptions: 1, webSockets: 2 });
    const client = await open();
    client.say({ subscribe: one });
    client.say({ subscribe: other });
    await client.until(() => count(client, 'error') === 1);
    expect(client.heard.at(-1)).toMatchObject({ error_code: 'LIMIT_EXCEEDED', state_id: other });
    await open();
    await expect(open()).rejects.toThrow('refused with 503');
    client.socket.terminate();
    await expect
      .poll(() =>
        open().then(
          () => true,
          () => false,
        ),
      )
      .toBe(true);
  });
});

describe('who may open a WebSocket', () => {
  const upgrade = (port: number, headers: readonly string[], path = '/ws'): Promise<string> =>
    speak(
      port,
      [
        `GET ${path} HTTP/1.1`,
        ...headers,
        'Connection: Upgrade',
        'Upgrade: websocket',
        'Sec-WebSocket-Version: 13',
        `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`,
        '',
        '',
      ].join('\r\n'),
    );
  const own = (): string => `Host: 127.0.0.1:${served.port}`;
  interface Stranger {
    readonly who: string;
    readonly status: number;
    readonly headers: () => readonly string[];
    readonly path?: string;
  }
  const strangers: readonly Stranger[] = [
    { who: 'a page of another origin', status: 403, headers: () => [own(), 'Origin: https://evil.test'] },
    { who: 'a page whose origin is hidden', status: 403, headers: () => [own(), 'Origin: null'] },
    { who: 'a page on another port', status: 403, headers: () => [own(), 'Origin: http://127.0.0.1:1'] },
    { who: 'a page of another site', status: 403, headers: () => [own(), 'Sec-Fetch-Site: cross-site'] },
    { who: 'a name that leads here', status: 403, headers: () => [`Host: evil.test:${served.port}`] },
    { who: 'who names no Host', status: 403, headers: () => ['X-Nothing: 1'] },
    { who: 'whoever asks for another place', status: 404, headers: () => [own()], path: '/api/events' },
  ];
  test.each(strangers)('not $who', async ({ status, headers, path }) => {
    const answer = await upgrade(served.port, headers(), path);
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `, 'u'));
    expect(answer).not.toMatch(/101 Switching/u);
    apiError.parse(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4)));
  });

  it('but its own page, and programs', async () => {
    const page = await open({ origin: served.origin, 'sec-fetch-site': 'same-origin' });
    const program = await open();
    expect([page, program].map(({ socket }) => socket.readyState)).toEqual([1, 1]);
  });

  it('and with a token only who has it', async () => {
    const tokened = await serveRequests(requests, { token: 'a-token-of-the-test_0123' });
    const url = `ws://127.0.0.1:${tokened.port}/ws`;
    await expect(open({}, url)).rejects.toThrow('refused with 401');
    await expect(open({ authorization: 'Bearer wrong' }, url)).rejects.toThrow('refused with 401');
    await open({ authorization: 'Bearer a-token-of-the-test_0123' }, url);
    await open({ cookie: `workrail-${tokened.port}=a-token-of-the-test_0123`, origin: tokened.origin }, url);
    await tokened.close();
  });

  it('and what is no WebSocket is answered as before', async () => {
    expect((await served.get('/ws')).status).toBe(426);
    const headers = [own(), 'Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAAQAAP__'];
    const answer = await speak(served.port, ['GET /api/about HTTP/1.1', ...headers, '', ''].join('\r\n'));
    expect(answer).toMatch(/^HTTP\/1\.1 200 /u);
    const odd = await speak(
      served.port,
      ['GET /ws HTTP/1.1', own(), 'Connection: Upgrade', 'Upgrade: websocket', '', ''].join('\r\n'),
    );
    expect(odd).toMatch(/^HTTP\/1\.1 400 /u);
  });
});

describe('the end of a WebSocket', () => {
  it('comes with a word when the server ends, which does not wait for it', async () => {
    const client = await open();
    client.say({ subscribe: one });
    await client.until(() => count(client, 'workflow_state_snapshot') === 1);
    await served.close();
    expect(await client.closed).toBe(1001);
    expect(client.heard.at(-1)).toMatchObject({ event_type: 'stopped' });
    served = await serveRequests(requests);
  });

  it('comes to whoever does not read, and to nobody else', async () => {
    await served.close();
    served = await serveRequests(requests, { slowReaderMs: 300 });
    const [slow, quick] = [await open(), await open()];
    for (const client of [slow, quick]) {
      client.say({ subscribe: one });
      await client.until(() => count(client, 'workflow_state_snapshot') === 1);
    }
    slow.socket.pause();
    // More than any system keeps for who does not read.
    for (let number = 0; number < 24; number += 1) await patch('WS-1', `${number}${'x'.repeat(500_000)}`);
    await quick.until(at(await etagOf(one)), 20_000);
    await new Promise((resolve) => setTimeout(resolve, 1000));
    slow.socket.resume();
    expect([1006, 1013]).toContain(await slow.closed);
    expect(of(one, slow).seen.length).toBeLessThan(25);
    const again = await open();
    again.say({ subscribe: one, from: of(one, slow).etag });
    await again.until(at(await etagOf(one)), 20_000);
    const whole = [...of(one, slow).seen.map(({ etag }) => etag), ...again.heard.slice(1).map(({ etag }) => etag)];
    expect(whole).toEqual(of(one, quick).seen.map(({ etag }) => etag));
  });

  it('comes to whoever does not answer a ping', async () => {
    await served.close();
    served = await serveRequests(requests, { keepAliveMs: 100 });
    const alive = await open();
    const dead = connect({ port: served.port, host: '127.0.0.1' });
    const ended = new Promise((resolve) => dead.on('close', resolve));
    dead.on('error', () => undefined);
    dead.resume();
    dead.write(
      [
        'GET /ws HTTP/1.1',
        `Host: 127.0.0.1:${served.port}`,
        'Connection: Upgrade',
        'Upgrade: websocket',
        'Sec-WebSocket-Version: 13',
        `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`,
        '',
        '',
      ].join('\r\n'),
    );
    await ended;
    expect(alive.socket.readyState).toBe(alive.socket.OPEN);
  });
});
