import { lazyObject, type Named } from './lazy-object.js';
import { own } from './own.js';

/** An object as it is with a patch laid over it, in which null takes a member out. Neither is copied. */
export function patched<V>(object: Named<V>, patch: Named<V | null>): Named<V> {
  return lazyObject(
    (name) => (Object.hasOwn(patch, name) ? (patch[name] ?? undefined) : own(object, name)),
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
