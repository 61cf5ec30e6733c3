import type { Compilation } from '../definitions/compilation.js';
import type { Violation } from '../definitions/violation.js';
import type { FileOutline } from './file-outline.js';
import type { LibraryEntry, WorkflowSource } from './library-entry.js';

/** A file with what is said of it. */
export interface Candidate {
  readonly path: string;
  readonly entry: LibraryEntry;
  readonly text: string;
  readonly compilation: Compilation;
}

export function entryOf(digest: string, text: string, compilation: Compilation, outline: FileOutline, { source, file }: { readonly source: WorkflowSource; readonly file: string }): LibraryEntry {
  const shared = { source: source.name, file, hides: [], sourceDigest: digest };
  if (!compilation.ok) {
    const { description, kind, tags, id = nameOf(file) } = outline;
    const { violations } = compilation;
    const errors = violations.filter(({ severity }) => severity === 'error');
    const status = outline.id === undefined ? ({ idStatus: 'unknown' } as const) : statusOf(id, source);
    return { id, title: outline.title ?? id, description, kind, tags, ...status, ...shared, violations: [...namespaceErrors(id, source, text), ...errors], warnings: violations.filter(({ severity }) => severity === 'warning') };
  }
  const { id, title, description, version, kind, tags } = compilation.workflow;
  const status = statusOf(id, source);
  const legacy = status.suggestedId === undefined ? [] : [legacyId(id, status.suggestedId, text)];
  return { id, title, description, version, kind, tags, ...status, ...shared, violations: namespaceErrors(id, source, text), warnings: [...legacy, ...compilation.warnings] };
}

/** What a legacy id of each source is best renamed to. */
const namespaces: Readonly<Record<WorkflowSource['name'], string>> = { bundled: 'wr', user: 'user', project: 'project', configured: 'repo' };

function statusOf(id: string, source: WorkflowSource): { readonly idStatus: LibraryEntry['idStatus']; readonly suggestedId?: string } {
  if (id.includes('.')) return { idStatus: 'namespaced' };
  // The id of a broken file may be anything; only a name that would be valid is worth suggesting.
  return { idStatus: 'legacy', ...(/^[a-z][a-z0-9_-]*$/u.test(id) ? { suggestedId: `${namespaces[source.name]}.${id}` } : {}) };
}

function namespaceErrors(id: string, source: WorkflowSource, text: string): readonly Violation[] {
  return id.startsWith('wr.') && source.name !== 'bundled' ? [reservedNamespace(id, namespaces[source.name], text)] : [];
}

/** Where the id stands in a source, in either format, for what is only known once several sources are compared. */
function placeOfId(text: string): { readonly pointer: string; readonly line?: number; readonly column?: number } {
  for (const key of ['workflow', 'id']) {
    const found = new RegExp(`^([ \\t{]*"?${key}"?[ \\t]*:[ \\t]*)\\S`, 'mu').exec(text);
    if (found) return { pointer: `/${key}`, line: text.slice(0, found.index).split('\n').length, column: (found[1]?.length ?? 0) + 1 };
  }
  return { pointer: '/workflow' };
}

/** The id's place, and what gives it another name. */
function renaming(text: string, id: string): Pick<Violation, 'pointer' | 'line' | 'column' | 'closest' | 'patch'> {
  const place = placeOfId(text);
  return { ...place, closest: id, patch: [{ op: 'replace', path: place.pointer, value: id }] };
}

function nameOf(file: string): string {
  return file.slice(file.lastIndexOf('/') + 1).replace(/\.[^.]+$/u, '');
}

function reservedNamespace(id: string, namespace: string, text: string): Violation {
  const renamed = `${namespace}.${id.slice('wr.'.length)}`;
  return { severity: 'error', rule: 'reserved_namespace', ...renaming(text, renamed), message: `ids in \`wr.\` are for the bundled workflows; rename this one, for example \`workflow: ${renamed}\``, actual: id };
}

function legacyId(id: string, suggested: string, text: string): Violation {
  return { severity: 'warning', rule: 'legacy_id', ...renaming(text, suggested), message: `\`${id}\` has no namespace; rename it, for example \`workflow: ${suggested}\``, actual: id };
}

/** Of several startable files with one id in one source, the first by path stays so. */
export function withoutDoubles(found: readonly Candidate[]): readonly Candidate[] {
  const first = new Map<string, string>();
  return found.map((candidate) => {
    const { entry } = candidate;
    if (entry.violations.length > 0) return candidate;
    const other = first.get(entry.id);
    if (other === undefined) {
      first.set(entry.id, entry.file);
      return candidate;
    }
    const double: Violation = { severity: 'error', rule: 'duplicate_id', ...placeOfId(candidate.text), message: `${other} has the id \`${entry.id}\` already; give one of them another`, actual: entry.id };
    return { ...candidate, entry: { ...entry, violations: [double] } };
  });
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
    const hides = lower ? [...lower.hides, { source: lower.source, file: lower.file }] : [];
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
