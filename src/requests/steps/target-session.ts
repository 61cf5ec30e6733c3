import { closestNames } from '../../base/closest-name.js';
import type { Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import type { EventData } from '../../events/event-data.js';
import { observeRepository } from '../../machine/repository.js';
import type { SessionLog } from '../../log/port/session-log.js';
import type { SessionRef } from '../../log/port/session-ref.js';
import type { FoldedSession } from '../../sessions/folded-session.js';
import type { Environment } from '../world/environment.js';
import { workHole } from '../world/work-hole.js';
import { isMadeId, madeSessionId, sessionIdOf } from '../world/session-names.js';

export interface TargetSession {
  readonly log: SessionLog<FoldedSession>;
  /** The human key it is known by. */
  readonly key: string | undefined;
  readonly observation: EventData<'observation'> | undefined;
}

/** The session a start belongs to: the one of that name or key, else a new one. Nothing is made before something is written. */
export async function targetSession(
  env: Environment,
  name: string | undefined,
): Promise<Result<TargetSession, Rejection>> {
  const observation = observeRepository(env.workspace);
  if (name === undefined || name.trim() === '')
    return ok({ log: env.store.create(madeSessionId(env.randomId())), key: undefined, observation });
  const wanted = name.trim();
  const id = sessionIdOf(wanted, env.privateRoot ? observation : undefined);
  const standing = await standingOf(
    env,
    [wanted, id, sessionIdOf(wanted, env.privateRoot ? undefined : observation)],
    observation,
  );
  if (standing !== undefined) return ok({ log: env.store.open(standing), key: wanted, observation });
  if (!isMadeId(wanted)) return ok({ log: env.store.create(id), key: wanted, observation });
  const known = (await env.store.list()).map((ref) => ref.id);
  const near = closestNames(wanted, known);
  return err({
    code: 'NOT_FOUND',
    message: `session ${wanted} is not here${near.length === 0 ? '' : `; near it are ${near.join(', ')}`}`,
    action: 'find it by what it was about, or leave session out for a new one',
    nextCall: { tool: 'resume_session', arguments: { query: workHole } },
    context: { session: wanted },
  });
}

/** The session of one of these names. One that was moved between the repository and the user's folder kept the name it had. */
async function standingOf(
  env: Environment,
  names: readonly string[],
  here: EventData<'observation'> | undefined,
): Promise<SessionRef | undefined> {
  for (const name of names) {
    const found = await env.store.find(name);
    if (
      found !== undefined &&
      (found.place.kind !== 'user' || here?.root === undefined || (await mayBeOf(env, found, names[0], here.root)))
    )
      return found;
  }
  return undefined;
}

/** In the user's folder the work of all repositories lies together: the same key may stand for another repository's. */
async function mayBeOf(env: Environment, ref: SessionRef, wanted: string | undefined, root: string): Promise<boolean> {
  return env.store.open(ref).read(({ state }) => {
    // Whoever names its id means it, wherever the work is.
    if (state.key?.toLowerCase() !== wanted?.toLowerCase()) return true;
    const roots = state.observations.flatMap((seen) => (seen.root === undefined ? [] : [seen.root]));
    return roots.length === 0 || roots.includes(root);
  });
}
