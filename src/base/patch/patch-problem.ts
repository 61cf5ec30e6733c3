import { shownJson } from '../canonical-json.js';
import { closestName } from '../closest-name.js';
import type { JsonObject, JsonValue } from '../json-value.js';
import { limits } from '../limits.js';
import { plural } from '../plural.js';
import { arrayIndex, isArray, type JsonPointer, memberAt, pointerTo, shownPointer } from './json-pointer.js';

/** Why a patch is refused. Nothing of it has been done. */
export interface PatchProblem {
  readonly rule:
    | 'shape'
    | 'not_there'
    | 'no_index'
    | 'nothing_inside'
    | 'whole_document'
    | 'into_itself'
    | 'test_failed'
    | 'too_large'
    | 'too_deep'
    | 'too_many'
    | 'too_much_work';
  /** Which operation, from 0; none where it is the patch as a whole. */
  readonly operation?: number;
  /** JSON pointer into the patch: `/3/path`. */
  readonly place: string;
  /** JSON pointer into the document. */
  readonly pointer: string;
  readonly message: string;
  readonly expected?: string;
  /** What is there. */
  readonly actual?: string;
  /** What to do next. */
  readonly action: string;
}

/** What is wrong with one operation; its number is known to whoever goes through them. */
export type Trouble = Omit<PatchProblem, 'place' | 'operation'> & { readonly field: 'path' | 'from' | 'value' };

/** There is nothing at `keys`. The first part of the way that leads nowhere is told. */
export function notThere(root: JsonValue, keys: JsonPointer, field: 'path' | 'from'): Trouble {
  let around = root;
  for (const [at, key] of keys.entries()) {
    const next = memberAt(around, key);
    if (next === undefined) return missing(around, keys.slice(0, at), key, { field, adds: false });
    around = next;
  }
  throw new Error(`there is something at ${pointerTo(keys)}`);
}

/** Nothing can be put at a key of what is there. */
export const noPlace = (around: JsonValue, before: JsonPointer, key: string): Trouble =>
  missing(around, before, key, { field: 'path', adds: true });

function missing(
  around: JsonValue,
  before: JsonPointer,
  key: string,
  { field, adds }: { readonly field: 'path' | 'from'; readonly adds: boolean },
): Trouble {
  const [holder, pointer] = [pointerTo(before), pointerTo([...before, key])];
  const named = holder === '' ? 'the document' : shownPointer(holder);
  if (typeof around !== 'object' || around === null)
    return {
      rule: 'nothing_inside',
      field,
      pointer: holder,
      message: `${shownPointer(pointer)} leads nowhere: ${named} is ${kindOf(around)}, which has nothing inside`,
      actual: shownJson(around),
      action: `replace ${named} as a whole, or correct the path`,
    };
  if (isArray(around)) return noElement(around, { field, pointer, named, key, adds });
  const meant = closestName(key, likely(around));
  return {
    rule: 'not_there',
    field,
    pointer,
    message: `there is no ${shownPointer(pointer)}${meant === undefined ? '' : `; did you mean ${shownPointer(pointerTo([...before, meant]))}?`}`,
    actual: shownJson(around),
    action: `correct the path, or add ${shownPointer(pointer)} first`,
  };
}

function noElement(
  array: readonly JsonValue[],
  about: {
    readonly field: 'path' | 'from';
    readonly pointer: string;
    readonly named: string;
    readonly key: string;
    readonly adds: boolean;
  },
): Trouble {
  const { field, pointer, named, key, adds } = about;
  const index = arrayIndex(key);
  const last = array.length - (adds ? 0 : 1);
  const range = last < 0 ? '' : last === 0 ? 'use index 0' : `use an index from 0 to ${last}`;
  const has = `${named} has ${plural(array.length, 'element')}`;
  const toAppend = adds ? ', or `-` to append' : '';
  const action = range === '' ? 'add an element first' : `${range}${toAppend}`;
  const base = { field, pointer, actual: shownJson(array) } as const;
  if (index !== undefined) return { ...base, rule: 'not_there', message: `${has}, and ${key} is past its end`, action };
  if (key === '-')
    return {
      ...base,
      rule: 'not_there',
      message: '`-` is the place behind the last element, where nothing is yet',
      action: range === '' ? action : `${range} for an element that is there`,
    };
  const message = /^0\d+$/u.test(key)
    ? `\`${key}\` is no index, since it begins with 0`
    : `${named} is an array, and ${shownPointer(key)} is no index`;
  return { ...base, rule: 'no_index', message, action };
}

function kindOf(value: null | boolean | number | string): string {
  if (value === null) return 'null';
  return typeof value === 'string' ? 'text' : `a ${typeof value}`;
}

/** Some names, none of them endless: this is only a hint. */
const likely = (object: JsonObject): readonly string[] =>
  Object.keys(object)
    .slice(0, limits.membersMeant)
    .filter((name) => name.length <= limits.title);
