import { isJsonObject, isJsonValue, type JsonValue } from '../../base/json-value.js';
import { isKeyAt, jsonStrings } from './json-strings.js';

/**
 * Text that is plain JSON, several times faster than as the YAML it also is. Undefined for whatever deserves a message with
 * its place: what is not JSON, a key twice, `__proto__`, a number too large.
 */
export function readJsonText(text: string): JsonValue | undefined {
  // What begins as no JSON does is not tried.
  if (!/^\s*[[{"\d\-tfn]/u.test(text)) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  return isJsonValue(value) && keysIn(value) === keysWritten(text) ? value : undefined;
}

export function isJsonText(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** How many keys the text has; of a key that is there twice, the value keeps one. */
function keysWritten(text: string): number {
  let count = 0;
  for (const { end } of jsonStrings(text)) if (isKeyAt(text, end)) count += 1;
  return count;
}

function keysIn(value: JsonValue): number {
  const open: JsonValue[] = [value];
  let count = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    // One by one: a list may have more items than a call can have arguments.
    if (Array.isArray(next)) for (const item of next as readonly JsonValue[]) open.push(item);
    else if (isJsonObject(next)) {
      for (const [key, inner] of Object.entries(next)) {
        if (key === '__proto__') return -1;
        count += 1;
        open.push(inner);
      }
    }
  }
  return count;
}
