import { isJsonObject, type JsonValue } from '../../base/json-value.js';
import type { PatchOperation } from './violation.js';

/** The keys of a JSON pointer. */
export const keysOf = (pointer: string): readonly string[] =>
  pointer
    .slice(1)
    .split('/')
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));

/** A value with one operation done to it (RFC 6902); undefined where what it names is not there. */
export function patchedValue(value: JsonValue, operation: PatchOperation): JsonValue | undefined {
  if (operation.op !== 'move') {
    const put = operation.op === 'remove' ? undefined : operation.value;
    return changed(value, keysOf(operation.path), put, operation.op);
  }
  const moved = at(value, keysOf(operation.from));
  const without = moved === undefined ? undefined : changed(value, keysOf(operation.from), undefined, 'remove');
  return without === undefined ? undefined : changed(without, keysOf(operation.path), moved, 'add');
}

function at(value: JsonValue | undefined, [key, ...rest]: readonly string[]): JsonValue | undefined {
  if (key === undefined || value === undefined) return value;
  if (Array.isArray(value)) return at((value as readonly JsonValue[])[Number(key)], rest);
  return isJsonObject(value) && Object.hasOwn(value, key) ? at(value[key], rest) : undefined;
}

function changed(
  value: JsonValue,
  [key, ...rest]: readonly string[],
  put: JsonValue | undefined,
  op: 'add' | 'replace' | 'remove',
): JsonValue | undefined {
  if (key === undefined) return undefined;
  const isList = Array.isArray(value);
  if (!isList && !isJsonObject(value)) return undefined;
  const held = at(value, [key]);
  if (held === undefined && (rest.length > 0 || op !== 'add')) return undefined;
  const inner = rest.length === 0 ? put : changed(held ?? null, rest, put, op);
  if (inner === undefined && rest.length > 0) return undefined;
  if (isList) {
    const list = value as readonly JsonValue[];
    const index = key === '-' ? list.length : Number(key);
    const takes = rest.length === 0 && op === 'add' ? 0 : 1;
    return list.toSpliced(index, takes, ...(inner === undefined ? [] : [inner]));
  }
  const members = Object.entries(value).filter(([name]) => name !== key || inner !== undefined);
  return Object.fromEntries([...members, ...(inner === undefined ? [] : [[key, inner] as const])]);
}
