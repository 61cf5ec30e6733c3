import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, expect, it } from 'vitest';
import type { CatalogAuth } from '../../../src/calls/call-settings.js';
import { secretsOf } from '../../../src/calls/read-secrets.js';
import { setSecret } from '../../../src/calls/write-secrets.js';
import { openCalls } from '../../../src/calls/open-calls.js';
import { api, calledServers, type CalledServers, get, post, settings } from '../../worlds/called-servers.js';
import { answer, echo, redirect, type SeenRequest, tokenAnswer } from '../../worlds/scripted-server.js';

let world: CalledServers;
afterEach(() => world.close());

const canary = 'c4nary+/="\\ é&<s3cret>';
const shop = { catalog: 'shop', origin: api };
const key = { ...shop, name: 'KEY', value: canary };
const plainKey = { ...shop, name: 'PLAIN', value: 'pl4in-canary-0451' };

/** Every way that somebody might write a canary. */
const spellings = (value: string): readonly string[] => {
  const bytes = Buffer.from(value);
  const strict = encodeURIComponent(value).replaceAll(/[!'()*]/gu, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
  return [
    value,
    bytes.toString('latin1'),
    JSON.stringify(value).slice(1, -1),
    JSON.stringify(JSON.stringify(value)).slice(3, -3),
    encodeURIComponent(value),
    encodeURI(value),
    strict,
    strict.toLowerCase(),
    strict.replaceAll('%20', '+'),
    bytes.toString('base64'),
    bytes.toString('base64url'),
    ...['user:', 'me:', 'a:', ''].map((user) => Buffer.from(`${user}${value}:x`).toString('base64')),
    bytes.toString('hex'),
    bytes.toString('hex').toUpperCase(),
  ];
};

const isBytes = (value: unknown): value is readonly number[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'number');

const expectNoCanary = (told: unknown, values: readonly string[] = [canary, plainKey.value]): void => {
  const text = JSON.stringify(told, (_key, value: unknown) => {
    if (value instanceof Uint8Array) return Buffer.from(value).toString('latin1');
    const isBuffer = typeof value === 'object' && value !== null && 'type' in value && value.type === 'Buffer';
    return isBuffer && 'data' in value && isBytes(value.data) ? Buffer.from(value.data).toString('latin1') : value;
  });
  for (const value of values)
    for (const spelled of spellings(value)) {
      expect(text).not.toContain(spelled);
      // Nor what is left of it without its ends.
      if (spelled.length > 24) expect(text).not.toContain(spelled.slice(8, -8));
    }
};

const hole = '${{ secrets.PLAIN }}';
const auths: readonly CatalogAuth[] = [
  { kind: 'header', name: 'X-Api-Key', value: hole },
  { kind: 'query', name: 'api key', value: '${{ secrets.KEY }}' },
  { kind: 'query', name: 'key', value: hole },
  { kind: 'cookie', name: 'sid', value: hole },
  { kind: 'basic', user: 'me', password: '${{secrets.KEY}}' },
  { kind: 'basic', user: hole, password: '' },
  { kind: 'bearer', token: hole },
];

it('shows who calls, in each way, and the answer never tells it', async () => {
  world = await calledServers({ secrets: [key, plainKey] });
  const seen: SeenRequest[] = [];
  world.server.script((request, count) => {
    seen.push(request);
    return echo(request, count);
  });
  for (const auth of auths) {
    const outcome = await world.calls
      .of(settings({ auth, headers: { 'X-Own': `a ${hole}` } }))
      .send(get(`${api}/v1?a=%20b`));
    expect(outcome).toMatchObject({ kind: 'answered', status: 200 });
    expectNoCanary(outcome);
  }
  const [header, query, other, cookie, basicPassword, basicUser, bearer] = seen;
  expect(header?.headers).toMatchObject({ 'x-api-key': plainKey.value, 'x-own': `a ${plainKey.value}` });
  expect(query?.path).toBe(`/v1?a=%20b&api%20key=${encodeURIComponent(canary)}`);
  expect(other?.path).toBe(`/v1?a=%20b&key=${plainKey.value}`);
  expect(cookie?.headers['cookie']).toBe(`sid=${plainKey.value}`);
  expect(basicPassword?.headers['authorization']).toBe(`Basic ${Buffer.from(`me:${canary}`).toString('base64')}`);
  expect(basicUser?.headers['authorization']).toBe(`Basic ${Buffer.from(`${plainKey.value}:`).toString('base64')}`);
  expect(bearer?.headers['authorization']).toBe(`Bearer ${plainKey.value}`);
});

it('lets no canary out of an answer, however it is written there', async () => {
  world = await calledServers({ secrets: [key, plainKey] });
  const calls = world.calls.of(settings({ auth: { kind: 'bearer', token: hole } }));
  expect(calls.fill('${{ secrets.KEY }}')).toEqual({ ok: true, value: canary });
  for (const value of [canary, plainKey.value])
    for (const spelled of spellings(value)) {
      const json = { a: [spelled], [spelled]: 1, text: `<${spelled}>` };
      const answers = [
        answer(200, json),
        answer(200, `a ${spelled} b`, { 'content-type': 'text/html; charset=utf-8' }),
        answer(200, Buffer.from(`\0${spelled}\xff`), { 'content-type': 'image/png' }),
        answer(200, gzipSync(JSON.stringify(json)), { 'content-type': 'application/json', 'content-encoding': 'gzip' }),
        answer(400, spelled, { 'content-type': 'application/json', 'x-back': encodeURIComponent(spelled) }),
        answer(302, '', { location: `/${encodeURIComponent(spelled)}` }),
      ];
      for (const scripted of answers) {
        world.server.script(({ path }) => (path.startsWith('/v1') ? scripted : answer(200)));
        for (const request of [get(`${api}/v1`), post(`${api}/v1`)]) expectNoCanary(await calls.send(request));
      }
    }
  world.server.script(() => answer(200, '{"pin": 451451}', { 'content-type': 'application/json' }));
  const numbers = await calledServers({ secrets: [{ ...shop, name: 'PIN', value: '451451' }] });
  numbers.server.script(() => answer(200, '{"pin": 451451, "other": 451}', { 'content-type': 'application/json' }));
  const pin = numbers.calls.of(settings({ auth: { kind: 'header', name: 'pin', value: '${{ secrets.PIN }}' } }));
  expect(await pin.send(get(api))).toMatchObject({ body: { value: { pin: '[secret]', other: 451 } } });
  await numbers.close();
});

it('lets no canary out of what went wrong', async () => {
  world = await calledServers({ secrets: [key, plainKey] });
  const outcomes: unknown[] = [];
  for (const auth of auths) {
    const calls = world.calls.of(settings({ auth }));
    const filled = calls.fill({ '${{ secrets.PLAIN }}': ['${{ secrets.KEY }}'] });
    expect(filled).toMatchObject({ ok: true });
    for (const request of [
      get(`${api}/${encodeURIComponent(canary)}?x=${plainKey.value}`),
      post(`${api}/${plainKey.value}`, filled),
    ]) {
      world.server.script(() => ({ bytes: Buffer.from('HTTP/1.1 200 OK\r\ncontent-le'), then: 'reset' }));
      outcomes.push(await calls.send(request, { retries: { max: 0 } }));
      world.server.script(() => redirect(302, `https://elsewhere.example/${plainKey.value}`));
      outcomes.push(await calls.send(request));
      world.server.script(() => redirect(302, `http://${plainKey.value}.example/`));
      outcomes.push(await calls.send(request));
      outcomes.push(await calls.send({ ...request, headers: [['x-a', `${plainKey.value}\r\n`]] }));
      outcomes.push(await calls.send({ ...request, url: `https://u:${plainKey.value}@api.example.com/` }));
      outcomes.push(await calls.send({ ...request, url: `https://other.example/${plainKey.value}` }));
    }
  }
  expect(outcomes.every((one) => (one as { kind: string }).kind !== undefined)).toBe(true);
  expectNoCanary(outcomes);
  expect(world.dialled.every(({ host }) => host === 'api.example.com')).toBe(true);
});

it('shows who calls to the one origin of the catalog alone', async () => {
  world = await calledServers({ secrets: [key, plainKey] });
  const seen: { readonly host: string; readonly request: SeenRequest }[] = [];
  const strangers = [
    'https://evil.example',
    'https://api.example.com.evil.example',
    'https://api.example.com:8443',
    'https://sub.api.example.com',
  ];
  const holdsAny = ({ path, headers, body }: SeenRequest): boolean =>
    [plainKey.value, encodeURIComponent(canary), Buffer.from(`me:${canary}`).toString('base64')].some((one) =>
      JSON.stringify([path, headers, body]).includes(one),
    );
  for (const auth of auths)
    for (const stranger of strangers) {
      const calls = world.calls.of(settings({ auth, headers: { 'x-own': hole, 'x-plain': 'configured' } }));
      world.server.script((request) => {
        const host = request.headers['host'] ?? '';
        seen.push({ host, request });
        if (host !== 'api.example.com')
          return request.path === '/back' ? redirect(302, `${api}/v1/again`) : answer(200);
        if (request.path.startsWith('/v1/again')) return answer(200);
        return redirect(307, `${stranger}${request.path.startsWith('/v1/back') ? '/back' : '/in'}`);
      });
      // From our own origin to a stranger, and back again.
      for (const path of ['away', 'back']) {
        const from = seen.length;
        const outcome = await calls.send(
          get(`${api}/v1/${path}`, [
            ['accept', 'a/b'],
            ['cookie', 'built=1'],
            ['x-param', 'v'],
          ]),
        );
        expect(outcome).toMatchObject({ kind: 'answered', status: 200 });
        const [first, ...later] = seen.slice(from);
        expect([first?.host, holdsAny(first!.request)]).toEqual(['api.example.com', true]);
        for (const { request } of later) {
          expect(holdsAny(request)).toBe(false);
          expect(Object.keys(request.headers).sort()).toEqual([
            'accept',
            'accept-encoding',
            'connection',
            'host',
            'user-agent',
          ]);
        }
        expect(later.length).toBe(path === 'back' ? 2 : 1);
      }
      // An operation with a server of its own.
      const from = seen.length;
      for (const request of [get(`${stranger}/own`), post(`${stranger}/own`)])
        expect(await calls.send(request)).toMatchObject({ kind: 'answered' });
      for (const { request } of seen.slice(from)) {
        expect(holdsAny(request)).toBe(false);
        expect(request.headers).not.toHaveProperty('x-plain');
      }
      // What a step filled in itself.
      const secretBody = calls.fill('${{ secrets.KEY }}');
      expect(await calls.send(post(`${stranger}/own`, secretBody))).toMatchObject({
        kind: 'not_sent',
        problem: { code: 'ADDRESS_REFUSED' },
      });
    }
});

it('keeps what shows who calls on redirects within the origin', async () => {
  world = await calledServers({ secrets: [key, plainKey] });
  world.server.script((request, count) =>
    request.path.includes('first') ? redirect(302, '/v1/second?b=1') : echo(request, count),
  );
  const calls = world.calls.of(
    settings({ auth: { kind: 'query', name: 'k', value: hole }, headers: { 'x-own': hole } }),
  );
  await calls.send(get(`${api}/v1/first`));
  expect(world.server.seen.map(({ path, headers }) => [path, headers['x-own']])).toEqual([
    [`/v1/first?k=${plainKey.value}`, plainKey.value],
    [`/v1/second?b=1&k=${plainKey.value}`, plainKey.value],
  ]);
});

it('gives no secret to a catalog whose address was changed', async () => {
  world = await calledServers({ secrets: [key, plainKey] });
  for (const changed of [
    { baseUrl: 'https://evil.example/v1' },
    { catalog: 'other' },
    { baseUrl: 'http://api.example.com/v1' },
  ]) {
    const calls = world.calls.of(settings({ ...changed, auth: { kind: 'bearer', token: hole } }));
    const base = changed.baseUrl ?? api;
    expect(await calls.send(get(base))).toMatchObject({ kind: 'not_sent', problem: { code: 'PRECONDITION_FAILED' } });
    expect(calls.fill(hole)).toMatchObject({ ok: false, error: { code: 'PRECONDITION_FAILED' } });
  }
  expect(world.dialled).toEqual([]);
});

it('fills in what carries its mark alone, where there is one', async () => {
  world = await calledServers({ secrets: [key, plainKey] });
  const { fill } = world.calls.of(settings());
  const template = { a: '${{ secrets.PLAIN m4rk }} and ${{ secrets.PLAIN }}', b: [1, null, true] };
  expect(fill(template, 'm4rk')).toEqual({
    ok: true,
    value: { a: `${plainKey.value} and \${{ secrets.PLAIN }}`, b: [1, null, true] },
  });
  expect(fill('${{ secrets.GONE }}')).toMatchObject({ ok: false });
  expect(fill('${{ inputs.a }} ${{secrets.PLAIN}} secrets.PLAIN')).toEqual({
    ok: true,
    value: `\${{ inputs.a }} ${plainKey.value} secrets.PLAIN`,
  });
});

const tokenUrl = 'https://login.example.com/token';
const client = {
  kind: 'client_credentials',
  tokenUrl,
  clientId: 'shop-client',
  clientSecret: '${{ secrets.KEY }}',
  scopes: ['a', 'b c'],
} as const;
const keyForTokens = { ...key, origin: 'https://login.example.com' };

/** Tokens of which the newest alone is taken. */
const tokenServer = (more: object = {}) => {
  let handedOut = 0;
  return {
    handedOut: () => handedOut,
    expire: () => void (handedOut += 1),
    script: (request: SeenRequest) => {
      if (request.headers['host'] === 'login.example.com') return tokenAnswer((handedOut += 1), more);
      return request.headers['authorization'] === `Bearer handed-out-token-${handedOut}`
        ? echo(request, 0)
        : answer(401);
    },
  };
};

it('exchanges an id and a secret for a token, once for all who ask', async () => {
  const tokens = tokenServer();
  world = await calledServers({ secrets: [key, keyForTokens], script: tokens.script });
  const calls = world.calls.of(settings({ auth: client }));
  const outcomes = await Promise.all(Array.from({ length: 8 }, () => calls.send(get(`${api}/v1`))));
  for (const outcome of outcomes) {
    expect(outcome).toMatchObject({ kind: 'answered', status: 200, tries: 1 });
    expectNoCanary(outcome, [canary, 'handed-out-token-1']);
  }
  expect(tokens.handedOut()).toBe(1);
  const asked = world.server.seen.find(({ headers }) => headers['host'] === 'login.example.com');
  expect(asked).toMatchObject({ method: 'POST', path: '/token', body: 'grant_type=client_credentials&scope=a+b+c' });
  const [id, secret] = Buffer.from(asked!.headers['authorization']!.slice(6), 'base64').toString().split(':');
  expect([id, decodeURIComponent(secret!.replaceAll('+', ' '))]).toEqual(['shop-client', canary]);
  // A minute before its end another is asked for.
  world.clock.move(3539_000);
  await calls.send(get(`${api}/v1`));
  expect(tokens.handedOut()).toBe(1);
  world.clock.move(1001);
  await calls.send(get(`${api}/v1`));
  expect(tokens.handedOut()).toBe(2);
  // One that is not taken any more is replaced, once, for writes as well.
  tokens.expire();
  expect(await calls.send(post(`${api}/v1`))).toMatchObject({ kind: 'answered', status: 200, tries: 1 });
  expect(tokens.handedOut()).toBe(4);
  world.server.script((request) =>
    request.headers['host'] === 'login.example.com' ? tokens.script(request) : answer(401),
  );
  const before = world.server.seen.length;
  expect(await calls.send(post(`${api}/v1`))).toMatchObject({ kind: 'answered', status: 401 });
  expect(world.server.seen.length - before).toBe(3);
});

it('asks for no token, and sends nothing with one, where the call is unwanted by then', async () => {
  const tokens = tokenServer();
  const stop = new AbortController();
  const unsent = stop.signal;
  let handOut: () => void = () => undefined;
  const wanted = new Promise<void>((resolve) => (handOut = resolve));
  world = await calledServers({
    secrets: [key, keyForTokens],
    script: async (request) => {
      if (request.headers['host'] === 'login.example.com') await wanted;
      return tokens.script(request);
    },
  });
  const calls = world.calls.of(settings({ auth: client }));
  const under = calls.send(post(`${api}/v1`), { unsent });
  while (world.server.seen.length === 0) await new Promise((next) => setImmediate(next));
  stop.abort();
  const notSent = { kind: 'not_sent', problem: { code: 'CANCELED' } };
  expect(await under).toMatchObject(notSent);
  handOut();
  expect(await calls.send(post(`${api}/v1`), { unsent })).toMatchObject(notSent);
  expect(world.server.seen).toHaveLength(1);
  // One that is refused while the call is unwanted is not replaced.
  const again = new AbortController();
  world.server.script((request) => {
    if (request.headers['host'] === 'login.example.com') return tokens.script(request);
    again.abort();
    return answer(401);
  });
  const refused = await calls.send(post(`${api}/v1`), { unsent: again.signal });
  expect(refused).toMatchObject({ kind: 'answered', status: 401 });
  expect(world.server.seen.filter(({ path }) => path === '/v1')).toHaveLength(1);
});

it('puts id and secret into the body where the server wants them there', async () => {
  world = await calledServers({ secrets: [key, keyForTokens], script: tokenServer().script });
  await world.calls.of(settings({ auth: { ...client, clientIn: 'body', scopes: [] } })).send(get(`${api}/v1`));
  const form = new URLSearchParams(world.server.seen[0]!.body);
  expect(Object.fromEntries(form)).toEqual({
    grant_type: 'client_credentials',
    client_id: 'shop-client',
    client_secret: canary,
  });
  expect(world.server.seen[0]!.headers).not.toHaveProperty('authorization');
});

it('asks for no token with a secret that is not for both origins', async () => {
  for (const secrets of [[key], [keyForTokens], []]) {
    world = await calledServers({ secrets, script: tokenServer().script });
    expect(await world.calls.of(settings({ auth: client })).send(get(`${api}/v1`))).toMatchObject({
      kind: 'not_sent',
      problem: { code: 'PRECONDITION_FAILED' },
    });
    expect(world.dialled).toEqual([]);
    if (secrets.length > 0) await world.close();
  }
});

it.each([
  [answer(400, { error: 'invalid_client', error_description: canary }), 'COMMAND_FAILED'],
  [answer(200, { token_type: 'bearer' }), 'COMMAND_FAILED'],
  [answer(200, { access_token: 'a\r\nb' }), 'COMMAND_FAILED'],
  [answer(200, { access_token: 'abcdefgh', token_type: 'mac' }), 'COMMAND_FAILED'],
  [answer(200, '<html>', { 'content-type': 'text/html' }), 'COMMAND_FAILED'],
  [redirect(307, 'https://evil.example/'), 'COMMAND_FAILED'],
  [answer(503), 'COMMAND_UNAVAILABLE'],
  [{ bytes: Buffer.alloc(0), then: 'reset' as const }, 'COMMAND_UNAVAILABLE'],
])('sends nothing where no token comes %#', async (scripted, code) => {
  world = await calledServers({ secrets: [key, keyForTokens], script: () => scripted });
  const outcome = await world.calls.of(settings({ auth: client })).send(post(`${api}/v1`));
  expect(outcome).toMatchObject({ kind: 'not_sent', problem: { code } });
  expectNoCanary(outcome);
  expect(world.dialled.every(({ host }) => host === 'login.example.com')).toBe(true);
});

it.each([
  'http://login.example.com/token',
  'https://127.0.0.1/token',
  'https://user:pw@login.example.com/',
  'file:///etc/passwd',
  'https://inner.example/',
])('asks %s for no token', async (url) => {
  const origin = new URL(url).origin;
  world = await calledServers({ names: { 'inner.example': ['10.0.0.1'] }, secrets: [key, { ...key, origin }] });
  expect(await world.calls.of(settings({ auth: { ...client, tokenUrl: url } })).send(get(`${api}/v1`))).toMatchObject({
    kind: 'not_sent',
    problem: { code: 'ADDRESS_REFUSED' },
  });
  expect(world.dialled).toEqual([]);
});

it('reads the secrets of the person anew for each call', async () => {
  world = await calledServers();
  const folder = mkdtempSync(path.join(tmpdir(), 'workrail-calls-'));
  const file = path.join(folder, 'secrets.json');
  const { origin } = world.server;
  const calls = openCalls({ secrets: secretsOf(file, { FROM_ENV: 'value-of-the-variable' }) });
  const own = calls.of({
    catalog: 'shop',
    baseUrl: origin,
    allow: ['127.0.0.1'],
    auth: { kind: 'bearer', token: '${{ secrets.T }}' },
  });
  try {
    expect(await own.send(get(origin))).toMatchObject({ kind: 'not_sent', problem: { code: 'PRECONDITION_FAILED' } });
    for (const held of [{ value: 'first-value' }, { value: 'second-value' }, { env: 'FROM_ENV' }]) {
      expect(await setSecret(file, { catalog: 'shop', origin, name: 'T' }, held)).toMatchObject({ ok: true });
      expect(await own.send(get(origin))).toMatchObject({ kind: 'answered' });
    }
    expect(world.server.seen.map(({ headers }) => headers['authorization'])).toEqual([
      'Bearer first-value',
      'Bearer second-value',
      'Bearer value-of-the-variable',
    ]);
    expect(own.mask('first-value second-value value-of-the-variable')).toBe('[secret] [secret] [secret]');
  } finally {
    await calls.close();
    rmSync(folder, { recursive: true });
  }
});
