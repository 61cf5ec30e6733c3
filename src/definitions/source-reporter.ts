import { limits } from '../base/limits.js';
import type { SourceDocument, SourcePath } from './source-document.js';
import type { PatchOperation, Violation } from './violation.js';

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

/** Findings in the order of the source, each with its place; the same finding once. */
export function locateFindings(findings: readonly Finding[], document: SourceDocument): readonly Violation[] {
  const seen = new Set<string>();
  const violations: Violation[] = [];
  for (const { path, rule, message, severity = 'error', of, expected, actual, closest, patch } of findings) {
    const place = document.place(path, of);
    const said = `${place.pointer} ${rule} ${message}`;
    if (seen.has(said)) continue;
    seen.add(said);
    violations.push({
      severity,
      rule,
      ...place,
      message,
      ...(expected === undefined ? {} : { expected }),
      ...(actual === undefined ? {} : { actual }),
      ...(closest === undefined ? {} : { closest }),
      ...(patch === undefined ? {} : { patch }),
    });
  }
  violations.sort((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0));
  return violations.slice(0, limits.violations);
}
