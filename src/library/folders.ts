import type { LibraryFile, ReadFile } from './compile-files.js';
import { decodeFile } from './decode-file.js';
import type { WorkflowSource } from './library-entry.js';
import { fileState, readWorkflowFile, workflowFiles, type WorkflowFile } from './workflow-files.js';

interface FoundFile extends WorkflowFile {
  readonly label: string;
}

interface Held {
  /** Undefined where a look at the file's state would prove nothing. */
  readonly state: string | undefined;
  readonly read: ReadFile;
}

/** The files of a library's folders as they were when they were last read. */
export class Folders {
  /** By source, each in the order of their paths. */
  private files: readonly (readonly FoundFile[])[] = [];
  private held = new Map<string, Held>();

  constructor(private readonly sources: readonly WorkflowSource[]) {}

  /** Reads what may have changed; says whether anything did. */
  read(changes: ReadonlySet<string> | 'anything'): boolean {
    if (changes !== 'anything' && changes.size === 0) return false;
    // A file that came or went is one that no folder knows yet, or only a folder.
    const only =
      changes !== 'anything' && [...changes].every((path) => this.held.has(path) && fileState(path) !== undefined)
        ? changes
        : undefined;
    const files = only ? this.files : this.find();
    const before = this.held;
    const now = new Map<string, Held>();
    for (const file of files.flat()) {
      const known = before.get(file.path);
      const held = known && only?.has(file.path) === false ? known : look(file, known);
      if (held) now.set(file.path, held);
    }
    this.held = now;
    // One that went while it was looked at is not there.
    this.files = files.map((inSource) => inSource.filter(({ path }) => now.has(path)));
    return now.size !== before.size || [...now].some(([path, { read }]) => before.get(path)?.read !== read);
  }

  /** A file that lies in two sources, since one folder is within the other, is of the higher. */
  private find(): readonly (readonly FoundFile[])[] {
    const taken = new Set<string>();
    const found = this.sources.toReversed().map(({ folder, label, refused }) => {
      const problem = refused?.();
      const there = problem === undefined ? workflowFiles(folder) : [{ relative: '', path: folder, problem }];
      const own = there.filter(({ path }) => !taken.has(path));
      for (const { path } of own) taken.add(path);
      return own.map((file) => ({ ...file, label: `${label}/${file.relative}`.replace(/\/$/u, '') }));
    });
    return found.toReversed();
  }

  /** By source, each with what was read. */
  found(): readonly (readonly LibraryFile[])[] {
    return this.sources.map((source, at) =>
      this.files[at]!.map(({ path, label }) => ({ path, label, source, read: this.held.get(path)!.read })),
    );
  }

  isAsRead(path: string): boolean {
    // A file that was read while it was fresh has no state to go by, and one that is gone has none either.
    const state = this.held.get(path)?.state;
    return state !== undefined && fileState(path) === state;
  }
}

/** What is held of a file stays the same object for as long as its bytes are the same. */
function look({ path, label, problem }: FoundFile, known: Held | undefined): Held | undefined {
  if (problem === undefined && known?.state !== undefined && known.state === fileState(path)) return known;
  const content = problem === undefined ? readWorkflowFile(path) : { state: undefined, unreadable: problem };
  if (!content) return undefined;
  const read = decodeFile(content, label);
  return {
    state: content.state,
    read: known?.read.digest === read.digest && known.read.broken?.message === read.broken?.message ? known.read : read,
  };
}
