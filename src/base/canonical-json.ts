import stringify from 'fast-json-stable-stringify';
import type { JsonValue } from './json-value.js';
import { oncePerObject } from './once-per-object.js';

/** The one canonical form (RFC 8785): what is hashed, compared or measured goes through here. */
export function canonicalJson(value: JsonValue): string {
  return stringify(value);
}

const shownLength = 80;

/** A value in a sentence: its canonical form, cut where it is long. What would be cut is not looked at. */
export function shownJson(value: JsonValue): string {
  return typeof value === 'object' && value !== null ? shownObject(value) : cut(canonicalStart(value, shownLength + 1));
}

// Many errors may speak of one value, and the names of a wide one are sorted each time.
const shownObject = oncePerObject((value: object & JsonValue) => cut(canonicalStart(value, shownLength + 1)));

const cut = (text: string): string => (text.length <= shownLength ? text : `${text.slice(0, shownLength - 4)} …`);

/** The canonical form as far as `length` characters of it, or more. */
function canonicalStart(value: JsonValue, length: number): string {
  if (typeof value === 'string') return canonicalJson(value.slice(0, length));
  if (typeof value !== 'object' || value === null) return canonicalJson(value);
  const isList = Array.isArray(value);
  let text = isList ? '[' : '{';
  for (const name of isList ? value.keys() : Object.keys(value).toSorted()) {
    if (text.length > 1) text += ',';
    if (typeof name === 'string') text += `${canonicalJson(name)}:`;
    if (text.length >= length) return text;
    text += canonicalStart((value as { readonly [name: string | number]: JsonValue })[name]!, length - text.length);
  }
  return `${text}${isList ? ']' : '}'}`;
}
