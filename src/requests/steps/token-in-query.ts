import type { NodeId } from '../../base/ids.js';
import { limits } from '../../base/limits.js';
import type { Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import type { Named } from '../../sessions/rank-sessions.js';
import { readToken } from '../../tokens/read-token.js';
import { ackMayBeOf, tokenForms, verifyAck } from '../../tokens/token.js';
import type { Environment } from '../world/environment.js';
import { openSessionToken, openState } from './open-token.js';

export interface NamedByToken extends Named {
  /** A session token names none. */
  readonly node: NodeId | undefined;
}

export interface QueryTaken {
  /** What stands beside the tokens. */
  readonly rest: string;
  readonly named: NamedByToken | undefined;
  /** Why the last of them names nothing here. */
  readonly refusal: Rejection | undefined;
}

const anyToken = new RegExp(
  `(?:${Object.values(tokenForms)
    .map(({ prefix }) => prefix.replaceAll('.', String.raw`\.`))
    .join('|')})[0-9a-z]+`,
  'giu',
);

/** Tokens are no words: what the first of them names that is here, and what else is asked for. */
export async function tokenInQuery(env: Environment, query: string): Promise<QueryTaken> {
  let refusal: Rejection | undefined;
  let named: NamedByToken | undefined;
  for (const [token] of query.matchAll(anyToken)) {
    const found = await namedBy(env, token);
    if (found.ok) named ??= found.value;
    else refusal = found.error;
  }
  return { rest: query.replaceAll(anyToken, ' ').trim(), named, refusal };
}

async function namedBy(env: Environment, token: string): Promise<Result<NamedByToken, Rejection>> {
  if (readToken('ack', token).ok) return namedByAck(env, token);
  if (readToken('session', token).ok) {
    const log = await openSessionToken(env, token);
    return log.ok ? ok({ what: 'its sessionToken', sessionId: log.value.id, runId: undefined, node: undefined }) : log;
  }
  const opened = await openState(env, token, (_, { run }) => run);
  if (!opened.ok) return opened;
  const { log, node, taken } = opened.value;
  return ok({ what: 'its stateToken', sessionId: log.id, runId: taken, node });
}

/** An ack token says little of its session: recent ones are looked through. */
async function namedByAck(env: Environment, token: string): Promise<Result<NamedByToken, Rejection>> {
  const read = readToken('ack', token);
  const keys = env.keys.all();
  for (const ref of read.ok ? await env.register.recent(limits.nearMissSessions) : []) {
    const found = await env.store.glance(ref).read(({ state }) => {
      for (const { id, run } of state.nodes.values())
        if (read.ok && ackMayBeOf(read.value, id) && verifyAck(keys, read.value, ref.id, id) !== undefined)
          return { node: id, runId: run };
      return undefined;
    });
    if (found !== undefined) return ok({ what: 'its ackToken', sessionId: ref.id, ...found });
  }
  return err({
    code: 'TOKEN_FOREIGN',
    message: `no recent session here gave out the ackToken ${token}`,
    action: 'send the stateToken that it came with, or words of the work',
    nextCall: { tool: 'resume_session', arguments: {} },
  });
}
