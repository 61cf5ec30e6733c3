import type { Rejection } from '../../base/rejection.js';
import { ok, type Result } from '../../base/result.js';
import type { DoctorReport } from '../../contract/doctor-answers.js';
import { type Place, samePlace, type SessionRef } from '../../log/port/session-ref.js';
import type { Environment } from './environment.js';
import { findSession } from './find-session.js';

/** Tells a session from those of its name in other roots. */
export const placeOf = ({ place, id }: SessionRef): string => `${place.name}\n${id}`;

/** The sessions of these words, each once; without words, all that are in reach. */
export async function resolveSessions(
  env: Environment,
  words: readonly string[],
): Promise<Result<readonly SessionRef[], Rejection>> {
  if (words.length === 0) return ok(await env.store.list());
  const refs = new Map<string, SessionRef>();
  for (const word of words) {
    const found = await findSession(env, word);
    if (!found.ok) return found;
    refs.set(placeOf(found.value), found.value);
  }
  return ok([...refs.values()]);
}

/** How many of these sessions lie in each root. */
export const rootsTold = (places: readonly Place[], refs: readonly SessionRef[]): DoctorReport['roots'] =>
  places.map((place) => ({
    folder: place.name,
    place: place.kind,
    sessions: refs.filter((ref) => samePlace(ref.place, place)).length,
  }));
