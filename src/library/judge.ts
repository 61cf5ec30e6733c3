import type { CompiledFiles, LibraryFile, openCompiler } from './compile-files.js';
import { type Candidate, entryOf, withoutDoubles } from './library-entries.js';

/** What is to be said of each file, all of them seen together. */
export function judge(
  found: readonly (readonly LibraryFile[])[],
  compile: ReturnType<typeof openCompiler>,
): { readonly bySource: readonly (readonly Candidate[])[]; readonly compiled: CompiledFiles } {
  const compiled = compile(found);
  const bySource = found.map((inSource) =>
    withoutDoubles(
      inSource.map((file) => {
        const compilation = compiled.compilation(file.path);
        const entry = entryOf(file, compilation, compiled.outline(file));
        return { path: file.path, text: file.read.text, compilation, entry };
      }),
    ),
  );
  return { bySource, compiled };
}
