import { z } from 'zod';

/** A text of one form, under its own type. */
export const branded = <T extends string>(pattern: RegExp): z.ZodType<T> =>
  z.custom<T>((value) => typeof value === 'string' && pattern.test(value), `expected ${pattern.source}`);
