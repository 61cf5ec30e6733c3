import { statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The first of a client's roots that is a folder of this machine. */
export function rootFolder(roots: readonly { readonly uri: string }[]): string | undefined {
  return roots.flatMap(({ uri }) => folderOf(uri) ?? [])[0];
}

function folderOf(uri: string): string | undefined {
  if (!uri.startsWith('file:')) return undefined;
  try {
    const folder = fileURLToPath(uri);
    return statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true ? folder : undefined;
  } catch {
    // A uri that names no path here, or a folder that may not be looked at, is as good as none.
    return undefined;
  }
}
