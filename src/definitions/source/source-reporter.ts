import { defined } from '../../base/defined.js';
import { isJsonObject, type JsonValue } from '../../base/json-value.js';
import { limits } from '../../base/limits.js';
import { own } from '../../base/own.js';
import { pointerTo } from '../../base/patch/json-pointer.js';
import type { SourceDocument } from './source-document.js';
import type { Finding } from './finding.js';
import type { Violation } from './violation.js';

type Advice = Pick<Violation, 'expected' | 'actual' | 'closest' | 'patch'>;

/** Findings in the order of the source, each with its place; the same finding once. */
export function locateFindings(findings: readonly Finding[], document: SourceDocument): readonly Violation[] {
  const seen = new Set<string>();
  const violations: Violation[] = [];
  // More than are told, so that those told are the first in the file; errors before warnings.
  const errors = findings.filter(({ severity }) => severity === undefined);
  const most = 5 * limits.violations;
  for (const finding of findings.length <= most
    ? findings
    : [...errors, ...findings.filter(({ severity }) => severity !== undefined)].slice(0, most)) {
    const { path, rule, message, of, severity = 'error', ...more } = cutByComma(finding, document) ?? finding;
    const { expected, actual, closest, patch } = more;
    const place = document.place(path, of);
    const whole =
      closest === undefined || message.includes('did you mean') || message.includes(`\`${closest}\``)
        ? message
        : `${message}; did you mean \`${closest}\`?`;
    const said = `${place.pointer} ${rule} ${whole}`;
    if (seen.has(said)) continue;
    seen.add(said);
    violations.push({
      severity,
      rule,
      ...place,
      message: whole,
      ...defined<Advice>({ expected, actual, closest, patch }),
    });
  }
  violations.sort((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0));
  return violations.slice(0, limits.violations);
}

/** In flow style `{ title: Read, judge }` is a title “Read” and a key “judge” with nothing: the comma was meant to be text. */
function cutByComma(finding: Finding, document: SourceDocument): Finding | undefined {
  const { path, rule } = finding;
  const key = path.at(-1);
  const holder = path
    .slice(0, -1)
    .reduce<JsonValue | undefined>(
      (value, step) =>
        typeof value === 'object' && value !== null
          ? own(value as { readonly [key: string]: JsonValue }, step)
          : undefined,
      document.value,
    );
  if (rule !== 'unknown_key' || typeof key !== 'string' || !isJsonObject(holder) || own(holder, key) !== null)
    return undefined;
  const keys = Object.keys(holder);
  const at = keys.indexOf(key);
  const from = keys.findLastIndex((name, index) => index < at && holder[name] !== null);
  const field = keys[from];
  const text = field === undefined ? undefined : holder[field];
  // In block style each key has its own line.
  if (
    field === undefined ||
    typeof text !== 'string' ||
    at - from > 20 ||
    document.place([...path.slice(0, -1), field], 'key').line !== document.place(path, 'key').line
  )
    return undefined;
  const whole = [text, ...keys.slice(from + 1, at + 1)].join(', ');
  return {
    ...finding,
    closest: undefined,
    message: `\`${key}\` is taken for a key: in flow style text with a comma must be quoted, \`${field}: ${JSON.stringify(whole)}\``,
    expected: JSON.stringify(whole),
    patch: [
      { op: 'replace', path: pointerTo([...path.slice(0, -1), field]), value: whole },
      { op: 'remove', path: pointerTo(path) },
    ],
  };
}
