import { command } from '../../base/sentence.js';
import type { SessionId } from '../../base/ids.js';
import type { Rejection } from '../../base/rejection.js';
import type { Environment } from './environment.js';

/** What is said of a session that is not here and can still be had, whoever asks for it; undefined where nobody knows of any of these. */
export const awaySession = (env: Environment, isMeant: (id: SessionId) => boolean): Rejection | undefined =>
  trashedSession(env, isMeant) ?? goneSession(env, isMeant);

/** Git or a person took its files away. What git has set aside it gives back; what it took before it had copied it, it cannot. */
function goneSession(env: Environment, isMeant: (id: SessionId) => boolean): Rejection | undefined {
  const away = env.store.care.away().find(({ id }) => isMeant(id));
  if (away === undefined) return undefined;
  const { id: sessionId, kept } = away;
  const bringBack = 'restore its files (git stash pop, git checkout, a backup), then make the same call again';
  return {
    code: 'SESSION_CHANGED',
    message: `session ${sessionId} was recorded here, but its files are gone (git stash -u, git clean and git checkout do that)`,
    action: kept
      ? [
          `${bringBack}. If that is not possible, restore what is left of it: `,
          command('doctor', sessionId, '--repair'),
        ]
      : bringBack,
    again: [],
    context: { sessionId },
  };
}

function trashedSession(env: Environment, isMeant: (id: SessionId) => boolean): Rejection | undefined {
  const trashed = env.store.care.trash().filter(({ id }) => isMeant(id));
  // The nearest place counts, and there what was taken away last.
  const found = trashed.findLast(({ place }) => place.name === trashed[0]?.place.name);
  if (found === undefined) return undefined;
  const { id, at, home } = found;
  return {
    code: 'SESSION_CHANGED',
    message: `session ${id} is in the trash (${at}), where workrail prune put it; the next workrail prune deletes it`,
    action: `to restore it, move that folder to ${home}, then make the same call again`,
    again: [],
    context: { sessionId: id, trash: at, home },
  };
}
