import { afterEach, expect, it, vi } from 'vitest';
import { calledServers, type CalledServers, get, post, settings, api } from '../../worlds/called-servers.js';
import { answer, redirect } from '../../worlds/scripted-server.js';

let world: CalledServers;
afterEach(() => world.close());

const octal =
  '0177.0.0.1 0177.0.0.01 00177.00000.0000.00001 017700000001 0177.1 0177.0.1 0251.0376.0251.0376 012.0.0.1';
const hex =
  '0x7f.0.0.1 0x7f.0x0.0x0.0x1 0x7f000001 0X7F000001 0x7f.1 0x7f.0.1 0x00000000007f000001 0xa9fea9fe 0xa9.0xfe.0xa9.0xfe 0xa.1 0xc0a80001 0xac.0x10.1';
const decimal = '2130706433 2852039166 167772161 3232235521 2886729729 0 1 4294967295 3758096385 1681915906';
const short = '127.1 127.0.1 10.1 10.0.1 169.254.43518 192.168.1 172.16.1 127.65535 0.0 0.0.0';
const mixed = '0x7f.0.0.01 127.0x0.0.1 0177.0.0.0x1 0251.254.169.254 169.254.0xa9fe 0xa9.254.0251.254';
const plain =
  '127.0.0.1 127.0.0.2 127.1.2.3 127.255.255.254 10.0.0.1 10.255.255.255 172.16.0.1 172.31.255.254 192.168.0.1 192.168.255.254 169.254.169.254 169.254.170.2 100.64.0.1 100.100.100.200 0.0.0.0 0.1.2.3 192.0.0.192 192.0.2.1 198.18.0.1 198.51.100.1 203.0.113.1 224.0.0.1 239.255.255.250 240.0.0.1 255.255.255.255 168.63.129.16 192.88.99.1';
const v6 =
  '[::1] [::] [0:0:0:0:0:0:0:1] [0000:0000:0000:0000:0000:0000:0000:0001] [::ffff:127.0.0.1] [::ffff:7f00:1] [0:0:0:0:0:ffff:127.0.0.1] [::ffff:a9fe:a9fe] [::ffff:169.254.169.254] [::ffff:10.0.0.1] [::127.0.0.1] [::7f00:1] [::ffff:0:7f00:1] [::ffff:0:127.0.0.1] [64:ff9b::127.0.0.1] [64:ff9b::7f00:1] [64:ff9b::a9fe:a9fe] [64:ff9b:1::1] [2002:7f00:1::] [2002:a9fe:a9fe::1] [2002:0a00:0001::] [2001::1] [2001:0:7f00:1::] [2001:db8::1] [2001:10::1] [2001:20::1] [fe80::1] [fe80::a9fe:a9fe] [febf::1] [fc00::1] [fd00::1] [fd00:ec2::254] [fec0::1] [ff02::1] [ff05::1:3] [100::1] [3fff::1] [5f00::1] [4000::1] [::2] [2620:4f:8000::1]';
const signs = [
  '１２７.０.０.１',
  '１２７。０。０。１',
  '①②⑦.⓪.⓪.①',
  '127。0。0。1',
  '127．0．0．1',
  '127｡0｡0｡1',
  '127.0.0.1.',
  '2130706433.',
  '0x7f.1.',
  '%31%32%37.0.0.1',
  '127%2e0%2e0%2e1',
  '%30x7f.1',
  '1\u00ad27.0.0.1',
  '127.0.0.1\t',
  '127\n.0.0.1',
  '𝟏𝟐𝟕.𝟎.𝟎.𝟏',
  '¹²⁷.⁰.⁰.¹',
  '⓵⓶⓻.0.0.1',
];
const hosts = [octal, hex, decimal, short, mixed, plain, v6].flatMap((list) => list.split(' ')).concat(signs);

const urls = [
  ...hosts.map((host) => `https://${host}/`),
  ...hosts.slice(0, 40).map((host) => `http://${host}:8080/latest/meta-data/`),
  'http:127.0.0.1/',
  'http:/127.0.0.1/',
  'http:////127.0.0.1/',
  String.raw`http:\\127.0.0.1\a`,
  '  http://127.0.0.1/',
  'HTTP://127.0.0.1',
  'hTTps://[::1]',
  'http://127.0.0.1?@api.example.com/',
  'http://127.0.0.1#@api.example.com/',
  String.raw`https://127.0.0.1\@api.example.com/`,
  'https://api.example.com@127.0.0.1/',
  'https://user:pw@api.example.com/',
  'https://user@api.example.com/',
  'https://:pw@api.example.com/',
  'file:///etc/passwd',
  'ftp://127.0.0.1/',
  'gopher://127.0.0.1:6379/_',
  'data:text/plain,hi',
  'javascript:1',
  'ws://127.0.0.1/',
  'blob:https://a/b',
  'unix:/var/run/docker.sock',
  'dict://127.0.0.1:11211/',
  'ldap://127.0.0.1/',
  'about:blank',
  'jar:http://127.0.0.1!/',
  'https://[fe80::1%25eth0]/',
  'https://[fe80::1%eth0]/',
  'https://[::1',
  'https://256.256.256.256/',
  'https://1.2.3.4.5/',
  'https://',
  '//127.0.0.1/',
  '/etc',
  '',
  'https://0x100000000/',
  'https://127.0.0.1:99999/',
  'https://a b/',
  ...[
    'localhost',
    'LOCALHOST',
    'localhost.',
    'a.localhost',
    'inner.example',
    'metadata.google.internal',
    'localtest.me',
    '127.0.0.1.nip.io',
    'ⓛocalhost',
  ].map((name) => `https://${name}/`),
];

const inner = ['127.0.0.1'];
const names = {
  localhost: inner,
  'localhost.': ['::1', '127.0.0.1'],
  'a.localhost': inner,
  'inner.example': ['10.1.2.3'],
  'metadata.google.internal': ['169.254.169.254'],
  'localtest.me': inner,
  '127.0.0.1.nip.io': inner,
};

it(`dials none of ${urls.length} addresses that are not public`, async () => {
  world = await calledServers({ names });
  expect(urls.length).toBeGreaterThan(150);
  for (const url of urls) {
    for (const request of [get(url), post(url)]) {
      const outcome = await world.calls.of(settings()).send(request);
      expect([url, outcome.kind, outcome.kind === 'not_sent' && outcome.problem.code]).toEqual([
        url,
        'not_sent',
        'ADDRESS_REFUSED',
      ]);
    }
    expect(await world.calls.fetchDocument(url)).toMatchObject({ ok: false, error: { code: 'ADDRESS_REFUSED' } });
    const asBase = await world.calls.of(settings({ baseUrl: url })).send(get(url));
    expect(asBase.kind).toBe('not_sent');
  }
  expect(world.dialled).toEqual([]);
  expect(world.server.connections()).toBe(0);
});

it('dials public addresses: the test above would see it', async () => {
  world = await calledServers({ names });
  for (const url of [
    'https://8.8.8.8/',
    'https://0x08080808/',
    'http://[2606:4700:4700::1111]:81/',
    'https://api.example.com/',
  ])
    expect(await world.calls.of(settings()).send(get(url))).toMatchObject({ kind: 'answered', status: 200 });
  expect(world.dialled.map(({ addresses }) => addresses[0])).toEqual([
    '8.8.8.8',
    '8.8.8.8',
    '2606:4700:4700::1111',
    '93.184.216.34',
  ]);
});

it('refuses a name of which one address is not public', async () => {
  world = await calledServers({
    names: { 'both.example': ['93.184.216.34', '10.0.0.1'], 'none.example': [], 'odd.example': ['nonsense'] },
  });
  for (const host of ['both', 'odd'])
    expect(await world.calls.of(settings()).send(get(`https://${host}.example/`))).toMatchObject({
      kind: 'not_sent',
      problem: { code: 'ADDRESS_REFUSED' },
    });
  expect(await world.calls.of(settings()).send(get('https://none.example/'))).toMatchObject({
    kind: 'not_sent',
    problem: { code: 'COMMAND_UNAVAILABLE' },
  });
  expect(world.dialled).toEqual([]);
});

it('connects to what it looked at, however often the name changes where it leads', async () => {
  let asked = 0;
  world = await calledServers({
    resolve: () => Promise.resolve([(asked += 1) % 2 === 1 ? '93.184.216.34' : '127.0.0.1']),
  });
  const rounds = 1000;
  let answered = 0;
  for (let round = 0; round < rounds; round += 1) {
    const outcome = await world.calls.of(settings()).send(post(`${api}/v1`), { retries: { max: 0 } });
    if (outcome.kind === 'answered') answered += 1;
    else expect(outcome).toMatchObject({ kind: 'not_sent', problem: { code: 'ADDRESS_REFUSED' } });
  }
  expect(asked).toBe(rounds);
  expect(answered).toBe(rounds / 2);
  expect(new Set(world.dialled.flatMap(({ addresses }) => addresses))).toEqual(new Set(['93.184.216.34']));
  expect(world.server.connections()).toBe(rounds / 2);
});

const inwards = [
  'https://127.0.0.1/',
  'http://127.0.0.1/',
  '//127.0.0.1/',
  'https://[::1]/',
  'https://2130706433/',
  'https://0x7f.1/',
  'https://169.254.169.254/latest/',
  'https://inner.example/',
  'https://localhost/',
  'https://[::ffff:10.0.0.1]/',
  encodeURI('https://１２７.０.０.１/'),
  'https://user:pw@api.example.com/',
  'file:///etc/passwd',
  'ftp://api.example.com/',
  'http://api.example.com/',
  'gopher://x/',
  'https://api.example.com:x/',
  'data:,a',
];

it.each([301, 302, 303, 307, 308])('follows no %i that leads inwards', async (status) => {
  world = await calledServers({ names });
  for (const location of inwards) {
    world.server.script(() => redirect(status, location));
    const before = world.dialled.length;
    const outcome = await world.calls.of(settings()).send(get(`${api}/v1/a`));
    expect([location, outcome.kind, outcome.kind === 'unknown' && outcome.problem.code]).toEqual([
      location,
      'unknown',
      'ADDRESS_REFUSED',
    ]);
    expect(await world.calls.fetchDocument(`${api}/openapi.json`)).toMatchObject({
      ok: false,
      error: { code: 'ADDRESS_REFUSED' },
    });
    expect(world.dialled.slice(before).every(({ addresses }) => addresses[0] === '93.184.216.34')).toBe(true);
  }
});

it('follows five redirects and not six, of reads and not of writes', async () => {
  world = await calledServers();
  const from = (path: string): number => Number(path.split('/').at(-1));
  world.server.script(({ path }) =>
    from(path) < 5 ? redirect(302, `/v1/${from(path) + 1}`) : answer(200, { at: path }),
  );
  const calls = world.calls.of(settings());
  expect(await calls.send(get(`${api}/v1/0`))).toMatchObject({
    kind: 'answered',
    url: `${api}/v1/5`,
    body: { value: { at: '/v1/5' } },
  });
  expect(await calls.send(get(`${api}/v1/-1`))).toMatchObject({ kind: 'unknown', problem: { code: 'COMMAND_FAILED' } });
  expect(await calls.send(post(`${api}/v1/0`))).toMatchObject({
    kind: 'answered',
    status: 302,
    headers: { location: '/v1/1' },
  });
  expect(world.server.seen.filter(({ method }) => method === 'POST')).toHaveLength(1);
});

it('calls without encryption what is public where nobody shows who they are, and what is listed', async () => {
  world = await calledServers();
  const plainUrl = 'http://api.example.com/v1';
  const plain = settings({ baseUrl: plainUrl });
  expect(await world.calls.of(plain).send(get(plainUrl))).toMatchObject({ kind: 'answered' });
  const auth = { kind: 'bearer', token: 'abcdefgh' } as const;
  const refused = await world.calls.of({ ...plain, auth }).send(get(plainUrl));
  expect(refused).toMatchObject({
    kind: 'not_sent',
    problem: { code: 'ADDRESS_REFUSED', action: expect.stringContaining('https') },
  });
  for (const header of ['authorization', 'cookie', 'x-api-key'])
    expect(await world.calls.of(plain).send(get(plainUrl, [[header, 'abc']]))).toMatchObject({ kind: 'not_sent' });
  expect(await world.calls.of({ ...plain, auth, allow: ['api.example.com:80'] }).send(get(plainUrl))).toMatchObject({
    kind: 'answered',
  });
  expect(world.server.seen).toHaveLength(2);
});

it('really connects on loopback where that is listed, by name and by number', async () => {
  world = await calledServers();
  const { openCalls } = await import('../../../src/calls/open-calls.js');
  const real = openCalls({
    secrets: {
      read: () => {
        throw new Error('none is asked for');
      },
      all: () => [],
    },
  });
  const { origin, port } = world.server;
  try {
    expect(await real.of(settings()).send(get(origin))).toMatchObject({
      kind: 'not_sent',
      problem: { code: 'ADDRESS_REFUSED' },
    });
    expect(await real.of(settings()).send(get(`http://localhost:${port}/`))).toMatchObject({
      kind: 'not_sent',
      problem: { code: 'ADDRESS_REFUSED' },
    });
    expect(world.server.connections()).toBe(0);
    const listed = real.of(settings({ allow: ['127.0.0.1', `localhost:${port}`] }));
    expect(await listed.send(get(origin))).toMatchObject({ kind: 'answered', status: 200 });
    expect(await listed.send(get(`http://localhost:${port}/`))).toMatchObject({ kind: 'answered', status: 200 });
    expect(await listed.send(post(`http://2130706433:${port}/`))).toMatchObject({ kind: 'answered', status: 200 });
    expect(await real.fetchDocument(`${origin}/a.json`, { allow: ['127.0.0.0/8'] })).toMatchObject({ ok: true });
  } finally {
    await real.close();
  }
});

it('asks no proxy that the environment names', async () => {
  world = await calledServers();
  for (const name of ['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy', 'ALL_PROXY'])
    vi.stubEnv(name, 'http://127.0.0.1:1');
  try {
    expect(await world.calls.of(settings()).send(get(api))).toMatchObject({ kind: 'answered' });
    expect(world.dialled.map(({ host }) => host)).toEqual(['api.example.com']);
  } finally {
    vi.unstubAllEnvs();
  }
});
