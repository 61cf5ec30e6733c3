import type { JsonValue } from './json-value.js';

/** A list with what comes to it. What was no list before is its first element, and nothing is lost. */
export function grown(before: JsonValue | undefined, elements: readonly JsonValue[]): readonly JsonValue[] {
  if (before === undefined) return elements;
  return Array.isArray(before) ? [...(before as readonly JsonValue[]), ...elements] : [before, ...elements];
}
