import { byteLength } from '../base/byte-budget.js';
import { canonicalJson } from '../base/canonical-json.js';
import type { JsonObject, JsonValue } from '../base/json-value.js';

/** Bytes of the canonical text of a context once a patch is laid over it, worked out from those before and from the patch alone. */
export function contextBytes(before: number, context: JsonObject, patch: JsonObject): number {
  let bytes = before;
  for (const [key, value] of Object.entries(patch)) {
    if (Object.hasOwn(context, key)) bytes -= memberBytes(key, context[key]!);
    if (value !== null) bytes += memberBytes(key, value);
  }
  return bytes;
}

/** With the comma or brace after it. */
const memberBytes = (key: string, value: JsonValue): number => byteLength(canonicalJson({ [key]: value })) - 1;
