/** The value that so large a share of the numbers does not exceed. */
export function quantile(numbers, share) {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

/** Between the two in the middle, where there are two. */
export function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b);
  return (sorted[Math.ceil(sorted.length / 2) - 1] + sorted[Math.floor(sorted.length / 2)]) / 2;
}

export const mean = (numbers) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length;

export async function timed(work) {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
}

/** Milliseconds of each of `count` turns. */
export async function timesOf(count, turn) {
  const times = [];
  for (let at = 0; at < count; at += 1) times.push(await timed(() => turn(at)));
  return times;
}

export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
