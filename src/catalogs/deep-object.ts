import { isJsonObject, type JsonValue } from '../base/json-value.js';
import { percentEncode } from './percent-encode.js';

/**
 * `filter[size][min]=1`: each name in brackets of its own, and the number of each item of a list. The brackets are escaped,
 * since no query holds them. Undefined where a text holds half a character; absent values are left out.
 */
export function deepObject(name: string, value: JsonValue): readonly string[] | undefined {
  const start = percentEncode(name);
  const pairs: string[] = [];
  const isWritten = (prefix: string, inner: JsonValue): boolean => {
    if (inner === null) return true;
    if (typeof inner === 'object') {
      const members: readonly (readonly [string, JsonValue])[] = isJsonObject(inner)
        ? Object.entries(inner)
        : inner.map((item, index) => [String(index), item]);
      return members.every(([key, member]) => {
        const encoded = percentEncode(key);
        return encoded !== undefined && isWritten(`${prefix}%5B${encoded}%5D`, member);
      });
    }
    const encoded = percentEncode(String(inner));
    if (encoded !== undefined) pairs.push(`${prefix}=${encoded}`);
    return encoded !== undefined;
  };
  return start !== undefined && isWritten(start, value) ? pairs : undefined;
}
