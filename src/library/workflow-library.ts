import { closestNames, isSlip } from '../base/closest-name.js';
import type { WorkflowHash } from '../base/ids.js';
import { oncePerObject } from '../base/once-per-object.js';
import type { CompiledWorkflow } from '../definitions/compiled/compiled-workflow.js';
import { nearestToOlderRoutine, olderRoutineIds } from '../definitions/source/older-routines.js';
import { pinWorkflow } from '../definitions/compiled/pin.js';
import type { CommandLookup } from '../definitions/compiled/command-lookup.js';
import { closestByPurpose } from './closest-by-purpose.js';
import { openCompiler, type CompiledFiles, type KeptFile } from './compile-files.js';
import { isUnread } from './decode-file.js';
import { Folders } from './folders.js';
import { judge } from './judge.js';
import { shown, type Candidate } from './library-entries.js';
import type { LibraryEntry, WorkflowSource } from './library-entry.js';
import { watchFolders, type FolderWatch } from './watch-folders.js';

export interface Library {
  list(): Promise<readonly LibraryEntry[]>;
  /** The same with what their files hold and where those lie, for whoever mends them. */
  files(): Promise<readonly FileInLibrary[]>;
  /** The startable workflow of that id, else a broken one. */
  find(id: string): Promise<FoundInLibrary | undefined>;
  /** As the last look saw it, found anew only where a file that it rests on is not as it was then. Nothing before any look, unless it is watched. */
  glance(id: string): Promise<FoundInLibrary | undefined>;
  /** Ids that may have been meant, broken files included: they tell what is wrong with them. */
  closest(id: string): Promise<readonly string[]>;
  /** Who calls what is in a file, or what is called so by others. */
  callersOf(path: string): Promise<readonly LibraryEntry[]>;
  /** The pin of a workflow that is here in exactly that form, hidden ones included. */
  byHash(hash: WorkflowHash): Promise<string | undefined>;
  /** From now on look only at what the system says has changed. For whoever stays; until `close`. */
  watch(): void;
  close(): Promise<void>;
}

export type FileInLibrary = Omit<Candidate, 'compilation'>;

export interface FoundInLibrary {
  readonly entry: LibraryEntry;
  /** Where its file lies. */
  readonly path: string;
  readonly workflow?: CompiledWorkflow;
  /** The file's text, empty when it could not be read. */
  readonly source: string;
  /** Files of the same id that would come before it, were they not broken. */
  readonly passedOver: readonly LibraryEntry[];
}

/** Everything as it was at the last look. */
interface View {
  readonly bySource: readonly (readonly Candidate[])[];
  readonly listed: readonly Candidate[];
  readonly compiled: CompiledFiles;
  /** Of the commands that it rests on; undefined where it rests on none. */
  readonly commands: string | undefined;
}

/** Where commands of workflows are looked up, and what changes whenever an answer may be another. */
export interface LibraryCommands {
  readonly lookup: CommandLookup;
  readonly state: () => string;
}

/** What an earlier process compiled, and who is told of what this one does. */
export interface KeptCompilations {
  readonly read: () => readonly KeptFile[];
  /** So many were compiled anew, at any look; `all` gives those and the others. */
  readonly compiled: (count: number, all: () => readonly KeptFile[]) => void;
  readonly close: () => void;
}

/** A library over folders, in rising precedence. It reads; `write-workflow.ts` writes. What is `kept` need not be compiled again while its file is the same, nor what its `commands` are. */
export function openLibrary(
  sources: readonly WorkflowSource[],
  kept?: KeptCompilations,
  commands?: LibraryCommands,
): Library {
  const folders = new Folders(sources);
  const pinOf = oncePerObject(pinWorkflow);
  const compile = openCompiler(kept?.read, commands?.lookup);
  let watching: FolderWatch | undefined;
  let view: View | undefined;

  function look(): View {
    const changed = folders.read(watching?.changes() ?? 'anything');
    if (changed || !view || hasOtherCommands(view)) view = viewOf();
    return view;
  }

  const hasOtherCommands = (seen: View): boolean => seen.commands !== undefined && seen.commands !== commands?.state();

  function viewOf(): View {
    const state = commands?.state();
    const { bySource, compiled } = judge(folders.found(), compile);
    if (compiled.anew > 0) kept?.compiled(compiled.anew, () => compiled.kept());
    return { bySource, listed: shown(bySource), compiled, commands: compiled.usesCommands ? state : undefined };
  }

  /** The system may tell of a change a moment late. What is to be run is looked at itself. */
  function isStale({ compiled }: View, candidate: Candidate | undefined): boolean {
    if (!watching) return false;
    if (!candidate) return true;
    return compiled.restsOn(candidate.path).some((path) => !folders.isAsRead(path));
  }

  function lookFor(id: string): { readonly seen: View; readonly candidate: Candidate | undefined } {
    const first = look();
    const found = called(first, id);
    if (!isStale(first, found)) return { seen: first, candidate: found };
    watching?.distrust();
    const seen = look();
    return { seen, candidate: called(seen, id) };
  }

  function find(id: string): FoundInLibrary | undefined {
    const first = lookFor(id);
    // A fault may pass, and what could not be read may hold it: who is told of it next must not be told what is there now.
    const isDoubtful = !first.candidate && first.seen.listed.some(({ entry }) => isUnread(entry));
    const { seen, candidate } = isDoubtful ? lookFor(id) : first;
    return candidate && foundIn(seen)(candidate);
  }

  return {
    list: async () => look().listed.map(({ entry }) => entry),
    files: async () => {
      const { bySource, listed } = look();
      return [...new Set([...listed, ...bySource.flat()])];
    },
    find: async (id) => find(id),
    async glance(id) {
      // Who stays looks once: a server that was started anew goes on with runs that it has not started.
      const seen = view ?? (watching && look());
      const candidate = seen && called(seen, id);
      if (!seen || !candidate) return undefined;
      const asRead =
        !hasOtherCommands(seen) && seen.compiled.restsOn(candidate.path).every((path) => folders.isAsRead(path));
      return asRead ? foundIn(seen)(candidate) : find(id);
    },
    closest: async (id) => {
      const entries = look().listed.map(({ entry }) => entry);
      const ids = [...new Set(entries.map((entry) => entry.id))];
      const spelled = closestNames(id, ids);
      // Somebody who knows the purpose and not the name spells another one by chance.
      const slips = spelled.filter((name) => isSlip(id, name));
      // An author's own under the name that it was told to take comes before what is bundled and much the same.
      const [own, bundled] = [false, true].map((isOurs) =>
        olderRoutineIds(id).filter((one) => ids.includes(one) && one.startsWith('wr.') === isOurs),
      );
      const older = [...bundled!, nearestToOlderRoutine(id) ?? ''].filter((one) => ids.includes(one));
      return [...new Set([...own!, ...slips, ...older, ...closestByPurpose(id, entries), ...spelled])].slice(0, 3);
    },
    callersOf: async (path) => {
      const { listed, compiled } = look();
      const rests = (at: string): boolean => at !== path && compiled.restsOn(at).includes(path);
      return listed.filter((candidate) => rests(candidate.path)).map(({ entry }) => entry);
    },
    async byHash(hash) {
      for (const { compilation } of look().bySource.flat()) {
        if (!compilation.ok) continue;
        const pin = pinOf(compilation.workflow);
        if (pin.hash === hash) return pin.text;
      }
      return undefined;
    },
    watch() {
      watching ??= watchFolders(sources.map(({ folder }) => folder));
    },
    async close() {
      kept?.close();
      await watching?.close();
      watching = undefined;
    },
  };
}

/** Each step asks for its own file, among however many. */
const firstById = oncePerObject(({ listed }: View) => {
  const found = new Map<string, Candidate>();
  for (const startableOnly of [true, false])
    for (const candidate of listed) {
      const { id, violations } = candidate.entry;
      if (!found.has(id) && (violations.length === 0 || !startableOnly)) found.set(id, candidate);
    }
  return found;
});

const called = (view: View, id: string): Candidate | undefined => firstById(view).get(id);

const foundIn = oncePerObject((seen: View) =>
  oncePerObject((candidate: Candidate): FoundInLibrary => {
    const { entry, text, compilation } = candidate;
    const startable = compilation.ok && entry.violations.length === 0;
    return {
      entry,
      path: candidate.path,
      source: text,
      passedOver: passedOver(seen, candidate),
      ...(startable && { workflow: compilation.workflow }),
    };
  }),
);

function passedOver({ bySource }: View, { path, entry }: Candidate): readonly LibraryEntry[] {
  const own = bySource.findIndex((inSource) => inSource.some((candidate) => candidate.path === path));
  const above = bySource.slice(own + 1).flat();
  return entry.violations.length > 0
    ? []
    : above.flatMap((candidate) => (candidate.entry.id === entry.id ? [candidate.entry] : []));
}
