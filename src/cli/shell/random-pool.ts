import { randomBytes } from 'node:crypto';

const pooled = 1024;

/** Asking the system for six random bytes costs as much as for a thousand. What is as long as a secret is drawn by itself. */
export function randomPool(): (count: number) => Uint8Array {
  let pool: Uint8Array = new Uint8Array(0);
  return (count) => {
    if (count >= 32) return randomBytes(count);
    if (pool.length < count) pool = randomBytes(pooled);
    // A copy: what has been handed out is nobody's to read again.
    const drawn = Uint8Array.from(pool.subarray(0, count));
    pool.fill(0, 0, count);
    pool = pool.subarray(count);
    return drawn;
  };
}
