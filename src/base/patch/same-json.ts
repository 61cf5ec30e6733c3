import type { JsonObject, JsonValue } from '../json-value.js';
import { own } from '../own.js';
import { isArray } from './json-pointer.js';

/** Equal as JSON: numbers by value, objects whatever the order of their members. */
export function sameJson(one: JsonValue, other: JsonValue): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (isArray(one))
    return isArray(other) && one.length === other.length && one.every((item, index) => sameJson(item, other[index]!));
  return !isArray(other) && sameMembers(one, other);
}

function sameMembers(one: JsonObject, other: JsonObject): boolean {
  const names = Object.keys(one);
  for (const name of names) {
    const theirs = own(other, name);
    if (theirs === undefined || !sameJson(own(one, name)!, theirs)) return false;
  }
  return Object.keys(other).length === names.length;
}
