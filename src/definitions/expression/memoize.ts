import { limits } from '../../base/limits.js';

/** The same function with a bounded memory of its answers: for pure work that is dear and asked for again and again. */
export function memoize<T>(make: (key: string) => T, weigh: (made: T) => number = () => 1): (key: string) => T {
  const kept = new Map<string, T>();
  let weight = 0;
  return (key) => {
    const known = kept.get(key);
    if (known !== undefined) return known;
    const made = make(key);
    // Insertion order is age; dropping the oldest keeps the bound without bookkeeping on every hit.
    weight += weigh(made);
    while (weight > limits.remembered && kept.size > 0) {
      const [oldest, one] = kept.entries().next().value!;
      kept.delete(oldest);
      weight -= weigh(one);
    }
    kept.set(key, made);
    return made;
  };
}
