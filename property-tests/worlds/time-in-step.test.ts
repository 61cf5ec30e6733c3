import { expect, test } from 'vitest';
import { expectTimeInStep } from './time-in-step.js';

const pairsIn = (size: number): number => {
  let sum = 0;
  for (let one = 0; one < size; one += 1) for (let other = 0; other < size; other += 1) sum += one ^ other;
  return sum;
};

const sumOf = (size: number): number => {
  let sum = 0;
  for (let one = 0; one < size; one += 1) sum += one ^ 5;
  return sum;
};

test('what grows with the square is caught, and what grows with the size is not', async () => {
  await expect(expectTimeInStep(pairsIn, 3200)).rejects.toThrow('to be less than or equal');
  // Milliseconds of nothing but work: a shorter one is over before a busy machine lets it run undisturbed.
  await expectTimeInStep(sumOf, 10_000_000);
});
