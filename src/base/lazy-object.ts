import { own } from './own.js';

/** Values by name. */
export type Named<V> = { readonly [name: string]: V };

/**
 * An object whose members are looked up one at a time, each once, and all together only when somebody walks through them
 * or asks for many. It is an object like any other to whoever reads it.
 */
export function lazyObject<V>(find: (name: string) => V | undefined, all: () => Named<V>): Named<V> {
  return new Proxy<Named<V>>({}, new LookedUp(find, all));
}

/** A step makes a dozen of these and reads few members, so nothing is made before it is read. */
class LookedUp<V> implements ProxyHandler<Named<V>> {
  private found: Map<string, V | undefined> | undefined;
  private whole: Named<V> | undefined;

  constructor(
    private readonly find: (name: string) => V | undefined,
    private readonly all: () => Named<V>,
  ) {}

  get(_: Named<V>, name: string | symbol): V | undefined {
    if (typeof name === 'symbol') return undefined;
    if (this.whole === undefined && this.found !== undefined && this.found.size > manyMembers) this.whole = this.all();
    if (this.whole !== undefined) return own(this.whole, name);
    const found = (this.found ??= new Map<string, V | undefined>());
    if (!found.has(name)) found.set(name, this.find(name));
    return found.get(name);
  }

  has(target: Named<V>, name: string | symbol): boolean {
    return this.get(target, name) !== undefined;
  }

  ownKeys(): string[] {
    return Object.keys((this.whole ??= this.all()));
  }

  getOwnPropertyDescriptor(target: Named<V>, name: string | symbol): PropertyDescriptor | undefined {
    const value = this.get(target, name);
    return value === undefined ? undefined : { value, enumerable: true, configurable: true };
  }
}

/** Whoever asks for so many asks for most of them: one walk through all is cheaper than as many looks. */
const manyMembers = 64;
