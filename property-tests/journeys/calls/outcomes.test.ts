import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { Readable } from 'node:stream';
import { createServer as createTlsServer } from 'node:tls';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterEach, expect, it } from 'vitest';
import { limits } from '../../../src/base/limits.js';
import { ok } from '../../../src/base/result.js';
import type { BuiltBody } from '../../../src/catalogs/built-request.js';
import { openCalls } from '../../../src/calls/open-calls.js';
import { api, calledServers, type CalledServers, get, post, settings, testClock } from '../../worlds/called-servers.js';
import { answer, chunkedAnswer, echo, gzipBomb } from '../../worlds/scripted-server.js';
import { selfSigned } from '../../worlds/self-signed.js';

let world: CalledServers;
afterEach(() => world.close());

const oneTry = { retries: { max: 0 } };
const send = (request = get(`${api}/v1/a`), options: object = oneTry, more: object = {}) =>
  world.calls.of(settings(more)).send(request, options);
/** Waits for what another part of this process does. */
const until = async (isSo: () => boolean): Promise<void> => {
  while (!isSo()) await new Promise((next) => setImmediate(next));
};

it('tells what was answered: JSON, text, bytes, nothing', async () => {
  world = await calledServers();
  const told = async (body: string | Buffer, type: string) => {
    world.server.script(() => answer(200, body, { 'content-type': type, 'x-a': 'b' }));
    const outcome = await send();
    return outcome.kind === 'answered' ? outcome.body : outcome;
  };
  expect(await told('{"a": [1, null], "__proto__": 1}', 'application/json')).toEqual({
    kind: 'json',
    value: JSON.parse('{"a": [1, null], "__proto__": 1}'),
  });
  expect(await told('[]', 'application/problem+json; charset=utf-8')).toEqual({ kind: 'json', value: [] });
  expect(await told('{"a"', 'application/json')).toEqual({ kind: 'text', text: '{"a"' });
  expect(await told('['.repeat(100_000), 'application/json')).toMatchObject({ kind: 'text' });
  expect(await told(`${'['.repeat(100_000)}${']'.repeat(100_000)}`, 'application/json')).toMatchObject({
    kind: 'text',
  });
  expect(await told('grüß', 'text/plain; charset=utf-8')).toEqual({ kind: 'text', text: 'grüß' });
  expect(await told(Buffer.from('grüß', 'latin1'), 'text/plain; charset=iso-8859-1')).toEqual({
    kind: 'text',
    text: 'grüß',
  });
  expect(await told(Buffer.from([0xff, 0xfe, 0]), 'text/plain')).toMatchObject({ kind: 'bytes' });
  expect(await told('a', 'image/png')).toMatchObject({ kind: 'bytes' });
  expect(await told('', 'application/json')).toEqual({ kind: 'none' });
  world.server.script(() => answer(204));
  expect(await send()).toMatchObject({ kind: 'answered', status: 204, body: { kind: 'none' }, tries: 1, bytes: 0 });
  world.server.script(() => chunkedAnswer(200, ['{"a":', '1}'], { 'content-type': 'application/json' }));
  expect(await send()).toMatchObject({ kind: 'answered', body: { value: { a: 1 } }, bytes: 7 });
  world.server.script(() => answer(200, '', { 'content-length': '5' }));
  expect(await send({ ...get(`${api}/v1`), method: 'HEAD' })).toMatchObject({
    kind: 'answered',
    body: { kind: 'none' },
  });
});

it('unpacks what was packed, and never more than is allowed', async () => {
  world = await calledServers();
  const text = 'abc '.repeat(1000);
  for (const [encoding, bytes] of [
    ['gzip', gzipSync(text)],
    ['br', brotliCompressSync(text)],
    ['gzip, br', brotliCompressSync(gzipSync(text))],
  ] as const) {
    world.server.script(() => answer(200, bytes, { 'content-encoding': encoding, 'content-type': 'text/plain' }));
    expect(await send()).toMatchObject({ kind: 'answered', body: { text }, bytes: text.length });
    world.server.script(() =>
      answer(200, bytes.subarray(0, -5), { 'content-encoding': encoding, 'content-type': 'text/plain' }),
    );
    expect(await send()).toMatchObject({ kind: 'unknown', status: 200 });
  }
  world.server.script(() => gzipBomb(64 * 1024 * 1024));
  expect(await send()).toMatchObject({ kind: 'too_long', status: 200, problem: { code: 'LIMIT_EXCEEDED' } });
  expect(await send(post(`${api}/v1`))).toMatchObject({
    kind: 'too_long',
    status: 200,
    problem: { code: 'LIMIT_EXCEEDED' },
  });
  world.server.script(() => answer(201, 'x'.repeat(101)));
  expect(await send(get(api), oneTry, { limits: { answerBytes: 100 } })).toMatchObject({
    kind: 'too_long',
    status: 201,
    problem: {
      message: expect.stringContaining('longer than 100 bytes') as string,
      action: expect.stringContaining('`limits.answerBytes`') as string,
    },
  });
  expect(await send(get(api), oneTry, { limits: { answerBytes: 101 } })).toMatchObject({ kind: 'answered' });
});

it('gives up on an endless answer long before it has it', async () => {
  world = await calledServers();
  const piece = 'x'.repeat(64 * 1024);
  world.server.script(() =>
    chunkedAnswer(
      200,
      Array.from({ length: 2000 }, () => piece),
      { 'content-type': 'text/plain' },
    ),
  );
  const before = process.memoryUsage().arrayBuffers;
  expect(await send()).toMatchObject({ kind: 'too_long', problem: { code: 'LIMIT_EXCEEDED' } });
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(4000 * piece.length);
});

const methods = ['GET', 'POST', 'PUT', 'DELETE'] as const;
const requestOf = (method: string) => ({
  ...(method === 'GET' ? get(`${api}/v1/a?b=c`) : post(`${api}/v1/a?b=c`)),
  method,
});

it('never says «not sent» once the server has seen a request line, nor «answered» before the last byte', async () => {
  world = await calledServers();
  const whole = [answer(200, { a: 'b'.repeat(40) }), chunkedAnswer(201, ['ab', 'cde', 'f']), answer(503, 'later')];
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...methods),
      fc.constantFrom(...whole),
      fc.oneof(fc.constant(undefined), fc.nat(400)),
      fc.oneof(fc.constant(undefined), fc.nat(200)),
      fc.constantFrom('end' as const, 'reset' as const),
      async (method, scripted, breakAt, cut, then) => {
        const { lines, seen } = world.server;
        const [linesBefore, seenBefore] = [lines(), seen.length];
        world.server.breakAt(breakAt, then);
        const isCut = cut !== undefined && cut < scripted.bytes.length;
        world.server.script(() => ({ ...scripted, ...(isCut ? { cut, then } : {}) }));
        const outcome = await send(requestOf(method));
        const sawLine = lines() > linesBefore;
        const sawAll = seen.length > seenBefore;
        if (outcome.kind === 'not_sent') expect([sawLine, sawAll]).toEqual([false, false]);
        if (outcome.kind === 'answered') expect([sawAll, isCut]).toEqual([true, false]);
        if (sawAll && !isCut) expect(outcome.kind).toBe('answered');
      },
    ),
    { numRuns: 600 },
  );
});

it('says «answered» for each whole answer, whatever bytes it comes in, and for no part of it', async () => {
  world = await calledServers();
  for (const scripted of [answer(200, { a: 1 }), chunkedAnswer(200, ['ab', 'c'])]) {
    world.server.script(() => ({ ...scripted, slow: true }));
    expect(await send(post(api))).toMatchObject({ kind: 'answered' });
    for (let cut = 0; cut < scripted.bytes.length; cut += 1)
      for (const then of ['end', 'reset'] as const) {
        world.server.script(() => ({ ...scripted, cut, then }));
        expect([cut, then, (await send(post(api))).kind]).toEqual([cut, then, 'unknown']);
      }
  }
});

it('knows that nothing was sent: no name, no listener, no TLS, no certificate that is trusted', async () => {
  world = await calledServers();
  const tls = createTlsServer(selfSigned('localhost'), () => {
    throw new Error('nobody may come so far');
  });
  tls.on('tlsClientError', () => undefined).listen(0, '127.0.0.1');
  await once(tls, 'listening');
  const noTls = createServer((socket) => socket.on('error', () => undefined).end('HTTP/1.1 400 no TLS here\r\n\r\n'));
  noTls.listen(0, '127.0.0.1');
  await once(noTls, 'listening');
  const [port, noTlsPort] = [tls, noTls].map((server) => (server.address() as AddressInfo).port);
  const calls = openCalls({
    clock: testClock(),
    secrets: { read: () => ({ ok: true, value: 'none is asked for' }), all: () => [] },
    resolve: (host) =>
      host === 'localhost'
        ? Promise.resolve(['127.0.0.1'])
        : Promise.reject(Object.assign(new Error('x'), { code: 'ENOTFOUND' })),
  });
  const cases = [
    ['https://nobody.example.com/', 'COMMAND_UNAVAILABLE', 3],
    ['http://127.0.0.1:1/', 'COMMAND_UNAVAILABLE', 3],
    [`https://127.0.0.1:${world.server.port}/`, 'COMMAND_UNAVAILABLE', 3],
    [`https://127.0.0.1:${noTlsPort}/`, 'COMMAND_FAILED', 1],
    [`https://localhost:${port}/`, 'COMMAND_FAILED', 1],
    ['http://10.1.2.3/', 'ADDRESS_REFUSED', 1],
  ] as const;
  try {
    world.server.breakAt(1, 'end');
    for (const [url, code, tries] of cases)
      for (const method of methods) {
        const request = { ...(method === 'GET' ? get(url) : post(url)), method };
        const outcome = await calls.of(settings({ allow: ['127.0.0.1'] })).send(request);
        expect([url, method, outcome]).toMatchObject([url, method, { kind: 'not_sent', tries, problem: { code } }]);
      }
  } finally {
    await calls.close();
    tls.close();
    noTls.close();
  }
});

it('is told of a start before the first byte, oneTry, and writes nothing where that aborts', async () => {
  world = await calledServers();
  const { Client } = await import('undici');
  const order: string[] = [];
  const client = new Client(world.server.origin);
  const run = (isAborted: boolean) =>
    new Promise<void>((done) => {
      client.dispatch(
        { path: '/', method: 'POST', body: 'x' },
        {
          onRequestStart: (controller) => {
            order.push(`start after ${world.server.lines()}`);
            if (isAborted) controller.abort(new Error('no'));
          },
          onResponseStart: () => void order.push('answer'),
          onResponseEnd: () => done(),
          onResponseError: () => done(),
        },
      );
    });
  await run(true);
  await new Promise((next) => setImmediate(next));
  expect([order, world.server.lines()]).toEqual([['start after 0'], 0]);
  await run(false);
  expect(order).toEqual(['start after 0', 'start after 0', 'answer']);
  expect(world.server.lines()).toBe(1);
  await client.destroy();
});

it('ends a call whose time is over, or that nobody wants any more', async () => {
  world = await calledServers({ script: () => ({ bytes: Buffer.alloc(0), then: 'hang' }) });
  for (const [method, code] of [
    ['GET', 'COMMAND_UNAVAILABLE'],
    ['POST', 'OUTCOME_UNKNOWN'],
  ] as const) {
    const seen = world.server.seen.length;
    const under = send(requestOf(method), {});
    await until(() => world.server.seen.length > seen);
    world.clock.endTries();
    expect(await under).toMatchObject({
      kind: 'unknown',
      tries: 1,
      problem: { code, message: expect.stringContaining('30 s') },
    });
    const stop = new AbortController();
    const stopped = send(requestOf(method), { signal: stop.signal });
    await until(() => world.server.seen.length > seen + 1);
    stop.abort();
    expect(await stopped).toMatchObject({ kind: 'unknown', tries: 1 });
  }
  const gone = AbortSignal.abort();
  const lines = world.server.lines();
  expect(await send(post(api), { signal: gone })).toMatchObject({ kind: 'not_sent', problem: { code: 'CANCELED' } });
  expect(world.server.lines()).toBe(lines);
});

it('sends nothing any more of a call that was told as not sent', async () => {
  let connectNow = (): void => undefined;
  const { connect } = await import('node:net');
  for (const method of methods) {
    world = await calledServers({
      dial: (_addresses, _options, connected) => {
        const socket = connect(world.server.port, '127.0.0.1');
        connectNow = () => connected(null, socket);
        socket.once('connect', () => void (isThere = true));
        return socket;
      },
    });
    let isThere = false as boolean;
    const under = send(requestOf(method));
    await until(() => isThere);
    world.clock.endTries();
    expect(await under).toMatchObject({ kind: 'not_sent', problem: { code: 'COMMAND_UNAVAILABLE' } });
    connectNow();
    for (let turn = 0; turn < 50; turn += 1) await new Promise((next) => setImmediate(next));
    expect(world.server.lines()).toBe(0);
    if (method !== 'DELETE') await world.close();
  }
});

it('tries reads again, and writes only where nothing was done', async () => {
  world = await calledServers();
  const triesOf = async (
    method: string,
    status: number,
    headers: Record<string, string> = {},
    options: object = {},
  ) => {
    world.server.script(() => answer(status, '', headers));
    const outcome = await send(requestOf(method), options);
    return outcome.kind === 'answered' ? outcome.tries : 0;
  };
  for (const status of [429, 502, 503, 504]) {
    expect(await triesOf('GET', status)).toBe(3);
    expect(await triesOf('POST', status)).toBe(1);
    expect(await triesOf('GET', status, {}, { retries: { max: 4, on: [status] } })).toBe(5);
    expect(await triesOf('GET', status, {}, { retries: { max: 4, on: [418] } })).toBe(1);
    expect(await triesOf('PUT', status, {}, { repeatable: true })).toBe(3);
    expect(await triesOf('POST', status, { 'retry-after': '1' })).toBe(status === 429 || status === 503 ? 3 : 1);
  }
  for (const status of [200, 201, 400, 401, 404, 409, 500]) expect(await triesOf('GET', status)).toBe(1);
  world.server.script(() => ({ bytes: Buffer.alloc(0), then: 'reset' }));
  expect(await send(requestOf('GET'), {})).toMatchObject({ kind: 'unknown', tries: 3 });
  expect(await send(requestOf('POST'), {})).toMatchObject({ kind: 'unknown', tries: 1 });
  await world.close();
  world = await calledServers({ resolve: () => Promise.reject(Object.assign(new Error('x'), { code: 'EAI_AGAIN' })) });
  expect(await send(requestOf('POST'), {})).toMatchObject({ kind: 'not_sent', tries: 3, problem: { retryable: true } });
  expect(world.clock.pauses).toEqual([500, 1000]);
});

it('waits as long as the server asks, and tells where that is too long', async () => {
  world = await calledServers();
  const waits = async (headers: Record<string, string>, options: object = {}) => {
    world.server.script(() => answer(429, '', headers));
    const from = world.clock.pauses.length;
    const outcome = await send(get(api), options);
    return [world.clock.pauses.slice(from), outcome.kind === 'answered' ? outcome.retryAfterMs : 'lost'];
  };
  expect(await waits({ 'retry-after': '7' })).toEqual([[7000, 7000], 7000]);
  const date = new Date(world.clock.now() + 5000).toUTCString();
  expect((await waits({ 'retry-after': date }))[0]).toEqual([5000, 0]);
  expect(await waits({ 'retry-after': '61' })).toEqual([[], 61_000]);
  expect(await waits({ 'retry-after': '61' }, { retries: { max: 1, upToMs: 120_000 } })).toEqual([[61_000], 61_000]);
  expect(await waits({ 'ratelimit-reset': '3' })).toEqual([[3000, 3000], 3000]);
  expect(await waits({ ratelimit: '"default";r=0;t=4' })).toEqual([[4000, 4000], 4000]);
  const reset = String(Math.ceil(world.clock.now() / 1000) + 3600);
  expect((await waits({ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset }))[0]).toEqual([]);
  expect((await waits({ 'retry-after': 'soon' }))[0]).toEqual([500, 1000]);
});

it('begins nothing any more of a call that is unwanted, wherever it waits, and waits for what is under way', async () => {
  const { connect } = await import('node:net');
  const stops = (): readonly [AbortController, { readonly unsent: AbortSignal }] => {
    const stop = new AbortController();
    return [stop, { unsent: stop.signal }];
  };
  const notSent = { kind: 'not_sent', tries: 1, problem: { code: 'CANCELED' } };
  // In the pause after a server could not be reached.
  const [stop, unsent] = stops();
  let dials = 0;
  world = await calledServers({
    dial: (_addresses, _options, connected) => {
      dials += 1;
      stop.abort();
      const socket = connect(world.server.port, '127.0.0.1');
      socket.destroy();
      connected(Object.assign(new Error('x'), { code: 'ECONNREFUSED' }), null);
      return socket;
    },
  });
  expect(await send(post(api), unsent)).toMatchObject(notSent);
  expect(dials).toBe(1);
  // Before the first byte of it.
  expect(await send(post(api), unsent)).toMatchObject(notSent);
  expect(dials).toBe(1);
  await world.close();
  // While the connection is made.
  const [late, whileLate] = stops();
  world = await calledServers({
    dial: () => {
      late.abort();
      return connect(world.server.port, '127.0.0.1');
    },
  });
  expect(await send(post(api), whileLate)).toMatchObject(notSent);
  await world.close();
  // While others are under way, and while it is under way itself.
  const waiting: (() => void)[] = [];
  world = await calledServers({
    script: async () => {
      await new Promise<void>((go) => void waiting.push(go));
      return answer(200);
    },
  });
  const [stopAll, whileOthers] = stops();
  const under = Array.from({ length: limits.callsAtOnce }, () => send(post(api), whileOthers));
  await until(() => waiting.length === limits.callsAtOnce);
  const next = send(post(api), whileOthers);
  stopAll.abort();
  expect(await next).toMatchObject(notSent);
  for (const go of waiting) go();
  for (const one of await Promise.all(under)) expect(one).toMatchObject({ kind: 'answered', status: 200 });
  expect(world.server.seen).toHaveLength(limits.callsAtOnce);
});

it('tells no time below nothing, where the clock is set back while it waits', async () => {
  world = await calledServers({
    script: () => {
      world.clock.move(-3_600_000);
      return answer(200);
    },
  });
  expect(await send(post(api), { withinMs: 60_000 })).toMatchObject({ kind: 'answered', ms: 0 });
});

it('has four calls to one origin under way, and no more', async () => {
  let inside = 0;
  let most = 0;
  const waiting: (() => void)[] = [];
  world = await calledServers({
    script: async () => {
      inside += 1;
      most = Math.max(most, inside);
      await new Promise<void>((go) => void waiting.push(go));
      inside -= 1;
      return answer(200);
    },
  });
  const under = Array.from({ length: 12 }, (_, at) => send(at % 2 === 0 ? get(`${api}/${at}`) : post(`${api}/${at}`)));
  const elsewhere = send(get('https://other.example.com/'));
  for (let done = 0; done < 13; done += 1) {
    await until(() => waiting.length > 0);
    if (done === 0) await until(() => waiting.length === 5);
    waiting.shift()!();
  }
  for (const outcome of await Promise.all([...under, elsewhere])) expect(outcome.kind).toBe('answered');
  expect(most).toBe(limits.callsAtOnce + 1);
});

it('keeps connections of reads, and gives each write its own', async () => {
  world = await calledServers();
  for (let round = 0; round < 5; round += 1) expect(await send()).toMatchObject({ kind: 'answered' });
  expect(world.server.connections()).toBeLessThan(5);
  const before = world.server.connections();
  for (let round = 0; round < 5; round += 1) expect(await send(post(api))).toMatchObject({ kind: 'answered' });
  expect(world.server.connections()).toBe(before + 5);
});

it('sends forms and files, and reads files only through who opens them', async () => {
  const asked: string[] = [];
  world = await calledServers({
    script: echo,
    openFile: ({ file }) => {
      asked.push(file);
      const bytes = Buffer.from(`bytes of ${file}`);
      return Promise.resolve(
        file === 'gone'
          ? { ok: false, error: { code: 'PRECONDITION_FAILED', message: 'gone', action: 'Look.', retryable: false } }
          : ok({ chunks: Readable.from([bytes]), ...(file === 'unsized' ? {} : { size: bytes.length }) }),
      );
    },
  });
  const sent = async (body: BuiltBody, type: string) => {
    const outcome = await send({ method: 'POST', url: api, headers: [['content-type', type]], body });
    return outcome.kind === 'answered' && outcome.body.kind === 'json'
      ? (outcome.body.value as { body: string; headers: Record<string, string> })
      : outcome;
  };
  expect(await sent({ kind: 'file', file: { file: 'a.bin' } }, 'application/octet-stream')).toMatchObject({
    body: 'bytes of a.bin',
    headers: { 'content-length': '14' },
  });
  expect(await sent({ kind: 'file', file: { file: 'unsized' } }, 'application/octet-stream')).toMatchObject({
    body: 'bytes of unsized',
    headers: { 'transfer-encoding': 'chunked' },
  });
  expect(await sent({ kind: 'file', file: { file: 'gone' } }, 'text/plain')).toMatchObject({
    kind: 'not_sent',
    problem: { message: 'gone' },
  });
  const form = await sent(
    {
      kind: 'multipart',
      parts: [
        { name: 'a"\r\nx: y', text: 'één' },
        { name: 'b', file: { file: 'dir/b.png', type: 'image/png' } },
        { name: 'c', text: '{}', type: 'application/json' },
      ],
    },
    'multipart/form-data; boundary=mine',
  );
  if (!('headers' in form) || typeof form.body !== 'string') throw new Error('not answered');
  const [, boundary = ''] =
    /^multipart\/form-data; boundary=(workrail-[0-9a-f]{36})$/u.exec(form.headers['content-type'] ?? '') ?? [];
  expect(form.body.split(`--${boundary}`)).toEqual([
    '',
    '\r\ncontent-disposition: form-data; name="a%22%0D%0Ax: y"\r\n\r\néén\r\n',
    '\r\ncontent-disposition: form-data; name="b"; filename="b.png"\r\ncontent-type: image/png\r\n\r\nbytes of dir/b.png\r\n',
    '\r\ncontent-disposition: form-data; name="c"\r\ncontent-type: application/json\r\n\r\n{}\r\n',
    '--\r\n',
  ]);
  expect(asked).toEqual(['a.bin', 'unsized', 'gone', 'dir/b.png']);
});

it.each([
  ['x-a', 'a\r\nx-b: c'],
  ['x-a', 'a\nb'],
  ['x-a', 'a\0b'],
  ['x-a', '漢'],
  ['x\r\na', 'b'],
  ['x a', 'b'],
  ['', 'b'],
  ['Host', 'evil.example'],
  ['content-length', '3'],
  ['Transfer-Encoding', 'chunked'],
  ['connection', 'upgrade'],
  ['expect', '100-continue'],
])('sends no header %j with %j', async (name, value) => {
  world = await calledServers();
  expect(await send(get(api, [[name, value]]))).toMatchObject({
    kind: 'not_sent',
    problem: { code: 'VALIDATION_ERROR' },
  });
  expect(await send(get(api), oneTry, { headers: { [name]: value } })).toMatchObject({ kind: 'not_sent' });
  expect(world.dialled).toEqual([]);
});

it('sends no method that means something to the connection', async () => {
  world = await calledServers();
  for (const method of ['CONNECT', 'TRACE', 'get', 'G\r\nET', ''])
    expect(await send({ ...get(api), method })).toMatchObject({
      kind: 'not_sent',
      problem: { code: 'VALIDATION_ERROR' },
    });
  expect(world.dialled).toEqual([]);
});

it('fetches a document, and tells why not', async () => {
  world = await calledServers();
  world.server.script(({ path }) =>
    path === '/old'
      ? { ...answer(301, '', { location: '/new.yaml' }) }
      : answer(200, 'openapi: 3.0.3\n', { 'content-type': 'application/yaml' }),
  );
  expect(await world.calls.fetchDocument(`${api}/old`)).toEqual({
    ok: true,
    value: { text: 'openapi: 3.0.3\n', url: `${api}/new.yaml`, contentType: 'application/yaml' },
  });
  world.server.script(() => answer(404));
  expect(await world.calls.fetchDocument(api)).toMatchObject({
    ok: false,
    error: { code: 'COMMAND_FAILED', message: expect.stringContaining('404') },
  });
  world.server.script(() => gzipBomb(limits.apiDocument + 1));
  expect(await world.calls.fetchDocument(api)).toMatchObject({ ok: false, error: { code: 'LIMIT_EXCEEDED' } });
  const seen = world.server.seen.length;
  world.server.script(() => ({ bytes: Buffer.alloc(0), then: 'hang' }));
  const under = world.calls.fetchDocument(api);
  await until(() => world.server.seen.length > seen);
  world.clock.endTries();
  expect(await under).toMatchObject({
    ok: false,
    error: { code: 'COMMAND_UNAVAILABLE', message: expect.stringContaining('20 s') },
  });
});

it('says nothing more once it is closed', async () => {
  world = await calledServers({ script: () => ({ bytes: Buffer.alloc(0), then: 'hang' }) });
  const under = [send(), send(post(api))];
  await until(() => world.server.seen.length === 2);
  await world.calls.close();
  for (const outcome of await Promise.all(under)) expect(outcome.kind).toBe('unknown');
  expect(await send()).toMatchObject({ kind: 'not_sent' });
});
