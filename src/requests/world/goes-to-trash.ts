import { limits } from '../../base/limits.js';
import type { SessionListed } from '../../contract/session-list.js';
import type { SessionRef } from '../../log/port/session-ref.js';
import { readGlobalPreferences } from '../../machine/global-preferences.js';
import { daysInMs, daysKept } from './days-kept.js';
import type { Environment } from './environment.js';

type Listed = Pick<SessionListed, 'finished' | 'keep' | 'lastAt' | 'trouble'>;

/** When retention takes a session, where it is switched on and that is soon: nobody who works on it or looks at it meanwhile is known yet. */
export function goesToTrash(env: Environment): (ref: SessionRef, listed: Listed) => string | undefined {
  const config = readGlobalPreferences(env.roots.config, () => undefined);
  if (config.pruneByItself !== true) return () => undefined;
  const after = daysInMs(daysKept(config));
  const until = env.now().getTime() + limits.retentionTellMs;
  const left = new Set(env.store.places.filter((place) => env.store.care.isInGit(place)).map(({ name }) => name));
  return (ref, { finished, keep, lastAt, trouble }) => {
    if (finished !== true || keep || trouble !== undefined || left.has(ref.place.name)) return undefined;
    const unused = Date.parse(lastAt);
    // Looks are only asked for where they can still make a difference.
    if (!(unused + after <= until)) return undefined;
    const at = Math.max(unused, env.store.retention.lookedAt(ref) ?? -Infinity) + after;
    return at <= until ? new Date(at).toISOString() : undefined;
  };
}
