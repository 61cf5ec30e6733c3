import { closestNames } from '../base/closest-name.js';
import type { WorkflowHash } from '../base/ids.js';
import type { CompiledWorkflow } from '../definitions/compiled-workflow.js';
import { pinWorkflow, type Pin } from '../definitions/pin.js';
import { openCompiler, type CompiledFiles, type LibraryFile } from './compile-files.js';
import { Folders } from './folders.js';
import { entryOf, shown, withoutDoubles, type Candidate } from './library-entries.js';
import type { LibraryEntry, WorkflowSource } from './library-entry.js';
import { watchFolders, type FolderWatch } from './watch-folders.js';
import { fileState } from './workflow-files.js';

export interface Library {
  list(): Promise<readonly LibraryEntry[]>;
  /** The startable workflow of that id, else a broken one. `source` is the file's text, empty when it could not be read. */
  find(id: string): Promise<{ readonly entry: LibraryEntry; readonly workflow?: CompiledWorkflow; readonly source: string } | undefined>;
  closest(id: string): Promise<readonly string[]>;
  /** The pin of a workflow that is here in exactly that form, hidden ones included. */
  byHash(hash: WorkflowHash): Promise<string | undefined>;
  /** From now on look only at what the system says has changed. For whoever stays; until `close`. */
  watch(): void;
  close(): Promise<void>;
}

/** Everything as it was at the last look. */
interface View {
  readonly bySource: readonly (readonly Candidate[])[];
  readonly listed: readonly Candidate[];
  readonly compiled: CompiledFiles;
}

/** A library over folders, in rising precedence. It reads, and never writes. */
export function openLibrary(sources: readonly WorkflowSource[]): Library {
  const folders = new Folders(sources);
  const pins = new WeakMap<CompiledWorkflow, Pin>();
  const compile = openCompiler();
  let watching: FolderWatch | undefined;
  let view: View | undefined;
  let turn: Promise<unknown> = Promise.resolve();

  /** One look after the other: two at once could each see half of a change. */
  function look(): Promise<View> {
    const next = turn.then(refreshed);
    turn = next.catch(() => undefined);
    return next;
  }

  async function refreshed(): Promise<View> {
    const changed = await folders.read(watching?.changes() ?? 'anything');
    if (changed || !view) view = viewOf();
    return view;
  }

  function viewOf(): View {
    const listed = sources.map((source, at) => folders.files[at]!.map((file) => ({ source, file, label: `${source.label}/${file.relative}` })));
    const compiled = compile(listed.map((inSource) => inSource.flatMap(({ source, file, label }): readonly LibraryFile[] => [{ path: file.path, label, bundled: source.name === 'bundled', read: folders.contents.get(file.path)! }])));
    const bySource = listed.map((inSource) =>
      withoutDoubles(
        inSource.map(({ source, file: { path }, label }) => {
          const read = folders.contents.get(path)!;
          const compilation = compiled.compilation(path);
          return { path, text: read.text, compilation, entry: entryOf(read, compilation, source, label) };
        }),
      ),
    );
    return { bySource, listed: shown(bySource), compiled };
  }

  /** The system may tell of a change a moment late. What is to be run is looked at itself. */
  function isStale({ compiled }: View, candidate: Candidate | undefined): boolean {
    if (!watching) return false;
    if (!candidate) return true;
    return compiled.restsOn(candidate.path).some((path) => fileState(path) !== folders.contents.get(path)?.state);
  }

  async function candidateOf(id: string): Promise<Candidate | undefined> {
    const seen = await look();
    const found = called(seen, id);
    if (!isStale(seen, found)) return found;
    watching?.distrust();
    return called(await look(), id);
  }

  return {
    async list() {
      return (await look()).listed.map(({ entry }) => entry);
    },
    async find(id) {
      const candidate = await candidateOf(id);
      if (!candidate) return undefined;
      const { entry, text, compilation } = candidate;
      return { entry, source: text, ...(compilation.ok && entry.violations.length === 0 ? { workflow: compilation.workflow } : {}) };
    },
    async closest(id) {
      return closestNames(id, (await look()).listed.filter(({ entry }) => entry.violations.length === 0).map(({ entry }) => entry.id));
    },
    async byHash(hash) {
      for (const { compilation } of (await look()).bySource.flat()) {
        if (!compilation.ok) continue;
        const { workflow } = compilation;
        const pin = pins.get(workflow) ?? pinWorkflow(workflow);
        pins.set(workflow, pin);
        if (pin.hash === hash) return pin.text;
      }
      return undefined;
    },
    watch() {
      watching ??= watchFolders(sources.map(({ folder }) => folder));
    },
    async close() {
      await watching?.close();
      watching = undefined;
    },
  };
}

function called({ listed }: View, id: string): Candidate | undefined {
  const candidates = listed.filter(({ entry }) => entry.id === id);
  return candidates.find(({ entry }) => entry.violations.length === 0) ?? candidates[0];
}
