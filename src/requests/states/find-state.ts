import { hole } from '../../base/hole.js';
import { idPatterns, type SessionId, type StateId, type VersionId } from '../../base/ids.js';
import { limits } from '../../base/limits.js';
import type { Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import type { SessionLog } from '../../log/port/session-log.js';
import type { FoldedSession } from '../../sessions/folded-session.js';
import { stateOfSession } from '../../sessions/states/state-of-session.js';
import { readToken } from '../../tokens/read-token.js';
import { verifyWrite } from '../../tokens/token.js';
import type { Environment } from '../world/environment.js';
import { findSession } from '../world/find-session.js';

/** How a caller says which state is meant. */
export interface StateNamed {
  readonly session?: string | undefined;
  readonly stateId?: string | undefined;
  readonly writeToken?: string | undefined;
}

export interface FoundState {
  readonly log: SessionLog<FoldedSession>;
  readonly state: StateId;
  /** The version that the token was given with. */
  readonly base?: VersionId;
}

/** The state that is meant: by its token, by its id, or as the one of a session. */
export async function findState(env: Environment, named: StateNamed): Promise<Result<FoundState, Rejection>> {
  const { session, stateId, writeToken } = named;
  if (writeToken !== undefined) return ofSession(env, session, await byToken(env, writeToken, named));
  if (stateId !== undefined) return ofSession(env, session, await byId(env, stateId as StateId));
  if (session === undefined && env.stateNamed !== undefined && env.stateNamed !== '')
    return byEnvironment(env, env.stateNamed);
  if (session === undefined)
    return err({
      code: 'VALIDATION_ERROR',
      message: 'the request does not say which shared state it means',
      action: 'send session with the name of its session, stateId, or a writeToken',
      violations: [{ path: '/session', rule: 'required', message: 'is missing' }],
    });
  const found = await findSession(env, session);
  if (!found.ok) return found;
  const log = env.store.open(found.value);
  const state = await log.read((loaded) => stateOfSession(loaded.state)?.id);
  return state === undefined ? err(none(log.id)) : ok({ log, state });
}

/** Whoever names a session as well means a state of that one. */
async function ofSession(
  env: Environment,
  session: string | undefined,
  found: Result<FoundState, Rejection>,
): Promise<Result<FoundState, Rejection>> {
  if (session === undefined || !found.ok) return found;
  const named = await findSession(env, session);
  if (!named.ok) return named;
  const { log, state } = found.value;
  if (named.value.id === log.id) return found;
  return err({
    code: 'TOKEN_SCOPE_MISMATCH',
    message: `${state} is of session ${log.id}, and not of ${named.value.id}`,
    action: 'name the one that you mean, and leave the other out',
    nextCall: { tool: 'state_read', arguments: { session } },
    context: { stateId: state, sessionId: named.value.id },
  });
}

/** What the environment, or a header of the request, names. A client that knows no such variable sends its name. */
async function byEnvironment(env: Environment, named: string): Promise<Result<FoundState, Rejection>> {
  if (idPatterns.state.test(named)) return byId(env, named as StateId);
  const shown = JSON.stringify(named.slice(0, limits.echo));
  const unfilled = named.includes('${');
  return err({
    code: 'VALIDATION_ERROR',
    message: unfilled
      ? `WORKFLOW_STATE_ID, or X-Workflow-State-Id, was not filled in: it says ${shown}`
      : `WORKFLOW_STATE_ID, or X-Workflow-State-Id, is no state such as wfstate_0123456789ab: it says ${shown}`,
    action: 'send session with the name of its session, or stateId',
    violations: [{ path: '/stateId', rule: 'pattern', message: 'is no state such as wfstate_0123456789ab' }],
  });
}

async function byId(env: Environment, state: StateId): Promise<Result<FoundState, Rejection>> {
  const isOne = idPatterns.state.test(state);
  const prefix = isOne ? BigInt(`0x${state.slice('wfstate_'.length)}`) >> 14n : 0n;
  for (const looks of isOne ? ([undefined, 'anew'] as const) : []) {
    for (const log of await env.store.byToken(prefix, 34, looks))
      if (await log.read((loaded) => loaded.state.states.has(state))) return ok({ log, state });
  }
  return err({
    code: 'NOT_FOUND',
    message: `there is no shared state ${JSON.stringify(state)} here`,
    action: 'name its session instead, as `session`',
    context: { stateId: state },
  });
}

async function byToken(
  env: Environment,
  token: string,
  { session, stateId }: StateNamed,
): Promise<Result<FoundState, Rejection>> {
  const context = { field: 'writeToken', token: token.slice(0, limits.echo) };
  const again = {
    tool: 'state_read',
    arguments: { ...(session !== undefined && { session }), ...(stateId !== undefined && { stateId }) },
  };
  const read = readToken('write', token);
  if (!read.ok)
    return err({
      code: read.error.reason === 'version' ? 'TOKEN_VERSION' : 'TOKEN_MALFORMED',
      message: `writeToken ${JSON.stringify(token.slice(0, 60))} ${read.error.message}`,
      action: 'send the writeToken of state_read exactly as it was given',
      nextCall: again,
      context,
    });
  for (const looks of [undefined, 'anew'] as const) {
    for (const log of await env.store.byToken(read.value.session, 34, looks)) {
      if (verifyWrite(env.keys.all(), read.value, log.id, agentOf(env)) === undefined) continue;
      const state = await log.read((loaded) => loaded.state.versions.get(read.value.version)?.state);
      if (state === undefined) continue;
      if (stateId !== undefined && stateId !== state)
        return err({
          code: 'TOKEN_SCOPE_MISMATCH',
          message: `the writeToken is of ${state}, and not of ${stateId}`,
          action: 'read the state that you mean, and write with its writeToken',
          nextCall: again,
          context,
        });
      return ok({ log, state, base: read.value.version });
    }
  }
  return err({
    code: 'TOKEN_FOREIGN',
    message: 'this writeToken was not given out here, or not to this agent',
    action: 'read the state, and write with the writeToken of that answer',
    nextCall: again,
    context,
  });
}

/** Whom tokens are for: the agent that calls, or the session's own. */
export const agentOf = ({ caller }: Pick<Environment, 'caller'>): string => caller?.agent ?? '';

const none = (session: SessionId): Rejection => ({
  code: 'NOT_FOUND',
  message: `session ${session} has no shared state`,
  action: 'create one',
  nextCall: {
    tool: 'state_create',
    arguments: { session, schemaName: hole('name of a registered schema'), initialData: hole('the document') },
  },
  context: { sessionId: session },
});
