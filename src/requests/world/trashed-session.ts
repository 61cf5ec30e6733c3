import type { SessionId } from '../../base/ids.js';
import type { Rejection } from '../../base/rejection.js';
import { sessionFolder } from '../../log/segments/session-folder.js';
import { type TrashEntry, trashEntries } from '../../log/carry/trash.js';
import type { Environment } from './environment.js';

/** What is said of a session that was taken away and can still be had, whoever asks for it; undefined where none of these is in the trash. */
export function trashedSession(env: Environment, isMeant: (id: SessionId) => boolean): Rejection | undefined {
  for (const root of env.roots.reading) {
    const entry = trashEntries(root).findLast(({ id }) => isMeant(id));
    if (entry !== undefined) return rejectionOf(entry, sessionFolder(root, entry.id).folder);
  }
  return undefined;
}

function rejectionOf({ id, at }: TrashEntry, home: string): Rejection {
  return {
    code: 'SESSION_CHANGED',
    message: `session ${id} was taken away (workrail prune does that) and lies in the trash, in ${at.folder}, until the next workrail prune deletes it`,
    action: `bring it back by moving that folder to ${home}, then make the same call again`,
    again: [],
    context: { sessionId: id, trash: at.folder, home },
  };
}
