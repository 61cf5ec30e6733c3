import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { limits } from '../../base/limits.js';
import { thisProcess } from '../../files/this-process.js';
import type { Place } from '../port/session-ref.js';
import { fileRunning } from './file-running.js';

let place: Place;
let marks = 0;
let now = new Date(2026, 0, 2);
const running = fileRunning(
  () => `m${(marks += 1)}`,
  () => now,
);
beforeEach(() => {
  place = { kind: 'given', name: mkdtempSync(join(tmpdir(), 'running-')) };
});
afterEach(() => rmSync(place.name, { recursive: true, force: true }));
const claims = (name: string): string => join(place.name, 'local', 'running', 'claims', name);

it('gives a claim to one of many who want it at once', async () => {
  const taken = await Promise.all(Array.from({ length: 20 }, () => running.take(place, 'run_1')));
  expect(taken.filter((claim) => claim !== undefined)).toEqual([{ name: 'run_1', fence: 1 }]);
});

it('takes over from a process that is gone, not from one that is stopped, and tells the late one', async () => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)'], { stdio: 'ignore' });
  await once(child, 'spawn');
  mkdirSync(claims('run_1'), { recursive: true });
  const { host } = thisProcess();
  writeFileSync(join(claims('run_1'), '1'), JSON.stringify({ host, pid: child.pid }));
  const late = { name: 'run_1', fence: 1 };
  child.kill('SIGSTOP');
  expect(await running.take(place, 'run_1')).toBeUndefined();
  expect(await running.check(place, late)).toBe(true);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(await running.take(place, 'run_1')).toEqual({ name: 'run_1', fence: 2 });
  expect(await running.check(place, late)).toBe(false);
});

it('takes a claim again that the disk did not let it let go of', async () => {
  const claim = (await running.take(place, 'run_1'))!;
  renameSync(claims('run_1'), claims('away'));
  writeFileSync(claims('run_1'), 'no folder');
  await expect(running.letGo(place, claim)).rejects.toThrow('run_1');
  rmSync(claims('run_1'));
  renameSync(claims('away'), claims('run_1'));
  // Another part of this process, which had no such fault, knows nothing of it.
  expect(
    await fileRunning(
      () => 'other',
      () => new Date(),
    ).take(place, 'run_1'),
  ).toBeUndefined();
  expect(await running.take(place, 'run_1')).toEqual({ name: 'run_1', fence: 2 });
  expect(await running.take(place, 'run_1')).toBeUndefined();
});

it('takes a process of the same number that began at another time for another', async () => {
  mkdirSync(claims('run_1'), { recursive: true });
  writeFileSync(join(claims('run_1'), '1'), JSON.stringify({ ...thisProcess(), started: '1' }));
  expect(await running.take(place, 'run_1')).toEqual(
    thisProcess().started === undefined ? undefined : { name: 'run_1', fence: 2 },
  );
});

it('leaves a claim alone whose holder cannot be read, or is on another machine', async () => {
  for (const [name, text] of [
    ['unreadable', '{"pid":'],
    ['elsewhere', JSON.stringify({ host: 'another.example', pid: 1 })],
  ] as const) {
    mkdirSync(claims(name), { recursive: true });
    writeFileSync(join(claims(name), '1'), text);
    expect(await running.take(place, name)).toBeUndefined();
  }
});

it('keeps few numbers of a claim, however often it is taken', async () => {
  for (let fence = 1; fence <= 20; fence += 1) {
    const claim = (await running.take(place, 'run_1', 'ses_1'))!;
    expect(claim.fence).toBe(fence);
    running.note(place, 'run_1', `note ${fence}`);
    await running.letGo(place, claim);
  }
  expect(readdirSync(claims('run_1')).toSorted()).toEqual(
    ['18', '18.over', '19', '19.over', '20', '20.over', 'note'].toSorted(),
  );
});

it('gives no number to who looked long ago, when others have had it and more', async () => {
  const others = JSON.stringify(thisProcess());
  const late = fileRunning(
    () => {
      // Between its look and its file, others took four, and removed the first.
      for (const fence of [2, 3, 4]) writeFileSync(join(claims('run_1'), String(fence)), others);
      return 'late';
    },
    () => now,
  );
  mkdirSync(claims('run_1'), { recursive: true });
  expect(await late.take(place, 'run_1')).toBeUndefined();
  expect(await running.check(place, { name: 'run_1', fence: 1 })).toBe(false);
  expect(await running.check(place, { name: 'run_1', fence: 4 })).toBe(true);
});

it('forgets what nobody holds, and nothing else', async () => {
  const held = (await running.take(place, 'run_1', 'ses_1'))!;
  await running.letGo(place, (await running.take(place, 'run_2', 'ses_2'))!);
  running.note(place, 'run_2.in', 'ses_2');
  const names = (): ReadonlyMap<string, unknown> =>
    new Map(running.claimed(place).map(({ name, of, noted }) => [name, [of, noted]]));
  expect(names()).toEqual(
    new Map([
      ['run_2', ['ses_2', undefined]],
      ['run_2.in', [undefined, 'ses_2']],
    ]),
  );
  for (const name of ['run_1', 'run_2', 'run_2.in', 'run_3']) running.forget(place, name);
  expect(names()).toEqual(new Map());
  expect(await running.check(place, held)).toBe(true);
  await running.letGo(place, { name: 'run_2', fence: 1 });
  expect(await running.take(place, 'run_2')).toEqual({ name: 'run_2', fence: 1 });
});

it('lets go in the place of who is not seen from here, and of nobody else', async () => {
  const mine = (await running.take(place, 'mine'))!;
  await running.letGoFor(place, 'mine');
  expect(await running.check(place, mine)).toBe(true);
  mkdirSync(claims('theirs'), { recursive: true });
  writeFileSync(join(claims('theirs'), '1'), JSON.stringify({ host: 'another.example', pid: 1, since: 'long ago' }));
  expect(running.holder(place, 'theirs')).toEqual({ host: 'another.example', since: 'long ago', isSeen: false });
  await running.letGoFor(place, 'theirs');
  expect(running.holder(place, 'theirs')).toBeUndefined();
  expect(await running.check(place, { name: 'theirs', fence: 1 })).toBe(false);
  expect(await running.take(place, 'theirs')).toEqual({ name: 'theirs', fence: 2 });
  expect(running.holder(place, 'theirs')).toMatchObject({ host: thisProcess().host, isSeen: true });
});

it('refuses names that are paths, and a link in the place of its folder', async () => {
  for (const name of ['../up', 'a/b', '.hidden', ''])
    await expect(running.take(place, name)).rejects.toThrow('cannot name');
  mkdirSync(join(place.name, 'local'));
  symlinkSync(tmpdir(), join(place.name, 'local', 'running'));
  await expect(running.putBlob(place, Buffer.from('x'))).rejects.toThrow('symbolic link');
});

it('gives back no blob whose bytes have changed, and keeps it anew', async () => {
  const digest = await running.putBlob(place, Buffer.from('bytes'));
  writeFileSync(join(place.name, 'local', 'running', 'blobs', digest), 'other');
  expect(await running.blob(place, digest)).toBeUndefined();
  expect(await running.putBlob(place, Buffer.from('bytes'))).toBe(digest);
  expect((await running.blob(place, digest))?.toString()).toBe('bytes');
});

it('keeps as many blobs as fit, the newest, and none past its time; one that is put again is new', async () => {
  const third = limits.blobs / 3;
  const put = (fill: string): Promise<string> => {
    now = new Date(now.getTime() + 1000);
    return running.putBlob(place, Buffer.alloc(third, fill));
  };
  const [a, b, c] = [await put('a'), await put('b'), await put('c')];
  await put('a');
  const d = await put('d');
  const left = async (): Promise<readonly boolean[]> =>
    Promise.all([a, b, c, d].map(async (digest) => (await running.blob(place, digest)) !== undefined));
  expect(await left()).toEqual([true, false, true, true]);
  now = new Date(now.getTime() + limits.blobsKeptMs);
  const e = await running.putBlob(place, Buffer.from('e'));
  // All but the newest are more than their time old.
  expect(await left()).toEqual([false, false, false, true]);
  const whole = await running.putBlob(place, Buffer.alloc(limits.blobs + 1));
  expect([await running.blob(place, e), (await running.blob(place, whole))?.length]).toEqual([
    undefined,
    limits.blobs + 1,
  ]);
});

it('a note takes the place of the one before, whatever their lengths are', () => {
  for (const text of ['one', 'two', 'x'.repeat(1000), 'y'.repeat(1000), 'three']) {
    running.note(place, 'run_noted', text);
    expect(running.noted(place, 'run_noted')).toBe(text);
  }
});
