import { isJsonObject, type JsonValue } from '../../src/base/json-value.js';
import type { JsonPatch, PatchOperation } from '../../src/base/patch/json-patch.js';

/** RFC 6902 as it reads, on a copy of everything for each operation; undefined where the patch does not apply. */
export function naivelyPatched(document: JsonValue, patch: JsonPatch): JsonValue | undefined {
  let value: JsonValue | undefined = document;
  for (const operation of patch) {
    if (value === undefined) return undefined;
    value = step(parsed(value), operation);
  }
  return value;
}

const parsed = (value: JsonValue): JsonValue => JSON.parse(JSON.stringify(value)) as JsonValue;
const keysIn = (pointer: string): readonly string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));

function step(value: JsonValue, operation: PatchOperation): JsonValue | undefined {
  const path = keysIn(operation.path);
  switch (operation.op) {
    case 'test': {
      const found = at(value, path);
      return found !== undefined && sorted(found) === sorted(operation.value) ? value : undefined;
    }
    case 'remove':
      return without(value, path);
    case 'add':
      return put(value, path, parsed(operation.value));
    case 'replace':
      return at(value, path) === undefined ? undefined : over(value, path, parsed(operation.value));
    case 'copy': {
      const found = at(value, keysIn(operation.from));
      return found === undefined ? undefined : put(value, path, parsed(found));
    }
    case 'move': {
      const found = at(value, keysIn(operation.from));
      if (found === undefined || operation.path.startsWith(`${operation.from}/`)) return undefined;
      if (operation.path === operation.from) return value;
      const rest = without(value, keysIn(operation.from));
      return rest === undefined ? undefined : put(rest, path, found);
    }
  }
}

const isIndex = (key: string): boolean => /^(?:0|[1-9][0-9]*)$/u.test(key);

function at(value: JsonValue, path: readonly string[]): JsonValue | undefined {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  const found = membersOf(value).find(([name]) => name === key)?.[1];
  return found === undefined ? undefined : at(found, rest);
}

function membersOf(value: JsonValue): readonly (readonly [string, JsonValue])[] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}

/** What is around the place is made anew by `change`, everything else stays. */
function changed(
  value: JsonValue,
  [key, ...rest]: readonly string[],
  change: (around: JsonValue, key: string) => JsonValue | undefined,
): JsonValue | undefined {
  if (key === undefined) return undefined;
  if (rest.length === 0) return change(value, key);
  const found = at(value, [key]);
  const inner = found === undefined ? undefined : changed(found, rest, change);
  return inner === undefined ? undefined : withMember(value, key, inner);
}

function withMember(value: JsonValue, key: string, member: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map((item, index): JsonValue => (String(index) === key ? member : item));
  const others = membersOf(value);
  const isThere = others.some(([name]) => name === key);
  return Object.fromEntries(
    isThere ? others.map(([name, old]) => [name, name === key ? member : old]) : [...others, [key, member] as const],
  );
}

const over = (value: JsonValue, path: readonly string[], given: JsonValue): JsonValue | undefined =>
  path.length === 0 ? given : changed(value, path, (around, key) => withMember(around, key, given));

const put = (value: JsonValue, path: readonly string[], given: JsonValue): JsonValue | undefined =>
  path.length === 0
    ? given
    : changed(value, path, (around, key) => {
        if (isJsonObject(around)) return withMember(around, key, given);
        if (!Array.isArray(around)) return undefined;
        const list = around as readonly JsonValue[];
        if (key === '-') return [...list, given];
        if (!isIndex(key) || Number(key) > list.length) return undefined;
        return [...list.slice(0, Number(key)), given, ...list.slice(Number(key))];
      });

const without = (value: JsonValue, path: readonly string[]): JsonValue | undefined =>
  changed(value, path, (around, key) => {
    if (at(around, [key]) === undefined) return undefined;
    if (Array.isArray(around)) return (around as readonly JsonValue[]).filter((_, index) => String(index) !== key);
    return Object.fromEntries(membersOf(around).filter(([name]) => name !== key));
  });

/** With the members of every object in one order. */
const sorted = (value: JsonValue): string =>
  JSON.stringify(value, (_, inner: JsonValue) =>
    isJsonObject(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : inner,
  );
