/** Values by name. */
export type Named<V> = { readonly [name: string]: V };

/**
 * An object whose members are looked up one at a time, and all together only when somebody walks through them. It is an
 * object like any other to whoever reads it.
 */
export function lazyObject<V>(find: (name: string) => V | undefined, all: () => Named<V>): Named<V> {
  let whole: Named<V> | undefined;
  let found = 0;
  const member = (name: string | symbol): V | undefined => {
    if (typeof name === 'symbol') return undefined;
    // Whoever asks for so many asks for most of them: a walk through all is cheaper than that many looks.
    if ((found += 1) > manyLooks) whole ??= all();
    if (whole === undefined) return find(name);
    return Object.hasOwn(whole, name) ? whole[name] : undefined;
  };
  return new Proxy<Named<V>>(
    {},
    {
      get: (_, name) => member(name),
      has: (_, name) => member(name) !== undefined,
      ownKeys: () => Object.keys((whole ??= all())),
      getOwnPropertyDescriptor: (_, name) => {
        const value = member(name);
        return value === undefined ? undefined : { value, enumerable: true, configurable: true };
      },
    },
  );
}

const manyLooks = 128;
