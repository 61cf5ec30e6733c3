import { expect, test } from 'vitest';
import { expectTimeInStep } from './time-in-step.js';

const pairsIn = (size: number): number => {
  let sum = 0;
  for (let one = 0; one < size; one += 1) for (let other = 0; other < size; other += 1) sum += one ^ other;
  return sum;
};

test('what grows with the square is caught, and what grows with the size is not', async () => {
  await expect(expectTimeInStep(pairsIn, 3200)).rejects.toThrow('to be less than or equal');
  await expectTimeInStep((size) => 'a'.repeat(size).replaceAll('a', 'b'), 100_000);
});
