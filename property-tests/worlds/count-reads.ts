/**
 * The same value with every look into it counted: each member that is read, and each entry of a map or list that is met
 * on the way through one. A copy of a thousand members counts a thousand.
 */
export function countReads<T extends object>(of: T, count: (reads: number) => void): T {
  const known = new WeakMap<object, object>();
  const counted = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    const before = known.get(value);
    if (before !== undefined) return before;
    const made = value instanceof Map ? countedMap(value, count, counted) : countedObject(value, count, counted);
    known.set(value, made);
    return made;
  };
  return counted(of) as T;
}

type Counted = (value: unknown) => unknown;

function countedObject(value: object, count: (reads: number) => void, counted: Counted): object {
  // Behind an empty target: what is frozen could not be shown otherwise than it is.
  return new Proxy(Array.isArray(value) ? [] : {}, {
    get: (_, name) => {
      count(1);
      const member: unknown = Reflect.get(value, name);
      return counted(member);
    },
    has: (_, name) => Reflect.has(value, name),
    getPrototypeOf: () => Reflect.getPrototypeOf(value),
    ownKeys: () => {
      const keys = Reflect.ownKeys(value);
      count(keys.length);
      return keys;
    },
    getOwnPropertyDescriptor: (_, name) => {
      const found = Reflect.getOwnPropertyDescriptor(value, name);
      if (found === undefined || (Array.isArray(value) && name === 'length')) return found;
      return { value: counted(found.value), enumerable: found.enumerable ?? false, configurable: true };
    },
  });
}

function countedMap(map: Map<unknown, unknown>, count: (reads: number) => void, counted: Counted): object {
  function* entries(): Generator<[unknown, unknown]> {
    for (const [key, value] of map) {
      count(1);
      yield [key, counted(value)];
    }
  }
  const looks = {
    get: (key: unknown): unknown => {
      count(1);
      return counted(map.get(key));
    },
    has: (key: unknown): boolean => {
      count(1);
      return map.has(key);
    },
    entries,
    keys: () => [...entries()].map(([key]) => key).values(),
    values: () => [...entries()].map(([, value]) => value).values(),
    [Symbol.iterator]: entries,
    get size(): number {
      return map.size;
    },
  };
  return new Proxy(map, {
    get: (_, name): unknown => {
      if (!(name in looks)) throw new Error(`nobody has said how ${String(name)} of a map is counted`);
      return looks[name as keyof typeof looks];
    },
  });
}
