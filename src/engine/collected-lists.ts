import { byteLength } from '../base/byte-budget.js';
import { grown } from '../base/grown-list.js';
import type { JsonObject, JsonValue } from '../base/json-value.js';
import { limits } from '../base/limits.js';
import { own } from '../base/own.js';
import { patched } from '../base/patched.js';

type Lists = { readonly [key: string]: readonly JsonValue[] };

/** What loops collect on the way to the next step. */
export interface Collected {
  /** Lists that begin anew, with all that came to them since. */
  readonly anew: Lists;
  /** What came to lists that were there. */
  readonly added: Lists;
}

/** The lists of loops while a way is searched. */
export class CollectedLists {
  private readonly anew = new Map<string, readonly JsonValue[]>();
  private readonly added = new Map<string, readonly JsonValue[]>();

  constructor(private readonly before: JsonObject) {}

  /** A context with the lists as they are now. */
  over(context: JsonObject): JsonObject {
    const keys = [...this.anew.keys(), ...this.added.keys()];
    return keys.length === 0 ? context : patched(context, Object.fromEntries(keys.map((key) => [key, this.list(key)])));
  }

  begin(key: string): void {
    const list = this.anew.get(key) ?? own(this.before, key);
    if (Array.isArray(list) && list.length === 0 && !this.added.has(key)) return;
    this.added.delete(key);
    this.anew.set(key, []);
  }

  /** How many bytes too many the list would take; where it is none, the value has come to it. */
  add(key: string, value: JsonValue): number {
    const over = byteLength(JSON.stringify([...this.list(key), value])) - limits.collected;
    if (over > 0) return over;
    const lists = this.anew.has(key) ? this.anew : this.added;
    lists.set(key, [...(lists.get(key) ?? []), value]);
    return 0;
  }

  told(): Collected {
    return { anew: Object.fromEntries(this.anew), added: Object.fromEntries(this.added) };
  }

  private list(key: string): readonly JsonValue[] {
    return this.anew.get(key) ?? grown(own(this.before, key), this.added.get(key) ?? []);
  }
}
