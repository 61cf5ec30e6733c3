import type { Parameters } from 'fast-check';

const factor = Math.max(1, Math.trunc(Number(process.env['LAWS_RUNS'] ?? '1')) || 1);
const seed = Number(process.env['LAWS_SEED'] ?? '') || undefined;

/** How often a law is tried: LAWS_RUNS=20 makes it a long run, LAWS_SEED=… repeats the one whose seed was printed. */
export function runs<T>(count: number, besides: Parameters<T> = {}): Parameters<T> {
  // Shrinking ends before the test's own time does, or nobody would see what was found.
  return {
    numRuns: count * factor,
    interruptAfterTimeLimit: 40_000 * factor,
    // A report of many tests keeps the message and drops the cause.
    includeErrorInReport: true,
    ...(seed !== undefined && { seed }),
    ...besides,
  };
}

/** Room for a long run: the usual time a test may take, as many times as it is repeated. */
export const patience = 60_000 * factor;
