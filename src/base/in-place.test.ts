import { expect, expectTypeOf, test } from 'vitest';
import type { InPlace, Lasting } from './in-place.js';

interface Changing extends InPlace {
  count: number;
}

interface Kept {
  readonly name: string;
  readonly sizes: readonly number[];
  readonly byName: ReadonlyMap<string, { readonly size: number }>;
  readonly later: () => Promise<void>;
}

/** A type that is held back is no longer the one that was asked for; `npm run types` sees to it. */
test('a type that changes in place, or waits, is held back wherever it stands, and no other is', () => {
  expectTypeOf<Lasting<Kept>>().toEqualTypeOf<Kept>();
  expectTypeOf<Lasting<string | undefined>>().toEqualTypeOf<string | undefined>();
  expectTypeOf<Lasting<Changing>>().not.toEqualTypeOf<Changing>();
  expectTypeOf<Lasting<Changing | undefined>>().not.toEqualTypeOf<Changing | undefined>();
  expectTypeOf<Lasting<{ readonly at: { readonly of: Changing } }>>().not.toHaveProperty('at');
  expectTypeOf<Lasting<readonly Changing[]>>().not.toEqualTypeOf<readonly Changing[]>();
  expectTypeOf<Lasting<ReadonlyMap<string, Changing>>>().not.toEqualTypeOf<ReadonlyMap<string, Changing>>();
  // Whoever is handed the state and waits has it after the wait.
  expectTypeOf<Lasting<Promise<number>>>().not.toEqualTypeOf<Promise<number>>();
  expect(true).toBe(true);
});
