import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { hasEnded, thisProcess } from './this-process.js';

const { host, boot = '' } = thisProcess();

it('is alive as long as it runs, whatever else had its number before', () => {
  expect(hasEnded(thisProcess())).toBe(false);
  expect(hasEnded({ ...thisProcess(), started: '1' })).toBe(process.platform === 'linux');
  expect(hasEnded({ ...thisProcess(), host: 'elsewhere' })).toBe(false);
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
