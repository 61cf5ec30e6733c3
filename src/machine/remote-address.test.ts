import fc from 'fast-check';
import { expect, test } from 'vitest';
import { remoteAddress } from './remote-address.js';

test.each([
  ['https://user:secret@host/a/b.git', 'https://host/a/b.git'],
  ['https://ghp_token@host/a', 'https://host/a'],
  ['https://host/a?token=secret#x', 'https://host/a'],
  ['HTTPS://Host.example:443/a%20b', 'https://host.example/a%20b'],
  ['https://dev.example/Über/x', 'https://dev.example/%C3%9Cber/x'],
  ['https://host', 'https://host/'],
  ['git@host.example:a/b.git', 'git@host.example:a/b.git'],
  ['git@work:a/b.git', 'git@work:a/b.git'],
  ['token@host.example:a/b.git', 'host.example:a/b.git'],
  ['host.example:a/b.git?secret', 'host.example:a/b.git'],
  ['host.example:/srv/~ann/b.git', 'host.example:/srv/~ann/b.git'],
  ['ssh://git:pass@host:22/a', 'ssh://host:22/a'],
  ['ssh://ann@[2001:db8::1]:2222/~/a', 'ssh://[2001:db8::1]:2222/~/a'],
  ['git://host.example/a', 'git://host.example/a'],
  ['ftps://ann:secret@host.example/a', 'ftps://host.example/a'],
])('%s is recorded as %s', (address, remote) => {
  expect(remoteAddress(address)).toBe(remote);
});

test.each([
  'gcrypt::https://ann:secret@host.example/a',
  'hg::https://secret@host.example/a',
  'codecommit::eu-west-1://secret@thing',
  'codecommit://secret@thing',
  'ext::ssh -i secret ann@host %S a',
  'fd::17/secret',
  'oauth2:secret@host.example/x',
  'https:ann:secret@host.example/x',
  'https:secret/x',
  'ann:secret@host.example:a/b.git',
  'https://ann:sec/ret@host.example/x',
  'https://ann/secret@host.example/x',
  'https://ann:12?secret@host.example/x',
  'https://ann#secret@host.example/x',
  'https://ann:sec@ret@host.example/x',
  'https://ann:sec@host.example@secret/x',
  'https://host.example/x%3Ftoken%3Dsecret',
  'https://host.example/x%253Ftoken%253Dsecret',
  'https://host.example/x;token=secret',
  'https://host.example\\@secret/x',
  'https://host.example/x secret',
  'https://host.example/x\tsecret',
  's3://secret:key@bucket/x',
  'file:///u/me/a',
  '/u/me/a',
  '../a',
  'C:\\u\\me\\a',
  'C:/u/me/a',
  '\\\\server\\share\\a',
  '',
])('%s is of no kind that is known: nothing is recorded', (address) => {
  expect(remoteAddress(address)).toBeUndefined();
});

test('nothing of what stands before the host or behind the path is ever recorded', () => {
  const secret = fc
    .string({ unit: fc.constantFrom('Q', 'Z', 'X', 'J', '0', '1', '7', '9'), minLength: 6, maxLength: 12 })
    .map((text) => `Q${text}Q`);
  const mark = fc.constantFrom(':', '/', '@', '?', '#', '%', '\\', ' ', '=', '%40', '%2F', '.', '-', '::', '://', '');
  const login = fc.array(fc.tuple(fc.oneof(secret, fc.constantFrom('ann', 'oauth2', 'git', '12')), mark), {
    minLength: 1,
    maxLength: 4,
  });
  const before = fc.constantFrom(
    '',
    'https://',
    'http://',
    'ssh://',
    'git://',
    'git+ssh://',
    'ftp://',
    'HTTPS://',
    'https:',
    'ssh:',
    'gcrypt::https://',
    'hg::',
    'hg::https://',
    'ext::',
    'codecommit::eu-west-1://',
    'codecommit://',
    's3://',
    'file://',
    '//',
    'https:///',
    'rad://',
  );
  const host = fc.constantFrom('host.example', 'host', 'host.example:2222', '[2001:db8::1]', 'h.example:');
  const path = fc.constantFrom('/team/thing.git', ':team/thing.git', ':/srv/thing', '/~ann/x', '');
  const behind = fc.oneof(
    fc.constant(''),
    fc.tuple(fc.constantFrom('?', '#', '?token=', ';', '%3F', '@', '#/'), secret).map((parts) => parts.join('')),
  );
  let recorded = 0;
  fc.assert(
    fc.property(before, login, host, path, behind, (start, userinfo, at, rest, end) => {
      const address = `${start}${userinfo.flat().join('')}@${at}${rest}${end}`;
      const remote = remoteAddress(address);
      if (remote !== undefined) recorded += 1;
      expect(remote ?? '', address).not.toMatch(/Q[QZXJ0-9]{6,}Q/iu);
      expect(remote?.replace(/^git@/u, '') ?? '', address).not.toMatch(/ann@|oauth2|[?#\s\\]/u);
    }),
    { numRuns: 5_000 },
  );
  expect(recorded).toBeGreaterThan(100);
});
