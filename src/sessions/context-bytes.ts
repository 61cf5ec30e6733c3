import { byteLength } from '../base/byte-budget.js';
import { canonicalJson } from '../base/canonical-json.js';
import { grown } from '../base/grown-list.js';
import type { JsonObject, JsonValue } from '../base/json-value.js';
import { own } from '../base/own.js';

/** Bytes of the canonical text of a context once a patch is laid over it, worked out from those before and from the patch alone. */
export function contextBytes(before: number, context: JsonObject, patch: JsonObject): number {
  let bytes = before;
  for (const [key, value] of Object.entries(patch)) {
    if (Object.hasOwn(context, key)) bytes -= memberBytes(key, context[key]!);
    if (value !== null) bytes += memberBytes(key, value);
  }
  return bytes;
}

/** The same once lists have grown: what stood in them is not looked at again. */
export function grownBytes(
  before: number,
  context: JsonObject,
  added: { readonly [key: string]: readonly JsonValue[] },
): number {
  let bytes = before;
  for (const [key, elements] of Object.entries(added)) {
    const list = own(context, key);
    if (!Array.isArray(list)) {
      bytes = contextBytes(bytes, context, { [key]: grown(list, elements) });
      continue;
    }
    const commas = list.length === 0 ? Math.max(0, elements.length - 1) : elements.length;
    bytes += elements.reduce((sum: number, one) => sum + byteLength(canonicalJson(one)), commas);
  }
  return bytes;
}

/** With the comma or brace after it. */
const memberBytes = (key: string, value: JsonValue): number => byteLength(canonicalJson({ [key]: value })) - 1;
