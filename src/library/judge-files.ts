import { realpathSync } from 'node:fs';
import type { CommandLookup } from '../definitions/compiled/command-lookup.js';
import { type LibraryFile, openCompiler } from './compile-files.js';
import { decodeFile } from './decode-file.js';
import { Folders } from './folders.js';
import { judge } from './judge.js';
import type { Candidate } from './library-entries.js';
import type { WorkflowSource } from './library-entry.js';
import type { FileInLibrary } from './workflow-library.js';
import { readWorkflowFile } from './workflow-files.js';

/** A file by its absolute path, and what it is called in messages. With a text it is judged as if it held that. */
export interface GivenFile {
  readonly path: string;
  readonly label: string;
  readonly text?: string;
  /** Where it will lie, which says what its id should be. */
  readonly source?: 'user' | 'project' | 'configured';
}

/** What is said of a file, and what it compiles to. */
export type JudgedFile = FileInLibrary & Pick<Candidate, 'compilation'>;

/**
 * What is to be said of files wherever they lie: what a start would say if they lay in the project's own folder. They may
 * call what is in the library, and each other. Undefined for one that is not there.
 */
export function judgeFiles(
  sources: readonly WorkflowSource[],
  given: readonly GivenFile[],
  commands?: CommandLookup,
): readonly (JudgedFile | undefined)[] {
  const folders = new Folders(sources);
  folders.read('anything');
  const real = given.map(({ path }) => realPath(path));
  const texts = new Map(
    given.flatMap(({ text }, index) => (text === undefined ? [] : [[real[index]!, text] as const])),
  );
  const found = folders
    .found()
    .map((inSource) => inSource.map((file) => withText(file, texts.get(realPath(file.path)))));
  const inLibrary = new Set(found.flat().map(({ path }) => realPath(path)));
  const outside = new Map<string, LibraryFile>();
  given.forEach(({ label, text, source: name = 'project' }, index) => {
    const path = real[index]!;
    const content = inLibrary.has(path) ? undefined : text === undefined ? readWorkflowFile(path) : asRead(text);
    const source = { name, folder: '', label: '' } as const;
    if (content !== undefined) outside.set(path, { path, label, source, read: decodeFile(content, label) });
  });
  // Each is a source of its own: two versions of one workflow may be checked side by side.
  const { bySource } = judge(
    [...found, ...[...outside.values()].map((one) => [one])],
    openCompiler(undefined, commands),
  );
  const judged = new Map(bySource.flat().map((candidate) => [realPath(candidate.path), candidate]));
  return given.map(({ path, label }, index) => {
    const found = judged.get(real[index]!);
    return found && { ...found, path, entry: { ...found.entry, file: label } };
  });
}

const asRead = (text: string): { readonly state: undefined; readonly bytes: Uint8Array } => ({
  state: undefined,
  bytes: Buffer.from(text),
});

const withText = (file: LibraryFile, text: string | undefined): LibraryFile =>
  text === undefined ? file : { ...file, read: decodeFile(asRead(text), file.label) };

/** A link that somebody names outright is followed; one that was merely found is not. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause) return path;
    throw cause;
  }
}
