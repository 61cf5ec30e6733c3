import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

/** A file system in memory, of a size of its own, that can be made larger and read-only. */
export function openSmallDisk(folder, size) {
  const mountPoint = join(folder, 'disk');
  mkdirSync(mountPoint, { recursive: true });
  const mount = (...words) => execFileSync('mount', words, { stdio: ['ignore', 'ignore', 'pipe'] });
  mount('-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', mountPoint);
  return {
    mountPoint,
    remount: (with_) => mount('-o', `remount,${with_}`, mountPoint),
    close: () => {
      for (let tries = 0; tries < 60 && spawnSync('umount', [mountPoint]).status !== 0; tries += 1)
        spawnSync('sleep', ['0.05']);
    },
  };
}
