import { expect } from 'vitest';

const pieces = 16;
const rounds = 12;

/** Fails where `work` takes more than `times` as long as `baseline`, both in their best round: a busy machine only adds time. */
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

async function secondsOf(work: () => unknown): Promise<number> {
  const began = performance.now();
  await work();
  // A clock is only so fine; what takes no time at all is not infinitely faster than another.
  return Math.max(performance.now() - began, 0.1) / 1000;
}
