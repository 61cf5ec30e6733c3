import path from 'node:path';
import lockfile from 'proper-lockfile';
import { limits } from '../base/limits.js';

/**
 * Does work on a folder that no other process does at the same time. Its holder may have died: then the lock is taken over
 * once it is stale, and whoever asks next waits for that.
 */
export async function underLock<T>(folder: string, work: () => T): Promise<T> {
  const release = await lockfile.lock(folder, {
    lockfilePath: path.join(folder, '.lock'),
    realpath: false,
    stale: limits.lockStaleMs,
    retries: { retries: waits, factor: 1, minTimeout: leastWaitMs, maxTimeout: 2 * leastWaitMs, randomize: true },
  });
  try {
    return work();
  } finally {
    await release();
  }
}

const leastWaitMs = 20;
/** Longer than a lock takes to become stale. */
const waits = Math.ceil((1.2 * limits.lockStaleMs) / leastWaitMs);
