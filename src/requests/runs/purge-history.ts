import { digestOf } from '../../base/digest.js';
import { own } from '../../base/own.js';
import type { Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import type { Reply } from '../../contract/reply.js';
import type { RequestOf } from '../../contract/request-schemas.js';
import type { PurgeAnswer } from '../../contract/run-answers.js';
import { purgeReply } from '../../respond/runs/run-replies.js';
import type { FoldedSession, Run } from '../../sessions/folded-session.js';
import { statusAt } from '../../sessions/run-status.js';
import { pruneSessions } from '../care/prune-sessions.js';
import { redactSession } from '../care/redact-session.js';
import type { Environment } from '../world/environment.js';

type Asked = RequestOf<'purge_history'>;

/** What of one session is meant. */
type Meant =
  | { readonly kind: 'whole'; readonly sessionId: string }
  | {
      readonly kind: 'values';
      readonly sessionId: string;
      readonly inputs: readonly string[];
      readonly texts: readonly string[];
    }
  | { readonly kind: 'kept'; readonly sessionId: string; readonly reason: string };

/** A text that is shorter stands in too much else. */
const shortest = 4;

/** Takes ended runs of a workflow away, or the values of some of its inputs out of them. Nothing is taken unseen. */
export async function purgeHistory(env: Environment, request: Asked): Promise<Result<Reply, Rejection>> {
  const meant = await meantBy(env, request);
  const confirm = `pg_${digestOf([request.workflowId, meant.map((one) => ({ ...one }))]).slice(0, 16)}`;
  if (request.confirm !== undefined && request.confirm !== confirm)
    return err({
      code: 'CONFIRMATION_REQUIRED',
      message: 'what would be purged has changed since it was shown; nothing was purged',
      action: 'show the user what would be purged now, then send its confirm',
      again: [{ at: '/confirm', to: undefined }],
    });
  const dryRun = request.confirm === undefined;
  const taken = await takeAway(env, meant, dryRun);
  if (!taken.ok) return taken;
  const answer: PurgeAnswer = {
    workflow_id: request.workflowId,
    dryRun,
    ...taken.value,
    ...(dryRun && taken.value.purged.length + taken.value.redacted.length > 0 && { confirm }),
  };
  return ok(purgeReply(answer, request.inputs));
}

async function takeAway(
  env: Environment,
  meant: readonly Meant[],
  dryRun: boolean,
): Promise<Result<Pick<PurgeAnswer, 'purged' | 'redacted' | 'kept'>, Rejection>> {
  const kept = meant.flatMap((one) => (one.kind === 'kept' ? [{ session_id: one.sessionId, reason: one.reason }] : []));
  const sessions = meant.flatMap((one) => (one.kind === 'whole' ? [one.sessionId] : []));
  const pruned = sessions.length === 0 ? undefined : await pruneSessions(env, { now: env.now(), dryRun, sessions });
  if (pruned?.ok === false) return pruned;
  const redacted: PurgeAnswer['redacted'][number][] = [];
  for (const one of meant) {
    if (one.kind !== 'values') continue;
    let lines = 0;
    for (const what of one.texts) {
      const done = await redactSession(env, { session: one.sessionId, what, secrets: false, dryRun });
      if (done.ok) lines += done.value.lines.length;
      else if (done.error.code !== 'NOT_FOUND') return done;
    }
    redacted.push({ session_id: one.sessionId, inputs: one.inputs, lines });
  }
  return ok({
    purged: (pruned?.value.pruned ?? []).map(({ sessionId, bytes }) => ({ session_id: sessionId, bytes })),
    redacted,
    kept: [
      ...kept,
      ...(pruned?.value.spared ?? []).map(({ sessionId, message }) => ({ session_id: sessionId, reason: message })),
    ],
  });
}

async function meantBy(env: Environment, { workflowId, inputs }: Asked): Promise<readonly Meant[]> {
  const meant: Meant[] = [];
  for (const ref of await env.store.list()) {
    const one = await env.store.glance(ref).read(({ state }) => meantOf(ref.id, state, workflowId, inputs));
    if (one !== undefined) meant.push(one);
  }
  return meant.toSorted((a, b) => (a.sessionId < b.sessionId ? -1 : 1));
}

function meantOf(
  sessionId: string,
  session: FoldedSession,
  workflowId: string,
  inputs: readonly string[] | undefined,
): Meant | undefined {
  const all = [...session.runs.values()];
  const runs = all.filter((run) => run.started.data.workflowId === workflowId);
  if (runs.length === 0) return undefined;
  const kept = (reason: string): Meant => ({ kind: 'kept', sessionId, reason });
  if (!runs.every((run) => hasEnded(session, run))) return kept('a run of it has not ended');
  if (inputs === undefined)
    return runs.length < all.length
      ? kept('the session also has runs of other workflows; name inputs to take only their values out')
      : { kind: 'whole', sessionId };
  const found = runs.flatMap(({ started }) =>
    inputs.flatMap((name) => {
      const value = own(started.data.inputs, name);
      return typeof value === 'string' ? [{ name, value }] : [];
    }),
  );
  const short = found.find(({ value }) => value.length < shortest);
  if (short !== undefined) return kept(`the value of ${short.name} is too short to be told from other text`);
  if (found.length === 0) return undefined;
  return {
    kind: 'values',
    sessionId,
    inputs: [...new Set(found.map(({ name }) => name))],
    texts: [...new Set(found.map(({ value }) => value))],
  };
}

const hasEnded = (session: FoldedSession, { tips }: Run): boolean =>
  [...tips].every((id) => {
    const tip = session.nodes.get(id);
    return tip !== undefined && !['in_progress', 'blocked', 'running'].includes(statusAt(session, tip));
  });
