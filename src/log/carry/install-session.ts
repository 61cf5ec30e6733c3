import type { SessionId } from '../../base/ids.js';
import type { DataRoot } from '../../machine/data-root.js';
import { syncFolder } from '../../files/folders.js';
import { moveAcross } from '../../files/move-across.js';
import { folderBesideSessions } from '../../machine/local-folder.js';
import { pathIsTaken } from '../../files/path-is-taken.js';
import { prepareDataRoot } from '../files/prepare-data-root.js';
import { type SessionFolder, sessionFolder } from '../segments/session-folder.js';
import { errorCode } from '../../files/fault-reason.js';

/** Makes a session appear, whole and in one step. `taken` where something stands under that name, be it since a moment ago. */
export function installSession(root: DataRoot, staged: SessionFolder, id: SessionId): 'installed' | 'taken' {
  prepareDataRoot(root);
  const at = sessionFolder(root, id);
  if (pathIsTaken(at.folder)) return 'taken';
  try {
    moveAcross(staged.folder, at.folder, () => folderBesideSessions(root, 'tmp'));
  } catch (cause) {
    if (['ENOTEMPTY', 'EEXIST', 'ENOTDIR', 'EISDIR'].includes(errorCode(cause) ?? '') || pathIsTaken(at.folder))
      return 'taken';
    throw cause;
  }
  syncFolder(at.sessions);
  return 'installed';
}
