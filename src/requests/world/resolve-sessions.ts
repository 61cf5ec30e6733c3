import type { Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import type { SessionRef } from '../../log/port/session-ref.js';
import type { Environment } from './environment.js';
import { findSession } from './find-session.js';

/** The sessions of these words, each once; without words, all that are in reach. */
export async function resolveSessions(
  env: Environment,
  words: readonly string[],
): Promise<Result<readonly SessionRef[], Rejection>> {
  if (words.length === 0) return ok(await env.store.list());
  const refs = new Map<string, SessionRef>();
  for (const word of words) {
    const found = await findSession(env, word);
    if (!found.ok) return err(found.error);
    refs.set(`${found.value.place.name} ${found.value.id}`, found.value);
  }
  return ok([...refs.values()]);
}
