import type { CompiledFiles, LibraryFile, openCompiler } from './compile-files.js';
import { type Candidate, entryOf, withoutDoubles } from './library-entries.js';
import type { WorkflowSource } from './library-entry.js';

export interface FileInSource {
  readonly source: WorkflowSource;
  readonly file: LibraryFile;
}

/** What is to be said of each file, all of them seen together. */
export function judge(
  found: readonly (readonly FileInSource[])[],
  compile: ReturnType<typeof openCompiler>,
): { readonly bySource: readonly (readonly Candidate[])[]; readonly compiled: CompiledFiles } {
  const compiled = compile(found.map((inSource) => inSource.map(({ file }) => file)));
  const bySource = found.map((inSource) =>
    withoutDoubles(
      inSource.map(({ source, file }) => {
        const { path, label, read } = file;
        const compilation = compiled.compilation(path);
        return {
          path,
          text: read.text,
          compilation,
          entry: entryOf(read.digest, read.text, compilation, compiled.outline(file), { source, file: label }),
        };
      }),
    ),
  );
  return { bySource, compiled };
}
