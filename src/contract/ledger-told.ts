import { z } from 'zod';
import type { ReadonlyOutput } from '../base/readonly-output.js';
import { count, text, texts } from './described.js';

/** The rounds of a loop, one line each: all of them, however many. Where there are many the lines are shorter. */
export const ledgerTold = z.strictObject({
  loop: text('Path of the loop'),
  title: text('Its title'),
  done: count('How many rounds are done'),
  rounds: count('How many there will be; absent if unknown').exactOptional(),
  lines: texts('One line per round: its number, name, state and result'),
});
export type LedgerTold = ReadonlyOutput<typeof ledgerTold>;
