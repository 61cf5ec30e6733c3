import { expect } from 'vitest';

const pieces = 16;
const rounds = 12;

/** Fails where `work` takes more than `times` as long as `baseline`, both in their best round. */
export async function expectTimeWithin(
  times: number,
  work: () => unknown,
  baseline: () => unknown,
  about?: string,
): Promise<void> {
  let [taken, least] = [Infinity, Infinity];
  // The first round is of a cold engine and says nothing alone.
  for (let round = 0; round < rounds && (round < 2 || taken > times * least); round += 1) {
    least = Math.min(least, await secondsOf(baseline));
    taken = Math.min(taken, await secondsOf(work));
  }
  expect(taken / least, about).toBeLessThanOrEqual(times);
}

/** Fails where one whole takes much longer than as many small ones as make it up: sixteen times, where time grows with the square. */
export async function expectTimeInStep(work: (size: number) => unknown, size: number, about?: string): Promise<void> {
  const small = Math.ceil(size / pieces);
  await expectTimeWithin(
    5,
    () => work(small * pieces),
    () => {
      for (let piece = 0; piece < pieces; piece += 1) work(small);
    },
    about,
  );
}

interface Cpu {
  readonly user: number;
  readonly system: number;
}
/** The page's tests are compiled without the types of Node. */
const { process } = globalThis as unknown as { readonly process: { readonly cpuUsage: (since?: Cpu) => Cpu } };

/** Of the processor, not of the clock: on a busy machine a short piece waits longer than it works. */
async function secondsOf(work: () => unknown): Promise<number> {
  const began = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(began);
  // What takes no time at all is not infinitely faster than another.
  return Math.max(user + system, 100) / 1e6;
}
