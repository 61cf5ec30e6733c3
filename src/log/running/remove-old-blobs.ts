import { lstatSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { limits } from '../../base/limits.js';
import { namesIn } from '../segments/session-folder.js';

/**
 * Makes room among blobs: those that are past their time go, and the oldest of the rest until the others fit. What a
 * process that was killed left unfinished counts as well, and goes in its turn.
 */
export function removeOldBlobs(folder: string, put: string, now: Date): void {
  const newestFirst = namesIn(folder)
    .filter((name) => name !== put)
    .flatMap((name) => {
      const stats = lstatSync(join(folder, name), { throwIfNoEntry: false });
      return stats === undefined ? [] : [{ name, size: stats.size, at: stats.mtimeMs }];
    })
    .toSorted((a, b) => b.at - a.at || (a.name < b.name ? -1 : 1));
  let left = limits.blobs - (lstatSync(join(folder, put), { throwIfNoEntry: false })?.size ?? 0);
  for (const { name, size, at } of newestFirst) {
    left -= size;
    if (left < 0 || now.getTime() - at > limits.blobsKeptMs) rmSync(join(folder, name), { force: true });
  }
}
