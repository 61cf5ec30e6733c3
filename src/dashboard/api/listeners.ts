/** Those who want to be told of something, until they say that they do not. */
export function listeners<Told extends readonly unknown[] = []>() {
  const all = new Set<(...told: Told) => void>();
  return {
    listen: (listener: (...told: Told) => void): (() => void) => {
      all.add(listener);
      return () => all.delete(listener);
    },
    tell: (...told: Told): void => {
      for (const listener of all) listener(...told);
    },
  };
}
