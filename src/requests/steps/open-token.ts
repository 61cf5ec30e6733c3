import type { AttemptId, NodeId, SessionId } from '../../base/ids.js';
import { limits } from '../../base/limits.js';
import type { Lasting } from '../../base/in-place.js';
import type { JsonObject } from '../../base/json-value.js';
import type { Rejection } from '../../base/rejection.js';
import { either } from '../../base/sentence.js';
import { err, ok, type Result } from '../../base/result.js';
import type { Finding } from '../../log/port/finding.js';
import type { Loaded, SessionLog } from '../../log/port/session-log.js';
import type { FoldedSession, RunNode } from '../../sessions/folded-session.js';
import { readToken, type TokenShapeProblem } from '../../tokens/read-token.js';
import {
  ackMayBeOf,
  type OpenAck,
  sealState,
  type TokenKind,
  verifyAck,
  verifySession,
  verifyState,
} from '../../tokens/token.js';
import type { Environment } from '../world/environment.js';
import { workHole } from '../world/work-hole.js';
import { sessionRejection, unreadableIn } from '../world/log-rejections.js';
import { awaySession } from '../world/away-session.js';
import { nearMissOfState, nearMissOfAck } from './near-misses.js';

type Found<A> = { readonly taken: A } | { readonly missing: Rejection };

/** The node that a state token names, and what was taken from its session as it is now. */
export interface OpenedNode<A> {
  readonly log: SessionLog<FoldedSession>;
  readonly node: NodeId;
  readonly taken: Lasting<A>;
}

export async function openState<A>(
  env: Environment,
  token: string,
  take: (loaded: Loaded<FoldedSession>, node: RunNode, log: SessionLog<FoldedSession>) => A,
): Promise<Result<OpenedNode<A>, Rejection>> {
  const read = readToken('state', token);
  if (!read.ok) return err(await malformed(env, 'state', token, read.error));
  const open = read.value;
  const keys = env.keys.all();
  let missing: Rejection | undefined;
  let candidates: readonly SessionLog<FoldedSession>[] = [];
  // A session that is not where it was met may have been moved to another root: the second look is at what is there now.
  for (let looks = 0; looks < 2; looks += 1) {
    candidates = await env.store.byToken(open.session, 34, looks === 0 ? undefined : 'anew');
    for (const log of candidates) {
      if (verifyState(keys, open, log.id) === undefined) continue;
      const found: Found<Lasting<A>> = (await log.read((loaded) => {
        const node = loaded.state.nodes.get(open.node);
        return node === undefined
          ? { missing: noLongerThere(log.id, loaded.findings) }
          : { taken: take(loaded, node, log) as Lasting<A> };
      })) as Found<Lasting<A>>;
      if ('taken' in found) return ok({ log, node: open.node, taken: found.taken });
      missing ??= found.missing;
    }
    if (missing === undefined) break;
  }
  const gone = awaySession(env, (id) => verifyState(keys, open, id) !== undefined);
  if (gone !== undefined) return err(gone);
  if (missing !== undefined) return err(missing);
  return err((await suggested(env, token)) ?? foreign(env, 'state', token, candidates[0]?.id));
}

export async function openSessionToken(
  env: Environment,
  token: string,
): Promise<Result<SessionLog<FoldedSession>, Rejection>> {
  const read = readToken('session', token);
  if (!read.ok) return err(await malformed(env, 'session', token, read.error));
  let empty: SessionLog<FoldedSession> | undefined;
  for (let looks = 0; looks < 2; looks += 1) {
    for (const log of await env.store.byToken(read.value.session, 82, looks === 0 ? undefined : 'anew')) {
      if (verifySession(env.keys.all(), read.value, log.id) === undefined) continue;
      if (await log.read(({ state }) => state.started)) return ok(log);
      empty ??= log;
    }
    if (empty === undefined) break;
  }
  const gone = awaySession(env, (id) => verifySession(env.keys.all(), read.value, id) !== undefined);
  if (gone !== undefined) return err(gone);
  if (empty !== undefined) return ok(empty);
  return err(foreign(env, 'session', token, undefined));
}

/** Reads an ack token together with the state token it must belong to. */
export function openAck(
  env: Environment,
  session: FoldedSession,
  id: SessionId,
  node: RunNode,
  token: string,
): Result<AttemptId, Rejection> {
  const keys = env.keys.all();
  const read = readToken('ack', token);
  const near = (): Rejection | undefined => {
    const right = nearMissOfAck(env, id, node, token);
    const what = `the ack of “${node.pending?.title ?? 'this step'}”`;
    return right === undefined ? undefined : didYouMean('ack', token, right, what, read.ok ? undefined : read.error);
  };
  if (!read.ok)
    return err(
      near() ??
        shapeRejection('ack', token, read.error, {
          tool: 'continue_workflow',
          arguments: { stateToken: stateOf(env, id, node.id) },
        }),
    );
  if (ackMayBeOf(read.value, node.id) && verifyAck(keys, read.value, id, node.id) !== undefined)
    return ok(read.value.attempt);
  return err(scopeMismatch(env, session, id, node, read.value) ?? near() ?? foreignAck(env, id, node));
}

const stateOf = (env: Environment, session: SessionId, node: NodeId): string =>
  sealState(env.keys.current(), session, node);

/** An ack of another step of this session: says which, and the pair that goes together. */
function scopeMismatch(
  env: Environment,
  session: FoldedSession,
  id: SessionId,
  node: RunNode,
  open: OpenAck,
): Rejection | undefined {
  for (const other of session.nodes.values()) {
    if (other.id === node.id || !ackMayBeOf(open, other.id)) continue;
    const key = verifyAck(env.keys.all(), open, id, other.id);
    if (key === undefined) continue;
    const stateToken = sealState(key, id, other.id);
    const run =
      other.run === node.run
        ? ''
        : ` of another run (${session.runs.get(other.run)?.started.data.workflowId ?? other.run})`;
    return {
      code: 'TOKEN_SCOPE_MISMATCH',
      message: `the ackToken belongs to “${other.pending?.title ?? 'another step'}” (${other.pending?.path ?? ''})${run}, the stateToken to “${node.pending?.title ?? 'the finished run'}”`,
      action: [
        'decide which of the two is meant: for the step of the ackToken call ',
        either('continue_workflow', 'workrail continue'),
        node.pending === undefined
          ? ` with stateToken ${stateToken} alone; the stateToken stands at the end of its run, which takes no more steps`
          : ` with stateToken ${stateToken} alone; for that of the stateToken the call below, which gives its ackToken`,
      ],
      nextCall: { tool: 'continue_workflow', arguments: { stateToken: stateOf(env, id, node.id) } },
      context: { sessionId: id, runId: other.run, path: other.pending?.path ?? '' },
    };
  }
  return undefined;
}

function foreignAck(env: Environment, id: SessionId, node: RunNode): Rejection {
  return {
    code: 'TOKEN_SCOPE_MISMATCH',
    message:
      'the ackToken does not belong to this stateToken or to any other step of its session: it is from another session or installation, or garbled',
    action:
      node.pending === undefined
        ? [
            'the run of this stateToken is complete and takes no more steps: save later work with ',
            either('checkpoint_workflow', 'workrail checkpoint'),
            '; to look at it',
          ]
        : 'get the ackToken of this step, then send everything again with it',
    nextCall: { tool: 'continue_workflow', arguments: { stateToken: stateOf(env, id, node.id) } },
    context: { sessionId: id, runId: node.run, path: node.pending?.path ?? '' },
  };
}

/** What a token names was here and is not any more. */
export function noLongerThere(session: SessionId, findings: readonly Finding[]): Rejection {
  const unreadable = unreadableIn(findings);
  const what =
    unreadable === undefined
      ? `what the token names was recorded in session ${session} and is no longer there: files of the session are gone or were replaced, as a checkout, a stash or a move does`
      : `the step of this stateToken was recorded in session ${session} and cannot be read`;
  return sessionRejection(session, unreadable, what, {
    action:
      unreadable === undefined
        ? 'bring the files back (git checkout, git stash pop), or go on from what is there'
        : `${unreadable.remedy}; or see what can be read`,
    nextCall: { tool: 'resume_session', arguments: { sessionId: session } },
  });
}

function foreign(env: Environment, kind: TokenKind, token: string, session: SessionId | undefined): Rejection {
  const { unread } = env.keys;
  if (unread !== undefined)
    return {
      code: 'STORAGE_FAULT',
      message: `cannot tell whether this ${kind}Token was issued here, because the keys of this installation could not be read: ${unread}`,
      action: 'fix that, then make the same call again',
      again: [],
    };
  return {
    code: 'TOKEN_FOREIGN',
    message: `this ${kind}Token was not sealed by this installation, or its session is not here: tokens do not travel between machines${session === undefined ? '' : ` (a session that it may mean is ${session})`}`,
    action: 'find the work again; that gives new tokens',
    nextCall: {
      tool: 'resume_session',
      arguments: session === undefined ? { query: workHole } : { sessionId: session },
    },
    context: { field: `${kind}Token`, token: token.slice(0, limits.echo) },
  };
}

async function malformed(
  env: Environment,
  kind: TokenKind,
  token: string,
  problem: TokenShapeProblem,
): Promise<Rejection> {
  if (problem.reason === 'malformed' && kind === 'state') {
    const right = await suggested(env, token, problem);
    if (right !== undefined) return right;
  }
  return shapeRejection(kind, token, problem, { tool: 'resume_session', arguments: { query: workHole } });
}

function shapeRejection(
  kind: TokenKind,
  token: string,
  problem: TokenShapeProblem,
  nextCall: NonNullable<Rejection['nextCall']>,
): Rejection {
  return {
    code: problem.reason === 'version' ? 'TOKEN_VERSION' : 'TOKEN_MALFORMED',
    message: `${kind}Token ${JSON.stringify(token.slice(0, 60))} ${problem.message}`,
    action: 'send the token exactly as it was given; if it is lost, find the work again',
    nextCall,
    context: { field: `${kind}Token`, token: token.slice(0, limits.echo) },
  };
}

async function suggested(env: Environment, token: string, problem?: TokenShapeProblem): Promise<Rejection | undefined> {
  const near = await nearMissOfState(env, token);
  if (near === undefined) return undefined;
  // It is the very token: its session is there, and could not be read when it was looked for.
  if (near.token === token)
    return {
      code: 'STORAGE_FAULT',
      message: `session ${near.session}, which this token belongs to, could not be read`,
      action: 'make the same call again',
      again: [],
    };
  const step = near.title === undefined ? 'the finished run' : `step “${near.title}”`;
  return didYouMean('state', token, near.token, `session ${near.session}, ${step}`, problem);
}

function didYouMean(
  kind: TokenKind,
  token: string,
  right: string,
  what: string,
  problem: TokenShapeProblem | undefined,
): Rejection {
  const wrong = problem === undefined ? 'was never given out here' : (problem.message.split(';')[0] ?? '');
  const context: JsonObject = { field: `${kind}Token`, token: token.slice(0, limits.echo), didYouMean: right };
  return {
    code: problem === undefined ? 'TOKEN_UNKNOWN' : 'TOKEN_MALFORMED',
    message: `${kind}Token ${JSON.stringify(token.slice(0, 60))} ${wrong}. Did you mean ${right} (${what})?`,
    action: `make the same call with that ${kind}Token`,
    again: [{ at: `/${kind}Token`, to: right }],
    context,
  };
}
