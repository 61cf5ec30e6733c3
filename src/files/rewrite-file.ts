import { chmodSync, mkdirSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { syncNamedFolder } from './folders.js';
import { removeUnfinished } from './remove-unfinished.js';
import { writeNewFile } from './replace-file.js';

/**
 * Another text for a file that is the user's own, in one rename, with the rights that it had. A link stays one, and what it
 * names is written. `check` throws at the last moment where the file is not to be written after all. A new file has `mode`.
 */
export function rewriteFile(file: string, text: string, check?: () => void, mode = 0o666): void {
  const standing = statSync(file, { throwIfNoEntry: false });
  const target = standing === undefined ? file : realpathSync(file);
  const folder = path.dirname(target);
  mkdirSync(folder, { recursive: true });
  removeUnfinished(folder, (name) => name === path.basename(target));
  const temporary = path.join(folder, `.${path.basename(target)}.${process.pid}.tmp`);
  try {
    writeNewFile(temporary, Buffer.from(text), standing === undefined ? mode : 0o600);
    if (standing !== undefined) chmodSync(temporary, standing.mode & 0o777);
    check?.();
    renameSync(temporary, target);
    syncNamedFolder(folder);
  } finally {
    rmSync(temporary, { force: true });
  }
}
