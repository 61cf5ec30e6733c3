import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json-value.js';
import { own } from '../../base/own.js';

/** Bytes that are elsewhere: a file of the workspace, or the result of an earlier step. */
export interface FileReference {
  readonly file: string;
  readonly name?: string;
  readonly type?: string;
}

const fileKeys = new Set(['file', 'name', 'type']);

/** `{"file": "path"}`, with a name and a type where they should differ. */
export function isFile(value: JsonValue): value is JsonObject & FileReference {
  return (
    isJsonObject(value) &&
    typeof own(value, 'file') === 'string' &&
    Object.entries(value).every(([key, inner]) => fileKeys.has(key) && typeof inner === 'string')
  );
}
