import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { hasEnded, isSeenHere, thisProcess } from './this-process.js';

const { host, boot = '' } = thisProcess();

it('is alive as long as it runs, whatever else had its number before', () => {
  expect(hasEnded(thisProcess())).toBe(false);
  expect(hasEnded({ ...thisProcess(), started: '1' })).toBe(process.platform === 'linux');
  expect(hasEnded({ ...thisProcess(), host: 'elsewhere' })).toBe(false);
});

it('is nobody’s to judge in another container, be the name of the machine the same', () => {
  const gone = { ...thisProcess(), pid: 2 ** 22 + 1 };
  const elsewhere = { ...gone, numbers: 'pid:[1]' };
  expect([hasEnded(gone), isSeenHere(gone)]).toEqual([true, true]);
  const isTold = thisProcess().numbers !== undefined;
  expect([hasEnded(elsewhere), isSeenHere(elsewhere)]).toEqual([!isTold, !isTold]);
  // What ran before the machine was started anew runs in no container of it.
  if (boot !== '') expect(hasEnded({ ...elsewhere, boot: 'before' })).toBe(true);
  // An older program did not say.
  const { host: at, pid, boot: of } = gone;
  expect(hasEnded({ host: at, pid, ...(of !== undefined && { boot: of }) })).toBe(true);
});

const canUnshare = process.platform === 'linux' && spawnSync('unshare', ['-rpf', 'true']).status === 0;
it.runIf(canUnshare)('has another count of numbers in a container', () => {
  const said = spawnSync('unshare', ['-rpf', '--mount-proc', 'readlink', '/proc/self/ns/pid'], { encoding: 'utf8' });
  expect(said.stdout.trim()).toMatch(/^pid:\[\d+\]$/u);
  expect(said.stdout.trim()).not.toBe(thisProcess().numbers);
});

it.runIf(process.platform === 'linux')('has ended where its parent has not taken leave of it', async () => {
  // The shell becomes a program that waits for nobody.
  const parent = spawn('sh', ['-c', 'sleep 0.05 & echo $!; exec sleep 30'], { stdio: ['ignore', 'pipe', 'ignore'] });
  try {
    const [said] = (await once(parent.stdout, 'data')) as [Buffer];
    const pid = Number(said.toString());
    for (let looks = 0; looks < 400 && !hasEnded({ host, boot, pid }); looks += 1) await pause(10);
    expect(() => process.kill(pid, 0)).not.toThrow();
    expect(hasEnded({ host, boot, pid })).toBe(true);
  } finally {
    parent.kill();
  }
});
