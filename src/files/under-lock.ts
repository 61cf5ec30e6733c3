import path from 'node:path';
import lockfile from 'proper-lockfile';
import { limits } from '../base/limits.js';

/** Does work on a folder that no other process does at the same time. Its holder may have died: then the lock is taken over. */
export async function underLock<T>(folder: string, work: () => T): Promise<T> {
  const release = await lockfile.lock(folder, {
    lockfilePath: path.join(folder, '.lock'),
    realpath: false,
    stale: limits.lockStaleMs,
    retries: { retries: 200, factor: 1, minTimeout: 10, maxTimeout: 40, randomize: true },
  });
  try {
    return work();
  } finally {
    await release();
  }
}
