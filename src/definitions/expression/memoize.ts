import { limits } from '../../base/limits.js';

/** The same function with a bounded memory of its answers: for pure work that is dear and asked for again and again. */
export function memoize<T>(make: (key: string) => T): (key: string) => T {
  const kept = new Map<string, T>();
  return (key) => {
    const known = kept.get(key);
    if (known !== undefined) return known;
    const made = make(key);
    // Insertion order is age; dropping the oldest keeps the bound without bookkeeping on every hit.
    if (kept.size >= limits.remembered) kept.delete(kept.keys().next().value!);
    kept.set(key, made);
    return made;
  };
}
