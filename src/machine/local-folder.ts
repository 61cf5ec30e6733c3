import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type DataRoot, rootMode } from './data-root.js';
import { isLink, isRealFolder, makeFolderDurably } from '../files/folders.js';

export type LocalPart = 'locks' | 'snapshots' | 'ended' | 'tmp' | 'trash' | 'index';

/**
 * A folder under `local/`, made if it is missing: all in it can be deleted at any time at the cost of speed only.
 * Undefined where it cannot be had (a read-only data root, or a link in its place); then one does without.
 */
export function localFolder(root: DataRoot, part: LocalPart): string | undefined {
  const local = join(root.folder, 'local');
  const folder = join(local, part);
  if (isLink(local) || isLink(folder)) return undefined;
  try {
    // What is in it may be lost; but it may be the first thing that makes the data root, and that may not.
    makeFolderDurably(root.folder, rootMode(root.kind));
    makeFolderDurably(local);
    mkdirSync(folder, { recursive: true });
  } catch {
    return undefined;
  }
  return isRealFolder(folder) ? folder : undefined;
}
