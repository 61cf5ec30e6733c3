import type { JsonValue } from '../../base/json-value.js';
import { pointerTo } from '../../base/patch/json-pointer.js';
import type { SourcePath } from './source-path.js';
import type { PatchOperation } from './violation.js';

/** Something wrong, or doubtful, in a source, before it is known on which line that stands. */
export interface Finding {
  readonly path: SourcePath;
  readonly rule: string;
  readonly message: string;
  readonly severity?: 'warning';
  /** Point at the key, or at a piece of text inside the value, rather than at the whole value. */
  readonly of?: 'key' | { readonly text: string };
  readonly expected?: string | undefined;
  readonly actual?: string | undefined;
  readonly closest?: string | undefined;
  readonly patch?: readonly PatchOperation[] | undefined;
}

/** A warning with which no file is saved anew. */
export const doubtfulSchemaRule = 'schema_not_supported';

type More = Omit<Finding, 'path' | 'rule' | 'message' | 'severity'>;

export function finding(path: SourcePath, rule: string, message: string, more: More = {}): Finding {
  return { path, rule, message, ...more };
}

export function warning(path: SourcePath, rule: string, message: string, more: More = {}): Finding {
  return { path, rule, message, severity: 'warning', ...more };
}

/** What puts another value there; nothing where none is known to be right. */
export function replacing(path: SourcePath, value: JsonValue | undefined): Finding['patch'] {
  return value === undefined ? undefined : [{ op: 'replace', path: pointerTo(path), value }];
}
