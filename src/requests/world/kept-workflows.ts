import { existsSync, lstatSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { sha256Hex } from '../../base/digest.js';
import { limits } from '../../base/limits.js';
import type { KeptFile } from '../../library/compile-files.js';
import type { WorkflowSource } from '../../library/library-entry.js';
import type { KeptCompilations } from '../../library/workflow-library.js';
import { localFolder, localPlace } from '../../machine/local-folder.js';
import { readSealed, writeSealed } from '../../files/sealed-file.js';
import type { DataRoot } from '../../machine/data-root.js';

/** What one build of the program compiled; another may make something else of the same files. */
interface Kept {
  /** Digest of the sources of that build. */
  readonly build: string;
  readonly files: readonly KeptFile[];
}

const purpose = 'compiled workflows';
const prefix = 'workflows-';

/**
 * What workflow files compile to: the bundled ones as the build left them, the others as an earlier process did, below
 * `local/`. That file is sealed, so that nobody else's is believed, and the library holds each entry against the digests
 * of its file and of all that it calls. A program that does not know its build keeps nothing.
 */
export function openKeptWorkflows(
  root: DataRoot,
  sources: readonly WorkflowSource[],
  builtFile: string | undefined,
  key: () => Uint8Array,
): KeptCompilations {
  const name = `${prefix}${sha256Hex(JSON.stringify(sources)).slice(0, 16)}`;
  let build: string | undefined;
  let unsaved = 0;
  let all: () => readonly KeptFile[] = () => [];
  let saving: NodeJS.Timeout | undefined;

  const save = (): void => {
    clearTimeout(saving);
    saving = undefined;
    const folder = build === undefined || unsaved < limits.compiledKeptFrom ? undefined : localFolder(root, 'index');
    if (build === undefined || folder === undefined) return;
    unsaved = 0;
    const text = Buffer.from(JSON.stringify({ build, files: all() } satisfies Kept));
    if (text.length > limits.compiledKept) return;
    if (writeSealed(join(folder, name), purpose, key(), () => text)) removeOldest(folder);
  };

  return {
    read: () => {
      const built = builtFile === undefined ? undefined : parsed(() => readFileSync(builtFile));
      if (built === undefined) return [];
      build = built.build;
      const own = parsed(() => {
        const folder = localPlace(root, 'index');
        const file = folder && join(folder, name);
        return file !== undefined && existsSync(file) ? readSealed(file, purpose, key()) : undefined;
      });
      return own?.build === build ? [...built.files, ...own.files] : built.files;
    },
    compiled: (count, kept) => {
      unsaved += count;
      all = kept;
      if (unsaved >= limits.compiledKeptFrom) saving ??= setTimeout(save, limits.indexSaveMs).unref();
    },
    close: save,
  };
}

/** Whatever is wrong with it costs time and nothing else. */
function parsed(read: () => Buffer | undefined): Kept | undefined {
  try {
    const bytes = read();
    return bytes === undefined ? undefined : (JSON.parse(bytes.toString()) as Kept);
  } catch {
    return undefined;
  }
}

/** One file for each set of folders that somebody worked with, and not for ever. */
function removeOldest(folder: string): boolean {
  try {
    const files = readdirSync(folder).flatMap((name) => {
      const path = join(folder, name);
      return name.startsWith(prefix) ? [{ path, at: lstatSync(path).mtimeMs }] : [];
    });
    for (const { path } of files.toSorted((a, b) => b.at - a.at).slice(limits.compiledKeptFiles)) rmSync(path);
    return true;
  } catch {
    // Another process does the same, or has taken the folder away.
    return false;
  }
}
