import type { JsonObject, JsonValue } from './json-value.js';

/** What would come back of plain data that went through JSON, without the text in between: what is undefined is absent. */
export function plainCopy(value: object): JsonObject;
export function plainCopy(value: unknown): JsonValue;
export function plainCopy(value: unknown): JsonValue {
  return copyOf(value) ?? null;
}

function copyOf(value: unknown): JsonValue | undefined {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value;
  // JSON knows no -0.
  if (typeof value === 'number') return Number.isFinite(value) ? value + 0 : null;
  if (typeof value !== 'object') return undefined;
  return Array.isArray(value) ? value.map((item) => copyOf(item) ?? null) : fieldsOf(value);
}

function fieldsOf(value: object): JsonObject {
  const copy: Record<string, JsonValue> = {};
  for (const key of Object.keys(value)) {
    const child = copyOf((value as Record<string, unknown>)[key]);
    if (child === undefined) continue;
    if (key === '__proto__')
      Object.defineProperty(copy, key, { value: child, writable: true, enumerable: true, configurable: true });
    else copy[key] = child;
  }
  return copy;
}
