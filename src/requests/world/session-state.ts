import { command } from '../../base/sentence.js';
import type { Lasting } from '../../base/in-place.js';
import type { Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import type { Loaded, SessionLog } from '../../log/port/session-log.js';
import type { FoldedSession, Run, RunNode } from '../../sessions/folded-session.js';
import type { Environment } from './environment.js';
import { findSession } from './find-session.js';

/** What is to be told of the session that a person means, as it is now. */
export async function readSession<A>(
  env: Environment,
  session: string | undefined,
  tell: (loaded: Loaded<FoldedSession>, log: SessionLog<FoldedSession>) => Result<A, Rejection>,
): Promise<Result<Lasting<A>, Rejection>> {
  const found = await findSession(env, session);
  if (!found.ok) return found;
  const log = env.store.open(found.value);
  return log.read((loaded) => tell(loaded, log)) as Promise<Result<Lasting<A>, Rejection>>;
}

export function runIn(sessionId: string, { runs }: FoldedSession, wanted: string): Result<Run, Rejection> {
  const run = [...runs.values()].find(({ id }) => id === wanted);
  return run === undefined ? err(missing(sessionId, 'run', wanted)) : ok(run);
}

export function nodeIn(sessionId: string, { nodes }: FoldedSession, wanted: string): Result<RunNode, Rejection> {
  const node = [...nodes.values()].find(({ id }) => id === wanted);
  return node === undefined ? err(missing(sessionId, 'node', wanted)) : ok(node);
}

function missing(sessionId: string, what: 'run' | 'node', wanted: string): Rejection {
  return {
    code: 'NOT_FOUND',
    message: `session ${sessionId} has no ${what} ${JSON.stringify(wanted.slice(0, 100))}`,
    action: ['see what it has: ', command('show', sessionId)],
    context: { sessionId, [what]: wanted.slice(0, 100) },
  };
}
