import { lazyObject, type Named } from './lazy-object.js';

/** An object as it is with a patch laid over it, in which null takes a member out. Neither is copied. */
export function patched<V>(object: Named<V>, patch: Named<V | null>): Named<V> {
  return lazyObject(
    (name) =>
      Object.hasOwn(patch, name) ? (patch[name] ?? undefined) : Object.hasOwn(object, name) ? object[name] : undefined,
    () => {
      const all = new Map(Object.entries(object));
      for (const [name, value] of Object.entries(patch)) {
        if (value === null) all.delete(name);
        else all.set(name, value);
      }
      return Object.fromEntries(all);
    },
  );
}
