import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { limits } from '../base/limits.js';
import { type Keys, openKeys } from './keys.js';

let folder: string;
let warnings: string[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'log-keys-'));
  warnings = [];
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const config = (): string => join(folder, 'config', 'workrail');
const open = (): Keys =>
  openKeys(
    config(),
    (count) => randomBytes(count),
    (line) => warnings.push(line),
  );

test('a key is made when it is first needed, readable by its owner only', () => {
  const keys = open();
  expect(existsSync(config())).toBe(false);
  const key = keys.current();
  expect(key.id).toMatch(/^k_[0-9a-f]{8}$/u);
  expect(key.secret).toHaveLength(32);
  expect(statSync(join(config(), 'keys.json')).mode & 0o777).toBe(0o600);
  expect(readdirSync(config())).toEqual(['keys.json']);
  expect(keys.saved).toBe(true);
  expect(open().current()).toEqual(key);
});

test('whoever loses the race reads the key of the winner', () => {
  const [a, b] = [open(), open()];
  // Both have looked and found no file; the second to write must not replace what the first may have used.
  const drawLate = (count: number): Uint8Array => {
    a.current();
    return randomBytes(count);
  };
  const raced = openKeys(config(), drawLate, () => undefined);
  expect(raced.current()).toEqual(a.current());
  expect(b.current()).toEqual(a.current());
  expect(raced.all()).toHaveLength(1);
});

test('rotation keeps the keys before it, a bounded number, and other processes notice', () => {
  const [a, b] = [open(), open()];
  const first = b.current();
  const second = a.rotate();
  expect(b.current()).toEqual(second);
  expect(b.all()).toEqual([second, first]);
  for (let i = 0; i < limits.keysKept + 2; i += 1) a.rotate();
  expect(b.all()).toHaveLength(limits.keysKept);
  expect(statSync(join(config(), 'keys.json')).mode & 0o777).toBe(0o600);
});

test('where nothing can be written a key is kept in memory, with one warning', () => {
  writeFileSync(join(folder, 'config'), 'a file in the way');
  const keys = open();
  const key = keys.current();
  expect(keys.current()).toBe(key);
  expect(keys.saved).toBe(false);
  const rotated = keys.rotate();
  expect(keys.all()).toEqual([rotated, key]);
  expect(warnings).toHaveLength(1);
});

test('a broken file is named and left as it is', () => {
  mkdirSync(config(), { recursive: true });
  const file = join(config(), 'keys.json');
  for (const text of ['{"keys":', '{}', '{"keys":["short"]}', '']) {
    warnings = [];
    writeFileSync(file, text);
    const keys = open();
    expect(keys.current().secret).toHaveLength(32);
    expect(keys.saved).toBe(false);
    expect(warnings.join()).toContain(file);
    expect(readFileSync(file, 'utf8')).toBe(text);
  }
  chmodSync(file, 0o600);
});

test.runIf(process.platform === 'linux')(
  'keys that are there and cannot be read just now are a fault, and no reason for a key of another name',
  () => {
    const key = open().current();
    const file = join(config(), 'keys.json');
    const text = readFileSync(file);
    // Reading it gives EIO.
    const fail = (): void => {
      rmSync(file);
      symlinkSync('/proc/self/mem', file);
    };
    const known = open();
    known.current();
    fail();
    const keys = open();
    expect(() => keys.current()).toThrow(expect.objectContaining({ code: 'EIO' }));
    // Who has them already goes on with them.
    expect(known.current()).toEqual(key);
    rmSync(file);
    writeFileSync(file, text);
    expect(keys.current()).toEqual(key);
    expect(warnings).toEqual([]);
  },
);
