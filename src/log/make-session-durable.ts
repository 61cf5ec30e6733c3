import { join } from 'node:path';
import { isRealFolder, syncFile, syncFolder } from '../files/folders.js';
import { sessionFolder } from './segments/session-folder.js';
import type { SessionRef } from './store.js';

/** Before anything leaves that rests on files of a session: their bytes, then the names that lead to them. Another process may have written them and died. */
export function makeSessionDurable({ root, id }: SessionRef, files: readonly { readonly name: string }[]): void {
  const at = sessionFolder(root, id);
  for (const { name } of files) syncFile(join(at.folder, name));
  for (const folder of [at.segments, at.pins, at.folder, at.sessions, root.folder])
    if (isRealFolder(folder)) syncFolder(folder);
}
