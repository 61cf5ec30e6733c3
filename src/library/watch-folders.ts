import { existsSync, realpathSync } from 'node:fs';
import { dirname, sep } from 'node:path';
import { watch } from 'chokidar';

export interface FolderWatch {
  /** What happened since it was last asked: nothing, these files, or something that only a look at everything can tell. */
  changes(): ReadonlySet<string> | 'anything';
  /** It missed something: the next answer is that anything may have changed. */
  distrust(): void;
  close(): Promise<void>;
}

/** How long a folder that has just come may take until it is watched: what is put into it meanwhile is not told. */
const settlingMs = 2_000;
/** How long the system is believed when it says nothing. Some file systems never tell, and a queue that overflows does not either. */
const trustMs = 5_000;

/**
 * Watches folders that need not exist yet: from the nearest folder above that does, along the way down and no other.
 * Until the watch has begun, and whenever it fails, everything may have changed. So it may where a folder is reached through a link.
 */
export function watchFolders(folders: readonly string[]): FolderWatch {
  let changed = new Set<string>();
  let anything = true;
  let reliable = false;
  let settledAt = 0;
  let lookedAt = Number.NEGATIVE_INFINITY;
  const onTheWay = (path: string): boolean =>
    folders.some((folder) => isWithin(folder, path) || isWithin(path, folder));
  const hidden = (path: string): boolean =>
    folders.some(
      (folder) => isWithin(path, folder) && /[/\\](?:\.|node_modules(?:[/\\]|$))/u.test(path.slice(folder.length)),
    );
  const watcher = watch([...new Set(folders.map(nearestAbove))], {
    persistent: false,
    ignoreInitial: true,
    atomic: false,
    followSymlinks: false,
    ignored: (path) => !onTheWay(path) || hidden(path),
  });
  const note = (path: string): void => void changed.add(path);
  const lookAgain = (): void => {
    anything = true;
  };
  const settle = (): void => {
    anything = true;
    settledAt = performance.now() + settlingMs;
  };
  watcher.on('add', note).on('change', note).on('unlink', note).on('addDir', settle).on('unlinkDir', lookAgain);
  watcher.on('ready', () => {
    reliable = true;
    settle();
  });
  watcher.on('error', () => {
    reliable = false;
    anything = true;
  });
  return {
    changes() {
      const now = performance.now();
      if (now - lookedAt > trustMs || folders.some(isLinked)) anything = true;
      const seen = anything ? 'anything' : changed;
      if (anything) lookedAt = now;
      changed = new Set();
      // What changes between this look and the beginning of the watch is seen by the look after that.
      anything = !reliable || now < settledAt;
      return seen;
    },
    distrust: lookAgain,
    close: () => watcher.close(),
  };
}

function isLinked(folder: string): boolean {
  try {
    return realpathSync.native(folder) !== folder;
  } catch {
    return false;
  }
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** Never the folder itself: it may be taken away and come back. */
function nearestAbove(folder: string): string {
  let above = dirname(folder);
  while (!existsSync(above) && dirname(above) !== above) above = dirname(above);
  return above;
}
