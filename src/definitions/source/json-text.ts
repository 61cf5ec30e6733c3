import { isJsonObject, isJsonValue, type JsonValue } from '../../base/json-value.js';

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
  for (const [string] of text.matchAll(/"(?:[^"\\]|\\.)*"(?:\s*:)?/gu)) if (string.endsWith(':')) count += 1;
  return count;
}

function keysIn(value: JsonValue): number {
  const open: JsonValue[] = [value];
  let count = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (Array.isArray(next)) open.push(...(next as readonly JsonValue[]));
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
