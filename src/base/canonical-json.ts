import stringify from 'fast-json-stable-stringify';
import type { JsonObject, JsonValue } from './json-value.js';
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
  const [opening, closing] = isList(value) ? ['[', ']'] : ['{', '}'];
  let text = opening;
  for (const [name, part] of namedParts(value)) {
    text += `${text.length > 1 ? ',' : ''}${name}`;
    if (text.length >= length) return text;
    text += canonicalStart(part, length - text.length);
  }
  return `${text}${closing}`;
}

function* namedParts(value: JsonObject | readonly JsonValue[]): Generator<readonly [name: string, part: JsonValue]> {
  if (isList(value)) for (const part of value) yield ['', part];
  else
    for (const [name, part] of Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      yield [`${canonicalJson(name)}:`, part];
}

const isList = (value: JsonObject | readonly JsonValue[]): value is readonly JsonValue[] => Array.isArray(value);
