export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;
export type JsonObject = { readonly [key: string]: JsonValue };

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** True for what survives a round trip through JSON unchanged. Walks with a stack: a caller's nesting must not overflow ours. */
export function isJsonValue(value: unknown): value is JsonValue {
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (next === null || typeof next === 'boolean' || typeof next === 'string') continue;
    if (typeof next === 'number') {
      if (!Number.isFinite(next)) return false;
    } else if (typeof next === 'object') {
      for (const child of Object.values(next)) open.push(child);
    } else return false;
  }
  return true;
}

/** How many arrays and objects lie inside each other; a scalar is 0. Stops counting past `enough`. */
export function nestingDepth(value: unknown, enough: number): number {
  const open: { readonly value: unknown; readonly depth: number }[] = [{ value, depth: 0 }];
  let deepest = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next.value !== 'object' || next.value === null) continue;
    const depth = next.depth + 1;
    if (depth > deepest) deepest = depth;
    if (deepest > enough) return deepest;
    for (const child of Object.values(next.value))
      if (typeof child === 'object' && child !== null) open.push({ value: child, depth });
  }
  return deepest;
}
