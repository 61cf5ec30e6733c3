import type { z } from 'zod';
import { isJsonObject } from './json-value.js';

/**
 * What a schema makes of a value from outside. Zod measures whatever has a length, an object where a text belongs as
 * well, and falls over a length that cannot be compared; what is wrong with such a value is told by the rest of it.
 */
export function safeParse<S extends z.ZodType>(schema: S, value: unknown): z.ZodSafeParseResult<z.output<S>> {
  try {
    return schema.safeParse(value);
  } catch (cause) {
    const bare = schema.safeParse(withoutLengths(value));
    if (bare.success) throw cause;
    return bare;
  }
}

function withoutLengths(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutLengths);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => (key === 'length' ? [] : [[key, withoutLengths(inner)] as const])),
  );
}
