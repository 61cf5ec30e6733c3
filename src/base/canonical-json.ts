import stringify from 'fast-json-stable-stringify';
import type { JsonValue } from './json-value.js';

/** The one canonical form (RFC 8785): what is hashed, compared or measured goes through here. */
export function canonicalJson(value: JsonValue): string {
  return stringify(value);
}
