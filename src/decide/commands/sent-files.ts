import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json-value.js';
import { fileAt, isFile } from '../../definitions/compiled/file-reference.js';
import type { OperationShape } from '../../definitions/compiled/operation-shape.js';

/** What the bytes of a file were when it was looked at. */
export interface LookedAt {
  readonly sha256: string;
  readonly bytes: number;
}

/** A file of the workspace that a request sends. Without a digest, nobody could read it. */
export interface SentFile extends Partial<LookedAt> {
  readonly file: string;
}

/** What a request is made of. */
export interface RequestParts {
  readonly operation: OperationShape;
  readonly with: JsonObject;
  readonly body?: JsonValue;
  readonly content?: string;
}

/** The names in a body that stand for bytes of the workspace, wherever it has them. */
export function workspaceNames(body: JsonValue): readonly string[] {
  if (Array.isArray(body)) return [...new Set((body as readonly JsonValue[]).flatMap(workspaceNames))];
  if (!isJsonObject(body)) return [];
  if (!isFile(body)) return workspaceNames(Object.values(body));
  const { kind, at } = fileAt(body);
  return kind === 'path' ? [at] : [];
}
