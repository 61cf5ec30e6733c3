import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { limits } from '../base/limits.js';
import { rememberedLook } from './remembered-look.js';

let folder: string;
let looks = 0;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'look-'));
  looks = 0;
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const namesOf = (at: string): (() => string) =>
  rememberedLook([at], () => {
    looks += 1;
    return readdirSync(at).join();
  });
const settle = (): Promise<void> =>
  pause(lstatSync(folder).ctimeMs % 1000 === 0 ? limits.settledMs : 3 * limits.settledFineMs);

test('what was found is known until a name comes, goes or is replaced, whoever sets the times back', async () => {
  writeFileSync(join(folder, 'a'), 'x');
  const names = namesOf(folder);
  await settle();
  expect([names(), names(), names(), looks]).toEqual(['a', 'a', 'a', 1]);
  const { atime, mtime } = lstatSync(folder);
  symlinkSync('nowhere', join(folder, 'b'));
  utimesSync(folder, atime, mtime);
  expect([names(), looks]).toEqual(['a,b', 2]);
  await settle();
  names();
  renameSync(join(folder, 'b'), join(folder, 'a'));
  utimesSync(folder, atime, mtime);
  expect(names()).toBe('a');
  await settle();
  const before = looks;
  expect([names(), names(), looks]).toEqual(['a', 'a', before + 1]);
  // Another folder in the same place is another folder.
  const other = mkdtempSync(join(tmpdir(), 'look-'));
  writeFileSync(join(other, 'c'), 'x');
  renameSync(folder, `${folder}-old`);
  renameSync(other, folder);
  expect(names()).toBe('c');
  rmSync(`${folder}-old`, { recursive: true });
});

test('in a folder that has only just changed every look is taken anew', () => {
  for (let round = 0; round < 200; round += 1) {
    const at = join(folder, String(round));
    mkdirSync(at);
    const names = namesOf(at);
    expect(names()).toBe('');
    symlinkSync('nowhere', join(at, 'a'));
    expect(names()).toBe('a');
  }
});

test('what is not there is nothing, also below a file, and a look that throws is taken again', async () => {
  writeFileSync(join(folder, 'file'), 'x');
  expect(rememberedLook([join(folder, 'none')], () => 'asked')()).toBe('asked');
  expect(rememberedLook([join(folder, 'file', 'below')], () => 'asked')()).toBe('asked');
  await settle();
  let refuses = true;
  const once = rememberedLook([folder], () => {
    if (refuses) throw new Error('a fault that passes');
    return 'found';
  });
  expect(once).toThrow('a fault that passes');
  expect(once).toThrow('a fault that passes');
  refuses = false;
  expect(once()).toBe('found');
});
