import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readSecrets, secretsOf } from './read-secrets.js';
import { listSecrets, removeSecret, setSecret } from './write-secrets.js';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'workrail-secrets-'));
  file = path.join(folder, 'config', 'secrets.json');
});
afterEach(() => rmSync(folder, { recursive: true }));

const origin = 'https://api.example.com';
const token = { catalog: 'shop', origin, name: 'TOKEN' };
const value = 'the-value-of-it';

it('keeps secrets in a file that is the person’s alone', async () => {
  expect(listSecrets(file)).toEqual({ ok: true, value: [] });
  expect(await setSecret(file, { ...token, origin: `${origin}/v1?a=b` }, { value })).toEqual({
    ok: true,
    value: token,
  });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(await setSecret(file, { ...token, catalog: 'other' }, { env: 'OTHER' })).toMatchObject({ ok: true });
  expect(secretsOf(file, {}).read(token)).toEqual({ ok: true, value });
  expect(secretsOf(file, { OTHER: 'from-there' }).read({ ...token, catalog: 'other' })).toEqual({
    ok: true,
    value: 'from-there',
  });
  const listed = listSecrets(file);
  expect(listed).toEqual({ ok: true, value: [token, { ...token, catalog: 'other', env: 'OTHER' }] });
  expect(JSON.stringify(listed)).not.toContain(value);
  expect(await setSecret(file, token, { value: 'another-value' })).toMatchObject({ ok: true });
  expect(secretsOf(file, {}).read(token)).toEqual({ ok: true, value: 'another-value' });
  expect(await removeSecret(file, token)).toEqual({ ok: true, value: true });
  expect(await removeSecret(file, token)).toEqual({ ok: true, value: false });
  expect(secretsOf(file, {}).read(token)).toMatchObject({ ok: false });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(path.dirname(file))).toEqual(['secrets.json']);
});

it('loses none of those that are set at once', async () => {
  const names = Array.from({ length: 20 }, (_, at) => `NAME_${at}`);
  await Promise.all(names.map((name) => setSecret(file, { ...token, name }, { value: `value of ${name}` })));
  const source = secretsOf(file, {});
  for (const name of names) expect(source.read({ ...token, name })).toEqual({ ok: true, value: `value of ${name}` });
});

it.each([0o640, 0o604, 0o660, 0o622, 0o610, 0o777])(
  'refuses a file that others may use (%o), with the cure',
  async (mode) => {
    await setSecret(file, token, { value });
    chmodSync(file, mode);
    const refused = { ok: false, error: { code: 'PRECONDITION_FAILED', action: `Run: chmod 600 ${file}` } };
    expect(secretsOf(file, {}).read(token)).toMatchObject(refused);
    expect(listSecrets(file)).toMatchObject(refused);
    expect(await setSecret(file, token, { value: 'another' })).toMatchObject(refused);
    expect(statSync(file).mode & 0o777).toBe(mode);
    chmodSync(file, 0o400);
    expect(secretsOf(file, {}).read(token)).toMatchObject({ ok: true });
  },
);

it('gives a secret to its catalog and its origin alone, and says what to do', async () => {
  await setSecret(file, token, { value });
  const { read } = secretsOf(file, {});
  const elsewhere = read({ ...token, origin: 'https://evil.example' });
  expect(elsewhere).toMatchObject({
    ok: false,
    error: {
      message: 'The secret TOKEN of the catalog shop is for https://api.example.com, and not for https://evil.example.',
      action: expect.stringContaining('Ask the user'),
    },
  });
  for (const asked of [
    { ...token, catalog: 'shop2' },
    { ...token, name: 'token' },
    { ...token, origin: `${origin}:444` },
    { ...token, origin: 'http://api.example.com' },
  ])
    expect(read(asked)).toMatchObject({ ok: false, error: { code: 'PRECONDITION_FAILED' } });
  expect(JSON.stringify(elsewhere)).not.toContain(value);
});

it('tells which variable is not set', async () => {
  await setSecret(file, token, { env: 'SHOP_TOKEN' });
  for (const env of [{}, { SHOP_TOKEN: '' }])
    expect(secretsOf(file, env).read(token)).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining('SHOP_TOKEN') },
    });
  expect(secretsOf(file, { SHOP_TOKEN: 'abc' }).read(token)).toMatchObject({
    ok: false,
    error: { message: expect.stringContaining('fewer than 4') },
  });
});

it.each([
  '',
  'not json, but the-value-of-it',
  '[]',
  '{"secrets": {}}',
  '{"secrets": [{"catalog": "shop", "origin": "https://api.example.com", "name": "A"}]}',
  '{"secrets": [{"catalog": "shop", "origin": "https://api.example.com", "name": "A", "value": "v", "env": "V"}]}',
  '{"secrets": [{"catalog": "shop", "origin": "https://api.example.com/v1", "name": "A", "value": "the-value-of-it"}]}',
  '{"secrets": [{"catalog": "shop", "origin": "ftp://api.example.com", "name": "A", "value": "the-value-of-it"}]}',
  '{"secrets": [{"catalog": "shop", "origin": "https://api.example.com", "name": "a b", "value": "the-value-of-it"}]}',
])('refuses a file that does not hold secrets as it should, and tells nothing of it: %s', async (text) => {
  await setSecret(file, token, { value });
  writeFileSync(file, text);
  const read = secretsOf(file, {}).read(token);
  expect(read).toMatchObject({ ok: false, error: { code: 'PRECONDITION_FAILED' } });
  expect(JSON.stringify(read)).not.toContain(value);
  expect(await setSecret(file, token, { value })).toMatchObject({ ok: false });
  expect(readFileSync(file, 'utf8')).toBe(text);
});

it('follows a link that the person made, and reads no folder', async () => {
  await setSecret(file, token, { value });
  const link = path.join(folder, 'link.json');
  symlinkSync(file, link);
  expect(secretsOf(link, {}).read(token)).toMatchObject({ ok: true });
  expect(readSecrets(folder)).toMatchObject({ ok: false, error: { code: 'PRECONDITION_FAILED' } });
});

it.each([
  [{ ...token, name: '1A' }, { value }],
  [{ ...token, name: 'a-b' }, { value }],
  [{ ...token, catalog: '' }, { value }],
  [{ ...token, origin: 'api.example.com' }, { value }],
  [{ ...token, origin: 'file:///a' }, { value }],
  [token, { value: 'abc' }],
  [token, { env: 'A B' }],
])('sets no secret %# that could not be read again', async (asked, held) => {
  expect(await setSecret(file, asked, held)).toMatchObject({ ok: false, error: { code: 'VALIDATION_ERROR' } });
  expect(listSecrets(file)).toEqual({ ok: true, value: [] });
});
