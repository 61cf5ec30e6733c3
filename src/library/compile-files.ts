import { firstWords } from '../base/byte-budget.js';
import { sha256Hex } from '../base/digest.js';
import { limits } from '../base/limits.js';
import type { Compilation, Routines } from '../definitions/expand/compilation.js';
import { commandKey, type CommandLookup, commandParts } from '../definitions/compiled/command-lookup.js';
import { compileDocument } from '../definitions/compile-source.js';
import { parseSource, type SourceDocument } from '../definitions/source/source-document.js';
import type { Violation } from '../definitions/source/violation.js';
import type { Result } from '../base/result.js';
import { outlineOf, type FileOutline } from './file-outline.js';
import type { WorkflowSource } from './library-entry.js';
import { variantRank } from './variant-rank.js';

/** What a file held when it was read. The same object means the same bytes. */
export interface ReadFile {
  readonly digest: string;
  readonly text: string;
  /** Why there is no text. */
  readonly broken?: Violation;
}

export interface LibraryFile {
  readonly path: string;
  readonly label: string;
  readonly source: WorkflowSource;
  readonly read: ReadFile;
}

interface Parsed {
  readonly document: () => Result<SourceDocument, readonly Violation[]>;
  readonly outline: FileOutline;
}

/** A file as it was compiled once, to be read back instead of compiling it again. Plain data. */
export interface KeptFile {
  /** SHA-256 of the file's bytes. */
  readonly digest: string;
  readonly label: string;
  readonly outline: FileOutline;
  readonly compilation: Compilation;
  readonly asked: readonly (readonly [id: string, identity: string])[];
  readonly identity: string;
}

/** One file as it was compiled, and what that rested on. */
interface Settled {
  readonly read: ReadFile;
  readonly label: string;
  readonly compilation: Compilation;
  /** The routines and the commands that it asked for, each with the identity it had. */
  readonly asked: ReadonlyMap<string, string>;
  /** The same identity means that it compiles to the same. */
  readonly identity: string;
}

export interface CompiledFiles {
  compilation(path: string): Compilation;
  /** What the file says of itself, whether it compiles or not. */
  outline(file: LibraryFile): FileOutline;
  /** The files that a file's compilation rested on, itself included. */
  restsOn(path: string): readonly string[];
  /** Whether any of it rests on commands. */
  readonly usesCommands: boolean;
  /** How many compile and were not known before. */
  readonly anew: number;
  /** What a later process of the same program may be opened with. What does not compile is told in the words of all files together. */
  kept(): readonly KeptFile[];
}

/**
 * Compiles files that may call each other. A routine is found by its id with the precedence of the sources, compiled once,
 * and whoever called it is compiled anew when it has become another: its identity is part of theirs.
 */
export function openCompiler(
  kept: () => readonly KeptFile[] = () => [],
  commands?: CommandLookup,
): (bySource: readonly (readonly LibraryFile[])[]) => CompiledFiles {
  const parsed = new WeakMap<ReadFile, Parsed>();
  let keptByName: ReadonlyMap<string, KeptFile> | undefined;
  const keptOf = ({ read, label }: LibraryFile): KeptFile | undefined => {
    keptByName ??= new Map(kept().map((one) => [`${one.digest} ${one.label}`, one]));
    return read.broken ? undefined : keptByName.get(`${read.digest} ${label}`);
  };
  let before: ReadonlyMap<string, Settled> = new Map();
  const parse = (file: LibraryFile): Parsed => {
    const known = parsed.get(file.read);
    if (known) return known;
    const { read, label } = file;
    let found: ReturnType<Parsed['document']> | undefined;
    const document: Parsed['document'] = () =>
      (found ??= read.broken
        ? { ok: false, error: [read.broken] }
        : orViolation(label, () => parseSource(read.text, label)));
    const outline = (): FileOutline => {
      const source = document();
      return outlineOf(source.ok ? source.value.value : undefined, read.text, label);
    };
    const fresh = { document, outline: keptOf(file)?.outline ?? outline() };
    parsed.set(read, fresh);
    return fresh;
  };
  const settledBefore = (file: LibraryFile): Settled | undefined => {
    const known = before.get(file.path);
    const one = known === undefined ? keptOf(file) : undefined;
    return one === undefined ? known : { ...one, read: file.read, asked: new Map(one.asked) };
  };
  return (bySource) => {
    const turn = new Turn(bySource, settledBefore, parse, commands);
    before = turn.all();
    return turn;
  };
}

/** A mistake of ours that one file brings out is told of that file, and hides no other. */
function orViolation<T>(label: string, run: () => T): T | { readonly ok: false; readonly error: readonly Violation[] } {
  try {
    return run();
  } catch (cause) {
    const said = firstWords(cause instanceof Error ? cause.message : String(cause), limits.recordedReason);
    const message = `WorkRail has a bug that ${label} triggers (${said}): undo your last change, and report it with the file`;
    return { ok: false, error: [{ severity: 'error', rule: 'internal', pointer: '', line: 1, column: 1, message }] };
  }
}

/** Names of commands among those of routines, which have no blank in them. */
const ofCommand = 'run ';
const anyCommand = 'run *';
const commandIdentity = (found: ReturnType<CommandLookup>): string =>
  found === undefined ? 'none' : sha256Hex(JSON.stringify(found));

/** One look at all files together. */
class Turn implements CompiledFiles {
  private readonly byId = new Map<string, LibraryFile[]>();
  private readonly open = new Set<string>();
  private readonly done = new Map<string, Settled>();
  anew = 0;

  constructor(
    private readonly bySource: readonly (readonly LibraryFile[])[],
    private readonly before: (file: LibraryFile) => Settled | undefined,
    private readonly parse: (file: LibraryFile) => Parsed,
    private readonly commands: CommandLookup | undefined,
  ) {
    const bestFirst = bySource
      .toReversed()
      .flatMap((files) => files.toSorted((a, b) => variantRank(b.path) - variantRank(a.path)));
    for (const file of bestFirst) {
      const { id } = this.outline(file);
      if (id === undefined) continue;
      this.byId.set(id, [...(this.byId.get(id) ?? []), file]);
    }
  }

  all(): ReadonlyMap<string, Settled> {
    for (const file of this.bySource.flat()) this.settle(file);
    return this.done;
  }

  compilation(path: string): Compilation {
    return this.done.get(path)!.compilation;
  }

  outline(file: LibraryFile): FileOutline {
    return this.parse(file).outline;
  }

  restsOn(path: string): readonly string[] {
    const found = new Set<string>();
    const walk = (at: string): void => {
      if (found.has(at)) return;
      found.add(at);
      for (const id of this.done.get(at)?.asked.keys() ?? [])
        for (const file of this.byId.get(id) ?? []) walk(file.path);
    };
    walk(path);
    return [...found];
  }

  get usesCommands(): boolean {
    return [...this.done.values()].some(({ asked }) => [...asked.keys()].some((name) => name.startsWith(ofCommand)));
  }

  kept(): readonly KeptFile[] {
    return this.bySource.flat().flatMap((file) => {
      const settled = this.done.get(file.path);
      if (settled?.compilation.ok !== true) return [];
      const { label, compilation, asked, identity } = settled;
      return [
        { digest: file.read.digest, label, outline: this.outline(file), compilation, asked: [...asked], identity },
      ];
    });
  }

  private settle(file: LibraryFile): Settled {
    const known = this.done.get(file.path);
    if (known) return known;
    this.open.add(file.path);
    const was = this.before(file);
    const same =
      was?.read === file.read &&
      was.label === file.label &&
      [...was.asked].every(([id, identity]) => this.identityOf(id) === identity);
    const settled = same ? was : this.compile(file);
    this.open.delete(file.path);
    this.done.set(file.path, settled);
    return settled;
  }

  private compile(file: LibraryFile): Settled {
    const document = this.parse(file).document();
    const asked = new Map<string, string>();
    const compiled = document.ok
      ? orViolation(file.label, () =>
          compileDocument(document.value, file.label, this.routines(asked), this.lookingUp(asked)),
        )
      : document;
    const compilation: Compilation = 'error' in compiled ? { ok: false, violations: compiled.error } : compiled;
    const said = compilation.ok ? compilation.warnings : compilation.violations;
    if (said.some(({ rule }) => rule === 'catalogs_not_read')) asked.set(anyCommand, this.identityOf(anyCommand));
    if (compilation.ok) this.anew += 1;
    const identity = sha256Hex(
      JSON.stringify([file.read.digest, ...[...asked].toSorted(([a], [b]) => (a < b ? -1 : 1))]),
    );
    return { read: file.read, label: file.label, compilation, asked, identity };
  }

  /** A catalog that changes makes another of each file that uses what has changed. */
  private lookingUp(asked: Map<string, string>): CommandLookup | undefined {
    const { commands } = this;
    if (commands === undefined) return undefined;
    const lookup: CommandLookup = (catalog, command) => {
      asked.set(`${ofCommand}${commandKey({ catalog, command })}`, commandIdentity(commands(catalog, command)));
      return commands(catalog, command);
    };
    // What is answered changes with the catalog, whose digest is in what is looked up.
    return Object.assign(lookup, { answers: commands.answers });
  }

  private routines(asked: Map<string, string>): Routines {
    const find: Routines = (id) => {
      asked.set(id, this.identityOf(id));
      const file = this.fileFor(id);
      if (!file) return undefined;
      const { document } = this.parse(file);
      return {
        file: file.label,
        compile: () => (this.open.has(file.path) ? undefined : this.settle(file).compilation),
        source: () => {
          const parsed = document();
          return parsed.ok ? parsed.value.value : undefined;
        },
      };
    };
    return Object.assign(find, { ids: () => [...this.byId.keys()] });
  }

  /** The startable file of highest precedence, else any that is called so: it tells what is wrong. */
  private fileFor(id: string): LibraryFile | undefined {
    const files = this.byId.get(id) ?? [];
    return (
      files.find(
        (file) =>
          this.open.has(file.path) ||
          (this.settle(file).compilation.ok && (file.source.name === 'bundled' || !id.startsWith('wr.'))),
      ) ?? files[0]
    );
  }

  private identityOf(id: string): string {
    if (id === anyCommand) return this.commands === undefined ? 'none' : 'looked up';
    if (id.startsWith(ofCommand)) {
      const parts = commandParts(id.slice(ofCommand.length));
      return parts === undefined ? 'none' : commandIdentity(this.commands?.(parts.catalog, parts.command));
    }
    const file = this.fileFor(id);
    if (!file) return 'none';
    return this.open.has(file.path) ? `around ${file.read.digest}` : this.settle(file).identity;
  }
}
