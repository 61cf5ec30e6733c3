import { hash } from 'node:crypto';
import { canonicalJson } from './canonical-json.js';
import type { JsonValue } from './json-value.js';

export function sha256Hex(bytes: string | Uint8Array): string {
  return hash('sha256', bytes, 'hex');
}

export function digestOf(value: JsonValue): string {
  return sha256Hex(canonicalJson(value));
}
