import { constants, futimesSync, lstatSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { limits } from '../../base/limits.js';
import { isRealFolder, withOpen } from '../../files/folders.js';
import { readPlainFile } from '../../files/read-plain-file.js';
import { replaceFile } from '../../files/replace-file.js';
import type { DataRoot } from '../../machine/data-root.js';
import { localFolder, localPlace } from '../../machine/local-folder.js';
import { rootOf } from '../files/file-ref.js';
import type { SessionRef } from '../port/session-ref.js';
import type { StoreRetention } from '../port/store-retention.js';
import { namesIn } from '../segments/session-folder.js';
import { trashEntries } from './trash.js';

const quietly = { throwIfNoEntry: false } as const;
/** No session can be called so. */
const toldName = '.told.json';

/** Notes below `local/retention`: an empty file for each session that was looked at, and its time. */
export function fileRetention(): StoreRetention {
  const noted = new Map<string, number>();
  return {
    noteLook: (ref) => {
      const key = `${ref.place.name}\n${ref.id}`;
      const now = Date.now();
      if (now - (noted.get(key) ?? -Infinity) < limits.lookNoteMs) return;
      noted.set(key, now);
      touch(ref, now);
    },
    lookedAt: ({ place, id }) => {
      const folder = localPlace(rootOf(place), 'retention');
      return folder === undefined ? undefined : lstatSync(join(folder, id), quietly)?.mtimeMs;
    },
    told: (place) => {
      const folder = localPlace(rootOf(place), 'retention');
      return folder === undefined ? undefined : attempt(() => readPlainFile(join(folder, toldName)));
    },
    tell: (place, bytes) => {
      const folder = localFolder(rootOf(place), 'retention');
      if (folder === undefined) return false;
      const keep = (): true => {
        replaceFile(join(folder, toldName), folder, bytes);
        return true;
      };
      return attempt(keep) ?? false;
    },
  };
}

/** Whoever only reads makes no `local/`: what lies there is then another machine's, as in a clone. */
function touch({ place, id }: SessionRef, now: number): void {
  if (!isRealFolder(join(place.name, 'local'))) return;
  const folder = localFolder(rootOf(place), 'retention');
  if (folder === undefined) return;
  const at = new Date(now);
  attempt(() => withOpen(join(folder, id), constants.O_WRONLY | constants.O_CREAT, (fd) => futimesSync(fd, at, at)));
}

/** A look at what is neither here nor in the trash says nothing any more. */
export function forgetLooks(root: DataRoot): void {
  const folder = localPlace(root, 'retention');
  if (folder === undefined || !isRealFolder(folder)) return;
  const known = new Set([...namesIn(join(root.folder, 'sessions')), ...trashEntries(root).map(({ id }) => id)]);
  for (const name of namesIn(folder)) if (name !== toldName && !known.has(name)) rmSync(join(folder, name));
}

/** A note that cannot be had is done without. */
function attempt<A>(work: () => A): A | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
