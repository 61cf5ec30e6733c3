import type { z } from 'zod';
import type { JsonValue } from './json-value.js';

/** What a schema gives, as data that nobody changes. */
export type ReadonlyOutput<S extends z.ZodType> = DeepReadonly<z.output<S>>;

// JSON of any form is read-only already, and has no end to go down to.
type DeepReadonly<T> = T extends readonly (infer E)[]
  ? JsonValue extends E
    ? readonly E[]
    : readonly DeepReadonly<E>[]
  : T extends object
    ? [string, JsonValue] extends [keyof T, T[keyof T]]
      ? T
      : { readonly [K in keyof T]: DeepReadonly<T[K]> }
    : T;
