import { command } from '../../base/sentence.js';
import { closestNames } from '../../base/closest-name.js';
import type { Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import { observeRepository } from '../../machine/repository.js';
import type { SessionRef } from '../../log/port/session-ref.js';
import type { Environment } from './environment.js';
import { awaySession } from './away-session.js';
import { sessionIdOf } from './session-names.js';

const shownNames = 5;

/** The session a person means, who then looks at it. */
export async function findSession(env: Environment, word: string | undefined): Promise<Result<SessionRef, Rejection>> {
  const found = await sessionMeant(env, word);
  if (found.ok) env.store.retention.noteLook(found.value);
  return found;
}

/** By its id, its key, or how only one id here begins. Without a word, the one last worked on. */
async function sessionMeant(env: Environment, word: string | undefined): Promise<Result<SessionRef, Rejection>> {
  if (word === undefined) return lastWorkedOn(env);
  const wanted = word.trim();
  const named = (await env.store.find(wanted)) ?? (await byKey(env, wanted));
  if (named !== undefined) return ok(named);
  const all = await env.store.list();
  const begun = all.filter(({ id }) => id.toLowerCase().startsWith(wanted.toLowerCase()));
  if (begun.length === 1) return ok(begun[0]!);
  const gone = begun.length === 0 ? awaySession(env, (id) => id.toLowerCase() === wanted.toLowerCase()) : undefined;
  if (gone !== undefined) return err(gone);
  const near =
    begun.length > 1
      ? begun.map(({ id }) => id)
      : closestNames(
          wanted,
          all.map(({ id }) => id),
        );
  const names = near.slice(0, shownNames).join(', ');
  return err({
    code: 'NOT_FOUND',
    message:
      begun.length > 1
        ? `${begun.length} sessions begin with ${JSON.stringify(wanted)}: ${names}`
        : `no session named ${JSON.stringify(wanted)}${names === '' ? '' : `; did you mean ${names}?`}`,
    action: ['list sessions: ', command('sessions')],
    context: { session: wanted, ...(near.length > 0 && { closest: near.slice(0, shownNames) }) },
  });
}

async function byKey(env: Environment, wanted: string): Promise<SessionRef | undefined> {
  for (const shared of [undefined, observeRepository(env.workspace)]) {
    const found = wanted === '' ? undefined : await env.store.find(sessionIdOf(wanted, shared));
    if (found !== undefined) return found;
  }
  return undefined;
}

async function lastWorkedOn(env: Environment): Promise<Result<SessionRef, Rejection>> {
  // One that cannot be read is better than none: whoever asks is told why.
  const newest = (await env.register.recent(1))[0] ?? (await env.store.list())[0];
  if (newest !== undefined) return ok(newest);
  return err({
    code: 'NOT_FOUND',
    message: 'no sessions yet',
    action: ['start one: ', command('start', '<workflow>'), ', or ask an agent to start one'],
  });
}
