import type { Compilation } from '../definitions/expand/compilation.js';
import type { Violation } from '../definitions/source/violation.js';
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

export function entryOf(
  digest: string,
  text: string,
  compilation: Compilation,
  outline: FileOutline,
  { source, file }: { readonly source: WorkflowSource; readonly file: string },
): LibraryEntry {
  const shared = { source: source.name, file, hides: [], sourceDigest: digest };
  if (!compilation.ok) {
    const { description, kind, tags, id = nameOf(file) } = outline;
    const { violations } = compilation;
    const errors = violations.filter(({ severity }) => severity === 'error');
    const status = outline.id === undefined ? ({ idStatus: 'unknown' } as const) : statusOf(id, source);
    return {
      id,
      title: outline.title ?? id,
      description,
      kind,
      tags,
      ...status,
      ...shared,
      violations: [...namespaceErrors(id, source, text), ...errors],
      warnings: violations.filter(({ severity }) => severity === 'warning'),
    };
  }
  const { id, title, description, version, kind, tags } = compilation.workflow;
  const status = statusOf(id, source);
  const legacy = status.suggestedId === undefined ? [] : [legacyId(id, status.suggestedId, text)];
  return {
    id,
    title,
    description,
    version,
    kind,
    tags,
    ...status,
    ...shared,
    violations: namespaceErrors(id, source, text),
    warnings: [...legacy, ...compilation.warnings],
  };
}

/** What a legacy id of each source is best renamed to. */
const namespaces: Readonly<Record<WorkflowSource['name'], string>> = {
  bundled: 'wr',
  user: 'user',
  project: 'project',
  configured: 'repo',
};

function statusOf(
  id: string,
  source: WorkflowSource,
): { readonly idStatus: LibraryEntry['idStatus']; readonly suggestedId?: string } {
  if (id.includes('.')) return { idStatus: 'namespaced' };
  // The id of a broken file may be anything; only a name that would be valid is worth suggesting.
  return {
    idStatus: 'legacy',
    ...(/^[a-z][a-z0-9_-]*$/u.test(id) ? { suggestedId: `${namespaces[source.name]}.${id}` } : {}),
  };
}

function namespaceErrors(id: string, source: WorkflowSource, text: string): readonly Violation[] {
  return id.startsWith('wr.') && source.name !== 'bundled'
    ? [reservedNamespace(id, namespaces[source.name], text)]
    : [];
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

/** The id's place, and what gives it another name. */
function renaming(
  text: string,
  id: string,
  message: string,
): Pick<Violation, 'pointer' | 'line' | 'column' | 'message' | 'closest' | 'patch'> {
  const place = placeOfId(text);
  const written = place.pointer === '/id' ? `"id": "${id}"` : `workflow: ${id}`;
  return {
    ...place,
    message: `${message}, for example \`${written}\``,
    closest: id,
    patch: [{ op: 'replace', path: place.pointer, value: id }],
  };
}

function nameOf(file: string): string {
  return file.slice(file.lastIndexOf('/') + 1).replace(/\.[^.]+$/u, '');
}

function reservedNamespace(id: string, namespace: string, text: string): Violation {
  const renamed = `${namespace}.${id.slice('wr.'.length)}`;
  return {
    severity: 'error',
    rule: 'reserved_namespace',
    ...renaming(text, renamed, 'ids in `wr.` are for the bundled workflows; rename this one'),
    actual: id,
  };
}

function legacyId(id: string, suggested: string, text: string): Violation {
  return {
    severity: 'warning',
    rule: 'legacy_id',
    ...renaming(text, suggested, `\`${id}\` has no namespace; rename it`),
    actual: id,
  };
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
