import { lstatSync, readlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sha256Hex } from '../../base/digest.js';
import type { SessionId } from '../../base/ids.js';
import type { DataRoot } from '../../machine/data-root.js';
import { isRealFolder, makeFolderDurably, refuseLink, syncFolder } from '../../files/folders.js';
import { moveAcross } from '../../files/move-across.js';
import { prepareDataRoot } from '../files/prepare-data-root.js';
import { replaceFile } from '../../files/replace-file.js';
import { readFrom } from '../segments/session-folder.js';

export interface Quarantine {
  /** Keeps the whole of what a file holds, durably; the file stays. Returns where, relative to the data root. */
  keep(file: string, bytes: Buffer): string;
  /** Takes what stands at a path away from there, whatever it is. */
  moveIn(file: string, path: string): string;
}

/** Where repair puts what it takes out of a session. Named by content, so that a repair that was cut short finds its own traces. */
export function openQuarantine(root: DataRoot, id: SessionId): Quarantine {
  const folder = join(root.folder, 'quarantine', id);
  const placeFor = (file: string, mark: string): { readonly place: string; readonly path: string } => {
    const place = `quarantine/${id}/${file}.${mark}`;
    const path = join(root.folder, ...place.split('/'));
    for (const above of [dirname(folder), folder]) refuseLink(above);
    if (!isRealFolder(dirname(path))) {
      // What is set aside is as private as the session, and git is told to leave it out.
      prepareDataRoot(root);
      makeFolderDurably(dirname(path));
    }
    return { place, path };
  };
  return {
    keep: (file, bytes) => {
      const { place, path } = placeFor(file, sha256Hex(bytes).slice(0, 16));
      const here = readFrom(path, 0);
      if (here === undefined || !here.bytes.equals(bytes)) replaceFile(path, dirname(path), bytes);
      return place;
    },
    moveIn: (file, from) => {
      const stat = lstatSync(from);
      const mark = stat.isFile()
        ? sha256Hex(readFrom(from, 0)?.bytes ?? '')
        : stat.isSymbolicLink()
          ? sha256Hex(readlinkSync(from))
          : `${stat.ino}`;
      const { place, path } = placeFor(file, mark.slice(0, 16));
      moveAcross(from, path);
      syncFolder(dirname(path));
      syncFolder(dirname(from));
      return place;
    },
  };
}
