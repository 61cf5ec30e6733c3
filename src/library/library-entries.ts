import type { CompiledWorkflow } from '../definitions/compiled/compiled-workflow.js';
import { runsCommands } from '../definitions/compiled/runs-commands.js';
import { describeValue } from '../definitions/contracts/value-spec.js';
import type { Compilation } from '../definitions/expand/compilation.js';
import type { Violation } from '../definitions/source/violation.js';
import type { LibraryFile } from './compile-files.js';
import type { FileOutline } from './file-outline.js';
import type { LibraryEntry, WorkflowSource } from './library-entry.js';
import { variantRank } from './variant-rank.js';

/** A file with what is said of it. */
export interface Candidate {
  readonly path: string;
  readonly entry: LibraryEntry;
  readonly text: string;
  readonly compilation: Compilation;
}

function requiredInputs({ inputs }: CompiledWorkflow): Pick<LibraryEntry, 'requiredInputs'> {
  const required = Object.entries(inputs).flatMap(([name, spec]) =>
    isRequired(spec)
      ? [
          {
            name,
            wanted: describeValue(spec),
            ...(spec.description !== undefined && { description: spec.description }),
          },
        ]
      : [],
  );
  return required.length === 0 ? {} : { requiredInputs: required };
}

/** What a start may hand in besides. */
function optionalInputs({ inputs }: CompiledWorkflow): Pick<LibraryEntry, 'optionalInputs'> {
  const names = Object.entries(inputs).flatMap(([name, spec]) => (isRequired(spec) ? [] : [name]));
  return names.length === 0 ? {} : { optionalInputs: names };
}

const isRequired = (spec: CompiledWorkflow['inputs'][string]): boolean => spec.required && spec.default === undefined;

export function entryOf(
  { source, label, read: { digest, text } }: LibraryFile,
  compilation: Compilation,
  outline: FileOutline,
): LibraryEntry {
  const { workflow } = compilation.ok ? compilation : { workflow: undefined };
  const { id = nameOf(label), title = id, description, kind, tags } = workflow ?? outline;
  const said = compilation.ok ? compilation.warnings : compilation.violations;
  const isNamed = workflow !== undefined || outline.id !== undefined;
  const status = isNamed ? statusOf(id, source) : ({ idStatus: 'unknown' } as const);
  const { suggestedId } = status;
  const errors = said.filter(({ severity }) => severity === 'error');
  const warnings = said.filter(({ severity }) => severity === 'warning');
  return {
    id,
    title,
    description,
    ...(outline.about !== undefined && { about: outline.about }),
    ...(workflow && { version: workflow.version }),
    kind,
    tags,
    ...(workflow?.recommends?.mode !== undefined && { recommendedMode: workflow.recommends.mode }),
    ...(workflow && { ...requiredInputs(workflow), ...optionalInputs(workflow) }),
    ...(workflow && runsCommands(workflow) && { runsCommands: true as const }),
    ...status,
    source: source.name,
    file: label,
    hides: [],
    sourceDigest: digest,
    violations: [...namespaceErrors(id, source, text), ...errors],
    warnings: [...(workflow && suggestedId !== undefined ? [legacyId(id, suggestedId, text)] : []), ...warnings],
  };
}

/** What a legacy id of each source is best renamed to. */
const namespaces: Readonly<Record<WorkflowSource['name'], string>> = {
  bundled: 'wr',
  user: 'user',
  project: 'project',
  configured: 'repo',
};

const namespacedId = /^[a-z][a-z0-9_-]*\.[a-z][a-z0-9_-]*$/u;

function statusOf(
  id: string,
  source: WorkflowSource,
): { readonly idStatus: LibraryEntry['idStatus']; readonly suggestedId?: string } {
  if (namespacedId.test(id)) return { idStatus: 'namespaced' };
  // One namespace and one name: what is beyond that, or in capitals, is written as the nearest that is.
  const [first = '', ...rest] = id.toLowerCase().split('.');
  const suggestedId = rest.length === 0 ? `${namespaces[source.name]}.${first}` : `${first}.${rest.join('_')}`;
  // The id of a broken file may be anything; only a name that would be valid is worth suggesting.
  return { idStatus: 'legacy', ...(namespacedId.test(suggestedId) ? { suggestedId } : {}) };
}

function namespaceErrors(id: string, { name }: WorkflowSource, text: string): readonly Violation[] {
  if (!id.startsWith('wr.') || name === 'bundled') return [];
  const message = 'ids in `wr.` are for the bundled workflows; rename this one';
  const renamed = `${namespaces[name]}.${id.slice('wr.'.length)}`;
  return [renaming(id, renamed, text, { severity: 'error', rule: 'reserved_namespace', message })];
}

/** Where the id stands in a source, in either format, for what is only known once several sources are compared. */
function placeOfId(text: string): { readonly pointer: string; readonly line?: number; readonly column?: number } {
  // Deeper inside, either word may name something else.
  const found =
    /^([ \t{]{0,2})"?(workflow|id)"?[ \t]*:[ \t]*(?=\S)/mu.exec(text) ??
    [...text.matchAll(/^([ \t{]*)"?(workflow|id)"?[ \t]*:[ \t]*(?=\S)/gmu)].toSorted(
      ([, a = ''], [, b = '']) => a.length - b.length,
    )[0];
  if (found?.[2] === undefined)
    return { pointer: /^\s*\{/u.test(text) && !text.includes('"workflow"') ? '/id' : '/workflow' };
  return { pointer: `/${found[2]}`, line: text.slice(0, found.index).split('\n').length, column: found[0].length + 1 };
}

/** Tells of an id where it stands, and what gives it another name. */
function renaming(
  id: string,
  to: string,
  text: string,
  told: Pick<Violation, 'severity' | 'rule' | 'message'>,
): Violation {
  const place = placeOfId(text);
  const written = place.pointer === '/id' ? `"id": "${to}"` : `workflow: ${to}`;
  return {
    severity: told.severity,
    rule: told.rule,
    ...place,
    message: `${told.message}, for example \`${written}\``,
    closest: to,
    patch: [{ op: 'replace', path: place.pointer, value: to }],
    actual: id,
  };
}

function nameOf(file: string): string {
  return file.slice(file.lastIndexOf('/') + 1).replace(/\.[^.]+$/u, '');
}

function legacyId(id: string, suggested: string, text: string): Violation {
  const message = `\`${id}\` has no namespace; rename it`;
  return renaming(id, suggested, text, { severity: 'warning', rule: 'legacy_id', message });
}

/** Of several startable files with one id in one source, the first by path stays so; of variants of one file, the highest. */
export function withoutDoubles(found: readonly Candidate[]): readonly Candidate[] {
  const first = new Map<string, Candidate>();
  const named = new Map<string, Candidate[]>();
  for (const candidate of found) {
    const { id, violations } = candidate.entry;
    const other = first.get(id);
    if (violations.length === 0) named.set(id, [...(named.get(id) ?? []), candidate]);
    if (
      violations.length === 0 &&
      (other === undefined || (areVariants(candidate, other) && variantRank(candidate.path) > variantRank(other.path)))
    )
      first.set(id, candidate);
  }
  const hidden = (candidate: Candidate, by: Candidate): boolean =>
    areVariants(candidate, by) && variantRank(candidate.path) < variantRank(by.path);
  return found.flatMap((candidate): readonly Candidate[] => {
    const { entry } = candidate;
    const other = first.get(entry.id);
    if (entry.violations.length > 0 || other === undefined) return [candidate];
    if (other === candidate) {
      const hides = named
        .get(entry.id)!
        .filter((one) => hidden(one, candidate))
        .map((one) => ({ source: one.entry.source, file: one.entry.file }));
      return [{ ...candidate, entry: { ...entry, hides } }];
    }
    if (hidden(candidate, other)) return [];
    const double: Violation = {
      severity: 'error',
      rule: 'duplicate_id',
      ...placeOfId(candidate.text),
      message: `${other.entry.file} has the id \`${entry.id}\` already; give one of them another`,
      actual: entry.id,
    };
    return [{ ...candidate, entry: { ...entry, violations: [double] } }];
  });
}

/** Two files of the WorkRail JSON format in one folder, at least one of which is named as a variant. */
function areVariants(a: Candidate, b: Candidate): boolean {
  const folder = ({ path }: Candidate): string => path.replace(/[^/\\]*$/u, '');
  const inFormat = ({ path, text }: Candidate): boolean =>
    path.toLowerCase().endsWith('.json') && placeOfId(text).pointer === '/id';
  return variantRank(a.path) !== variantRank(b.path) && folder(a) === folder(b) && inFormat(a) && inFormat(b);
}

/** What the list shows: of each id the startable one of highest precedence, and every broken file. A broken file hides nothing. */
export function shown(bySource: readonly (readonly Candidate[])[]): readonly Candidate[] {
  const winners = new Map<string, Candidate>();
  const broken: Candidate[] = [];
  for (const candidate of bySource.flat()) {
    const { entry } = candidate;
    if (entry.violations.length > 0) {
      broken.push(candidate);
      continue;
    }
    const lower = winners.get(entry.id)?.entry;
    const hides = [...entry.hides, ...(lower ? [...lower.hides, { source: lower.source, file: lower.file }] : [])];
    winners.set(entry.id, { ...candidate, entry: { ...entry, hides } });
  }
  return [...winners.values(), ...broken].toSorted((a, b) => compare(sortKey(a.entry), sortKey(b.entry)));
}

function sortKey({ id, kind, violations, file }: LibraryEntry): readonly string[] {
  const namespace = id.includes('.') ? id.slice(0, id.indexOf('.')) : '';
  return [namespace, kind === 'workflow' ? '0' : '1', id, violations.length === 0 ? '0' : '1', file];
}

function compare(a: readonly string[], b: readonly string[]): number {
  for (const [at, key] of a.entries()) {
    const other = b[at]!;
    if (key !== other) return key < other ? -1 : 1;
  }
  return 0;
}
