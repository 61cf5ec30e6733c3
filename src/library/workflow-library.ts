import { closestNames } from '../base/closest-name.js';
import { sha256Hex } from '../base/digest.js';
import type { WorkflowHash } from '../base/ids.js';
import { limits } from '../base/limits.js';
import type { Compilation } from '../definitions/compilation.js';
import { compileSource } from '../definitions/compile-source.js';
import type { CompiledWorkflow } from '../definitions/compiled-workflow.js';
import { pinWorkflow, type Pin } from '../definitions/pin.js';
import type { Violation } from '../definitions/violation.js';
import { readWorkflowFile, workflowFiles, type FileContent } from './workflow-files.js';

export interface WorkflowSource {
  readonly name: 'bundled' | 'user' | 'project';
  readonly folder: string;
  /** What is shown instead of an absolute path. */
  readonly label: string;
}

export interface LibraryEntry {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly version?: string;
  readonly kind: 'workflow' | 'routine';
  readonly tags: readonly string[];
  readonly idStatus: 'namespaced' | 'legacy';
  /** For a legacy id: what to rename it to. */
  readonly suggestedId?: string;
  readonly source: 'bundled' | 'user' | 'project';
  /** The source's label and the path below its folder. */
  readonly file: string;
  /** Startable workflows of the same id in sources of lower precedence. */
  readonly hides: readonly { readonly source: string; readonly file: string }[];
  /** SHA-256 of the file's bytes; empty when they could not be read. */
  readonly sourceDigest: string;
  /** Errors: with any, the workflow cannot be started. */
  readonly violations: readonly Violation[];
  readonly warnings: readonly Violation[];
}

export interface Library {
  list(): Promise<readonly LibraryEntry[]>;
  /** The startable workflow of that id, else a broken one. `source` is the file's text, empty when it could not be read. */
  find(id: string): Promise<{ readonly entry: LibraryEntry; readonly workflow?: CompiledWorkflow; readonly source: string } | undefined>;
  closest(id: string): Promise<readonly string[]>;
  /** The pin of a workflow that is here in exactly that form, hidden ones included. */
  byHash(hash: WorkflowHash): Promise<string | undefined>;
}

/** One file as it was when it was last read. */
interface Loaded {
  readonly state: string;
  readonly digest: string;
  readonly text: string;
  readonly compilation: Compilation;
}

interface Candidate {
  readonly entry: LibraryEntry;
  readonly loaded: Loaded;
}

/** A library over folders, in rising precedence. It reads, and never writes. */
export function openLibrary(sources: readonly WorkflowSource[]): Library {
  const files = new Map<string, Loaded>();
  const pins = new WeakMap<CompiledWorkflow, Pin>();

  async function candidates(): Promise<readonly (readonly Candidate[])[]> {
    const seen = new Set<string>();
    const bySource: (readonly Candidate[])[] = [];
    for (const source of sources) {
      const found: Candidate[] = [];
      for (const { path, relative } of await workflowFiles(source.folder)) {
        seen.add(path);
        const label = `${source.label}/${relative}`;
        const known = files.get(path);
        const content = await readWorkflowFile(path, known?.state);
        const loaded = content ? loadedFrom(content, label) : known!;
        files.set(path, loaded);
        found.push({ entry: entryOf(loaded, source, label), loaded });
      }
      bySource.push(withoutDoubles(found));
    }
    for (const path of files.keys()) if (!seen.has(path)) files.delete(path);
    return bySource;
  }

  async function listed(): Promise<readonly Candidate[]> {
    return shown(await candidates());
  }

  return {
    async list() {
      return (await listed()).map(({ entry }) => entry);
    },
    async find(id) {
      const called = (await listed()).filter(({ entry }) => entry.id === id);
      const candidate = called.find(({ entry }) => entry.violations.length === 0) ?? called[0];
      if (!candidate) return undefined;
      const { entry, loaded } = candidate;
      const startable = loaded.compilation.ok && entry.violations.length === 0;
      return { entry, source: loaded.text, ...(startable && loaded.compilation.ok ? { workflow: loaded.compilation.workflow } : {}) };
    },
    async closest(id) {
      return closestNames(id, (await listed()).filter(({ entry }) => entry.violations.length === 0).map(({ entry }) => entry.id));
    },
    async byHash(hash) {
      for (const { loaded } of (await candidates()).flat()) {
        if (!loaded.compilation.ok) continue;
        const { workflow } = loaded.compilation;
        const pin = pins.get(workflow) ?? pinWorkflow(workflow);
        pins.set(workflow, pin);
        if (pin.hash === hash) return pin.text;
      }
      return undefined;
    },
  };
}

function loadedFrom(content: FileContent, label: string): Loaded {
  const broken = (rule: string, message: string, digest = ''): Loaded => ({
    state: content.state,
    digest,
    text: '',
    compilation: { ok: false, violations: [{ severity: 'error', rule, pointer: '', message }] },
  });
  if ('unreadable' in content) return broken('file', `${label} cannot be read: ${content.unreadable}`);
  if ('tooLarge' in content) return broken('file_size', `${label} has ${content.tooLarge} bytes; at most ${limits.workflowFile} are allowed`);
  const digest = sha256Hex(content.bytes);
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(content.bytes);
  } catch (cause) {
    if (cause instanceof TypeError) return broken('encoding', `${label} is not UTF-8 text`, digest);
    throw cause;
  }
  return { state: content.state, digest, text, compilation: compileSource(text, label) };
}

function entryOf({ digest, text, compilation }: Loaded, source: WorkflowSource, file: string): LibraryEntry {
  const shared = { source: source.name, file, hides: [], sourceDigest: digest };
  if (!compilation.ok) {
    const { violations, title, id = nameOf(file) } = compilation;
    const broken = { title: title ?? id, description: '', kind: 'workflow', tags: [] } as const;
    const errors = violations.filter(({ severity }) => severity === 'error');
    return { id, ...broken, ...statusOf(id, source), ...shared, violations: [...namespaceErrors(id, source, text), ...errors], warnings: violations.filter(({ severity }) => severity === 'warning') };
  }
  const { id, title, description, version, kind, tags } = compilation.workflow;
  const status = statusOf(id, source);
  const renaming = status.suggestedId === undefined ? [] : [legacyId(id, status.suggestedId, text)];
  return { id, title, description, version, kind, tags, ...status, ...shared, violations: namespaceErrors(id, source, text), warnings: [...renaming, ...compilation.warnings] };
}

function statusOf(id: string, source: WorkflowSource): { readonly idStatus: LibraryEntry['idStatus']; readonly suggestedId?: string } {
  if (id.includes('.')) return { idStatus: 'namespaced' };
  const namespace = source.name === 'bundled' ? 'wr' : source.name;
  // The name of a broken file may be anything; only a name that would be valid is worth suggesting.
  return { idStatus: 'legacy', ...(/^[a-z][a-z0-9_-]*$/u.test(id) ? { suggestedId: `${namespace}.${id}` } : {}) };
}

function namespaceErrors(id: string, source: WorkflowSource, text: string): readonly Violation[] {
  return id.startsWith('wr.') && source.name !== 'bundled' ? [reservedNamespace(id, source.name, text)] : [];
}

/** Where the id stands in a source, for what is only known once several sources are compared. */
function placeOfId(text: string): { readonly line?: number; readonly column?: number } {
  const found = /^([ \t{]*"?workflow"?[ \t]*:[ \t]*)\S/mu.exec(text);
  if (found === null) return {};
  return { line: text.slice(0, found.index).split('\n').length, column: (found[1]?.length ?? 0) + 1 };
}

function nameOf(file: string): string {
  return file.slice(file.lastIndexOf('/') + 1).replace(/\.[^.]+$/u, '');
}

function reservedNamespace(id: string, source: string, text: string): Violation {
  const renamed = `${source}.${id.slice('wr.'.length)}`;
  return { severity: 'error', rule: 'reserved_namespace', pointer: '/workflow', ...placeOfId(text), message: `ids in \`wr.\` are for the bundled workflows; rename this one, for example \`workflow: ${renamed}\``, actual: id, closest: renamed };
}

function legacyId(id: string, suggested: string, text: string): Violation {
  return { severity: 'warning', rule: 'legacy_id', pointer: '/workflow', ...placeOfId(text), message: `\`${id}\` has no namespace; rename it, for example \`workflow: ${suggested}\``, actual: id, closest: suggested };
}

/** Of several startable files with one id in one source, the first by path stays so. */
function withoutDoubles(found: readonly Candidate[]): readonly Candidate[] {
  const first = new Map<string, string>();
  return found.map((candidate) => {
    const { entry } = candidate;
    if (entry.violations.length > 0) return candidate;
    const other = first.get(entry.id);
    if (other === undefined) {
      first.set(entry.id, entry.file);
      return candidate;
    }
    const double: Violation = { severity: 'error', rule: 'duplicate_id', pointer: '/workflow', ...placeOfId(candidate.loaded.text), message: `${other} has the id \`${entry.id}\` already; give one of them another`, actual: entry.id };
    return { ...candidate, entry: { ...entry, violations: [double] } };
  });
}

/** What the list shows: of each id the startable one of highest precedence, and every broken file. A broken file hides nothing. */
function shown(bySource: readonly (readonly Candidate[])[]): readonly Candidate[] {
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
