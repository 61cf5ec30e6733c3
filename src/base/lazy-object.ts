import { own } from './own.js';

/** Values by name. */
export type Named<V> = { readonly [name: string]: V };

/**
 * An object whose members are looked up one at a time, each once, and all together only when somebody walks through them
 * or asks for many. It is an object like any other to whoever reads it.
 */
export function lazyObject<V>(find: (name: string) => V | undefined, all: () => Named<V>): Named<V> {
  const found = new Map<string, V | undefined>();
  let whole: Named<V> | undefined;
  const member = (name: string | symbol): V | undefined => {
    if (typeof name === 'symbol') return undefined;
    if (whole === undefined && found.size > manyMembers) whole = all();
    if (whole !== undefined) return own(whole, name);
    if (!found.has(name)) found.set(name, find(name));
    return found.get(name);
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

/** Whoever asks for so many asks for most of them: one walk through all is cheaper than as many looks. */
const manyMembers = 64;
