import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json-value.js';
import { own } from '../../base/own.js';

/** Bytes that are elsewhere: a file of the workspace, or the result of an earlier step. */
export interface FileReference {
  readonly file: string;
  readonly name?: string;
  readonly type?: string;
}

/** Bytes that an earlier step brought: beside the session by their digest, or as text. No path is written so. */
export const keptFile = (sha256: string): string => `kept:${sha256}`;
export const textFile = (text: string): string => `text:${text}`;

/** Where the bytes of a file are. */
export function fileAt({ file }: FileReference): { readonly kind: 'kept' | 'text' | 'path'; readonly at: string } {
  const [, kind, at = ''] = /^(kept|text):(.*)$/su.exec(file) ?? [];
  return kind === 'kept' || kind === 'text' ? { kind, at } : { kind: 'path', at: file };
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
