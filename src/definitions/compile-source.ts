import { defined } from '../base/defined.js';
import { safeParse } from '../base/safe-parse.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../base/json-value.js';
import { limits } from '../base/limits.js';
import type { CommandLookup } from './compiled/command-lookup.js';
import { calledRoutines } from './expand/called-routines.js';
import { checkExpanded } from './check/check-expanded.js';
import { checkWorkflow } from './check/check-workflow.js';
import type { Compilation, Routines } from './expand/compilation.js';
import { compileWorkflow } from './expand/compile-workflow.js';
import { finding } from './source/finding.js';
import { flowCommas } from './source/flow-commas.js';
import { isWorkrailJson } from './source/is-workrail-json.js';
import { knownKeys } from './source/known-keys.js';
import { salvageId } from './source/salvage-id.js';
import { shapeFindings } from './source/shape-findings.js';
import { parseSource, type SourceDocument } from './source/source-document.js';
import { locateFindings } from './source/source-reporter.js';
import type { Violation } from './source/violation.js';
import { workflowSource } from './source/workflow-format.js';
import { compileWorkrailJson } from './workrail-json/workrail-json.js';

/**
 * Source text to compiled workflow, or everything that is wrong with it at once. `file` only serves messages. Without
 * `commands` no catalog is looked at, and a warning says so.
 */
export function compileSource(text: string, file: string, routines?: Routines, commands?: CommandLookup): Compilation {
  const document = parseSource(text, file);
  if (document.ok) return compileDocument(document.value, file, routines, commands);
  const id = salvageId(text);
  return { ok: false, ...(id !== undefined && { id }), violations: document.error };
}

/** The same for a source that was read already. Each format has its own reader, and both end in one compiled form. */
export function compileDocument(
  document: SourceDocument,
  file: string,
  routines?: Routines,
  commands?: CommandLookup,
): Compilation {
  const source = document.value;
  if (!isJsonObject(source)) {
    const message = `${file} is not a workflow: expected an object with \`workflow\` and \`steps\``;
    const violation = finding([], 'type', message);
    return { ok: false, violations: [...(document.doubts ?? []), ...locateFindings([violation], document)] };
  }
  if (document.isJson && isWorkrailJson(source))
    return compileWorkrailJson(document, file, routines ?? (() => undefined));
  const called = calledRoutines(routines);
  const parsed = safeParse(workflowSource, source);
  const findings = [
    ...(parsed.success ? [] : shapeFindings(parsed.error.issues, source, knownKeys)),
    ...checkWorkflow(source, called, commands),
    ...flowCommas(source, document),
  ];
  const violations = inOrder([...(document.doubts ?? []), ...locateFindings(findings, document)]);
  if (!parsed.success || violations.some(({ severity }) => severity === 'error'))
    return { ok: false, ...named(source), violations };
  const workflow = compileWorkflow(parsed.data, called, commands);
  const grown = locateFindings(checkExpanded(workflow), document);
  return grown.length > 0
    ? { ok: false, ...named(source), violations: [...violations, ...grown] }
    : { ok: true, workflow, warnings: violations };
}

function inOrder(violations: readonly Violation[]): readonly Violation[] {
  return violations
    .toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0))
    .slice(0, limits.violations);
}

function named(source: JsonObject): Pick<Compilation & { readonly ok: false }, 'id' | 'title'> {
  const text = (value: JsonValue | undefined): string | undefined =>
    typeof value === 'string' && value !== '' ? value : undefined;
  return defined<ReturnType<typeof named>>({ id: text(source['workflow']), title: text(source['title']) });
}
