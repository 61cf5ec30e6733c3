import type { SessionId } from '../../base/ids.js';
import type { Rejection } from '../../base/rejection.js';
import type { Environment } from './environment.js';

/** What is said of a session that was taken away and can still be had, whoever asks for it; undefined where none of these is in the trash. */
export function trashedSession(env: Environment, isMeant: (id: SessionId) => boolean): Rejection | undefined {
  const trashed = env.store.care.trash().filter(({ id }) => isMeant(id));
  // The nearest place counts, and there what was taken away last.
  const found = trashed.findLast(({ place }) => place.name === trashed[0]?.place.name);
  if (found === undefined) return undefined;
  const { id, at, home } = found;
  return {
    code: 'SESSION_CHANGED',
    message: `session ${id} was taken away (workrail prune does that) and lies in the trash, in ${at}, until the next workrail prune deletes it`,
    action: `bring it back by moving that folder to ${home}, then make the same call again`,
    again: [],
    context: { sessionId: id, trash: at, home },
  };
}
