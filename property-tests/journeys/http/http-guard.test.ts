import { networkInterfaces } from 'node:os';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { apiError } from '../../../src/contract/http-api.js';
import { type ApiRoute, apiRoutes } from '../../../src/contract/api-routes.js';
import type { Requests } from '../../../src/requests/requests.js';
import { serveRequests, type ServedWorld, speak } from '../../worlds/http-world.js';
import { makeRequestsWorld, type RequestsWorld } from '../../worlds/requests-world.js';
import { playReview } from '../../worlds/story-of-a-review.js';

const token = 'a-token-of-the-test_0123';
let world: RequestsWorld;
let requests: Requests;
let served: ServedWorld;
let tokened: ServedWorld;
let eventsBefore: number;

const eventCount = async (): Promise<number> => {
  const listed = await requests.people.listSessions({});
  return listed.ok ? listed.value.sessions.reduce((sum, session) => sum + session.eventCount, 0) : -1;
};

beforeAll(async () => {
  world = makeRequestsWorld({ seed: 11 });
  ({ requests } = await playReview(world));
  served = await serveRequests(requests);
  tokened = await serveRequests(requests, { token });
  eventsBefore = await eventCount();
});

afterAll(async () => {
  await served.close();
  await tokened.close();
  await world.close();
});

/** Every place that answers: the table of the API, so that a new route is tried by itself, the MCP endpoint, the page and nothing in particular. */
const places = [
  ...Object.values<ApiRoute>(apiRoutes).map(({ path }) => path.replaceAll(/\{\w+\}/gu, 'EXPORT-212')),
  '/mcp',
  '/ws',
  '/',
  '/sessions/EXPORT-212',
  '/assets/index-0123abcd.js',
  '/nothing/here',
];
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

const ask = (line: string, headers: readonly string[], body = ''): string =>
  [line, ...headers, `Content-Length: ${Buffer.byteLength(body)}`, '', body].join('\r\n');

/** Asks every place by every method, a few at a time, and gives what was not refused with one of these. */
async function accepted(
  port: number,
  headersOf: (
    method: string,
    path: string,
  ) => { readonly line?: string; readonly headers: readonly string[]; readonly body?: string },
  statuses: readonly number[],
  ways = methods,
): Promise<readonly string[]> {
  const wrong: string[] = [];
  const all = places.flatMap((path) => ways.map((method) => ({ path, method })));
  const next = async (): Promise<void> => {
    for (let one = all.pop(); one !== undefined; one = all.pop()) {
      const { path, method } = one;
      const { line = `${method} ${path} HTTP/1.1`, headers, body } = headersOf(method, path);
      const answer = await speak(port, ask(line, headers, body));
      const status = Number(/^HTTP\/1\.1 (\d{3})/u.exec(answer)?.[1] ?? NaN);
      if (!statuses.includes(status)) wrong.push(`${method} ${path}: ${status}`);
      else if (
        status !== 400 &&
        method !== 'HEAD' &&
        apiError.safeParse(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4))).success !== true
      )
        wrong.push(`${method} ${path}: ${answer.slice(-200)}`);
      if (/access-control-/iu.test(answer)) wrong.push(`${method} ${path} lets other origins in`);
    }
  };
  await Promise.all(Array.from({ length: 8 }, next));
  return wrong;
}

const own = (): string => `Host: 127.0.0.1:${served.port}`;
const proof = ['X-WorkRail: 1', 'Content-Type: application/json', 'Accept: application/json, text/event-stream'];

describe('who is at home is let in', () => {
  it('so that what follows says something', async () => {
    const wrong = await accepted(served.port, () => ({ headers: [own(), 'Connection: close', ...proof] }), [403, 401]);
    // None of them is refused by the guard.
    expect(wrong.length).toBe(places.length * methods.length);
    expect(await speak(served.port, ask('GET /api/about HTTP/1.1', [own()]))).toMatch(/^HTTP\/1\.1 200 /u);
  });
});

describe('on every route and by every method nobody is let in', () => {
  const port = (): number => served.port;
  const hosts: readonly (readonly [string, () => string])[] = [
    ['a foreign name', () => `evil.test:${port()}`],
    ['a foreign name without port', () => 'evil.test'],
    ['a name that begins like ours', () => `localhost.evil.test:${port()}`],
    ['a trailing dot', () => `localhost.:${port()}`],
    ['a trailing dot after numbers', () => `127.0.0.1.:${port()}`],
    ['all addresses', () => `0.0.0.0:${port()}`],
    ['another port', () => '127.0.0.1:1'],
    ['an address written shorter', () => `127.1:${port()}`],
    ['a user before it', () => `evil@127.0.0.1:${port()}`],
    ['nothing', () => ''],
  ];
  test.each(hosts)('by %s as Host', async (_, host) => {
    expect(await accepted(port(), () => ({ headers: [`Host: ${host()}`, ...proof] }), [403, 400])).toEqual([]);
  });

  const origins: readonly (readonly [string, () => readonly string[]])[] = [
    ['a foreign origin', () => ['Origin: http://evil.test']],
    ['null', () => ['Origin: null']],
    ['ours over TLS', () => [`Origin: https://127.0.0.1:${port()}`]],
    ['our name on another port', () => ['Origin: http://127.0.0.1:1']],
    ['two, the first ours', () => [`Origin: http://127.0.0.1:${port()}`, 'Origin: http://evil.test']],
    ['two, the last ours', () => ['Origin: http://evil.test', `Origin: http://127.0.0.1:${port()}`]],
    ['two of ours', () => [`Origin: http://127.0.0.1:${port()}`, `Origin: http://127.0.0.1:${port()}`]],
    ['a trailing dot', () => [`Origin: http://localhost.:${port()}`]],
    ['nothing', () => ['Origin: ']],
    ['another site as the browser says', () => ['Sec-Fetch-Site: cross-site']],
    ['another port as the browser says', () => ['Sec-Fetch-Site: same-site']],
  ];
  test.each(origins)('from %s', async (_, headers) => {
    expect(await accepted(port(), () => ({ headers: [own(), ...headers(), ...proof] }), [403])).toEqual([]);
  });

  it('with a foreign Host and a foreign Origin', async () => {
    expect(
      await accepted(
        port(),
        () => ({ headers: [`Host: evil.test:${port()}`, `Origin: http://evil.test:${port()}`, ...proof] }),
        [403],
      ),
    ).toEqual([]);
  });

  it('with two Hosts, in either order', async () => {
    for (const both of [
      [own(), `Host: evil.test:${port()}`],
      [`Host: evil.test:${port()}`, own()],
    ])
      expect(await accepted(port(), () => ({ headers: [...both, ...proof] }), [403, 400])).toEqual([]);
  });

  it('with a whole address in the request line', async () => {
    for (const host of ['evil.test', `127.0.0.1:${port()}`])
      expect(
        await accepted(
          port(),
          (method, path) => ({ line: `${method} http://${host}${path} HTTP/1.1`, headers: [own(), ...proof] }),
          [403],
        ),
      ).toEqual([]);
  });

  it('without any Host', async () => {
    expect(await accepted(port(), () => ({ headers: proof }), [400])).toEqual([]);
    expect(
      await accepted(port(), (method, path) => ({ line: `${method} ${path} HTTP/1.0`, headers: proof }), [403]),
    ).toEqual([]);
  });

  it('with a form that another site sends', async () => {
    for (const type of ['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'text/plain']) {
      const form = (more: readonly string[]) => () => ({
        headers: [own(), `Content-Type: ${type}`, 'Accept: text/html', ...more],
        body: 'text=x',
      });
      expect(
        await accepted(port(), form(['Origin: http://evil.test', 'Sec-Fetch-Site: cross-site']), [403], ['POST']),
      ).toEqual([]);
      // A browser that says nothing of where it comes from: no route that changes something takes it.
      expect(
        (await accepted(port(), form([]), [400, 403, 405, 415], ['POST'])).filter((line) => !line.includes('/mcp')),
      ).toEqual([]);
      expect(
        await speak(
          port(),
          ask(
            'POST /mcp HTTP/1.1',
            [own(), `Content-Type: ${type}`, 'Accept: application/json, text/event-stream'],
            JSON.stringify({
              jsonrpc: '2.0',
              id: 1,
              method: 'initialize',
              params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
            }),
          ),
        ),
      ).toMatch(/^HTTP\/1\.1 415 /u);
    }
  });

  it('through another interface of the machine', async () => {
    const others = Object.values(networkInterfaces()).flatMap((faces) =>
      (faces ?? []).filter(({ internal, family }) => !internal && family === 'IPv4').map(({ address }) => address),
    );
    for (const host of others)
      await expect(speak(port(), ask('GET /api/about HTTP/1.1', [own()]), { host })).rejects.toThrow(
        /ECONNREFUSED|ETIMEDOUT|EHOSTUNREACH/u,
      );
    await expect(speak(port(), ask('GET /api/about HTTP/1.1', [own()]), { host: '127.0.0.2' })).rejects.toThrow(
      /ECONNREFUSED/u,
    );
  });

  it('by an upgrade or a tunnel', async () => {
    expect(
      await speak(
        port(),
        ask('GET /api/events HTTP/1.1', ['Host: evil.test', 'Connection: Upgrade', 'Upgrade: websocket']),
      ),
    ).toMatch(/^HTTP\/1\.1 403 /u);
    expect(
      await speak(port(), `CONNECT 127.0.0.1:${port()} HTTP/1.1\r\nHost: 127.0.0.1:${port()}\r\n\r\n`),
    ).not.toMatch(/^HTTP\/1\.1 2/u);
  });
});

describe('where a token is asked for', () => {
  const own2 = (): string => `Host: 127.0.0.1:${tokened.port}`;
  const wrong: readonly (readonly [string, () => readonly string[]])[] = [
    ['none', () => []],
    ['another', () => ['Authorization: Bearer a-token-of-the-test_0124']],
    ['a part of it', () => [`Authorization: Bearer ${token.slice(0, -1)}`]],
    ['more than it', () => [`Authorization: Bearer ${token}x`]],
    ['it by another scheme', () => [`Authorization: Basic ${token}`]],
    ['it twice', () => [`Authorization: Bearer ${token}`, `Authorization: Bearer ${token}`]],
    ['the cookie of another port', () => [`Cookie: workrail-1=${token}`]],
    ['another in the cookie', () => [`Cookie: workrail-${tokened.port}=nothing-of-the-kind`]],
    [
      'another beside the right cookie',
      () => ['Authorization: Bearer wrong', `Cookie: workrail-${tokened.port}=${token}`],
    ],
  ];
  test.each(wrong)('%s opens no route', async (_, headers) => {
    expect(await accepted(tokened.port, () => ({ headers: [own2(), ...headers(), ...proof] }), [401])).toEqual([]);
  });

  it('the address opens nothing but the page, and only with the right token', async () => {
    for (const given of ['?token=wrong', '?token=', `?token=${token}&token=${token}`, `?token=${token}x`]) {
      expect(
        await accepted(
          tokened.port,
          (method, path) => ({ line: `${method} ${path}${given} HTTP/1.1`, headers: [own2(), ...proof] }),
          [401],
        ),
      ).toEqual([]);
    }
    const elsewhere = await accepted(
      tokened.port,
      (method, path) => ({ line: `${method} ${path}?token=${token} HTTP/1.1`, headers: [own2(), ...proof] }),
      [401],
    );
    expect(elsewhere.every((line) => line.includes(' /:'))).toBe(true);
    for (const path of ['/api/about', '/mcp'])
      expect(await speak(tokened.port, ask(`GET ${path}?token=${token} HTTP/1.1`, [own2()]))).toMatch(
        /^HTTP\/1\.1 401 /u,
      );
    expect(await speak(tokened.port, ask(`GET /?token=${token} HTTP/1.1`, ['Host: evil.test']))).toMatch(
      /^HTTP\/1\.1 403 /u,
    );
    expect(await speak(tokened.port, ask(`POST /?token=${token} HTTP/1.1`, [own2()]))).toMatch(/^HTTP\/1\.1 403 /u);
  });

  it('the right one lets in, as a header and, after one visit, as a cookie that no script sees', async () => {
    expect((await tokened.get('/api/about', { authorization: `Bearer ${token}` })).status).toBe(200);
    const visit = await tokened.get(`/?token=${token}`);
    expect([visit.status, visit.headers.get('location'), visit.headers.get('cache-control')]).toEqual([
      303,
      '/',
      'no-store',
    ]);
    const cookie = visit.headers.get('set-cookie') ?? '';
    expect(cookie).toBe(`workrail-${tokened.port}=${token}; Path=/; HttpOnly; SameSite=Strict`);
    expect(
      await speak(
        tokened.port,
        ask('GET /api/about HTTP/1.1', [own2(), `Cookie: theme=dark; ${cookie.split(';')[0]!}`]),
      ),
    ).toMatch(/^HTTP\/1\.1 200 /u);
  });

  it('another Host or Origin is refused although the token is right', async () => {
    for (const headers of [
      ['Host: evil.test'],
      [own2(), 'Origin: http://evil.test'],
      [own2(), 'Origin: null'],
      [own2(), 'Sec-Fetch-Site: cross-site'],
    ]) {
      expect(
        await accepted(
          tokened.port,
          () => ({ headers: [...headers, `Authorization: Bearer ${token}`, ...proof] }),
          [403],
        ),
      ).toEqual([]);
    }
  });
});

test('nothing that was refused left a trace', async () => {
  expect(await eventCount()).toBe(eventsBefore);
});
