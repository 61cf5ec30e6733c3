import { digestOf } from '../../base/digest.js';
import { isJsonObject, type JsonValue } from '../../base/json-value.js';
import { own } from '../../base/own.js';
import type { Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import type { Reply } from '../../contract/reply.js';
import type { RequestOf } from '../../contract/request-schemas.js';
import type { PurgeAnswer } from '../../contract/run-answers.js';
import { purgeReply } from '../../respond/runs/run-replies.js';
import { takenOut } from '../../secrets/redact-event.js';
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
      readonly values: readonly string[];
    }
  | { readonly kind: 'kept'; readonly sessionId: string; readonly reason: string };

/** What is shorter stands in too much else. */
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
    const done = await redactSession(env, { session: one.sessionId, values: one.values, secrets: false, dryRun });
    if (!done.ok && done.error.code !== 'NOT_FOUND') return done;
    const lines = done.ok ? done.value.lines.length : 0;
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

async function meantBy(env: Environment, asked: Asked): Promise<readonly Meant[]> {
  const meant: Meant[] = [];
  for (const ref of await env.store.list()) {
    const isHeld = (run: string): boolean => env.store.running.holder(ref.place, run) !== undefined;
    meant.push(...(await env.store.glance(ref).read(({ state }) => meantOf(ref.id, state, asked, isHeld))));
  }
  return meant.toSorted((a, b) => (a.sessionId < b.sessionId ? -1 : a.sessionId > b.sessionId ? 1 : 0));
}

function meantOf(
  sessionId: string,
  session: FoldedSession,
  { workflowId, inputs }: Asked,
  isHeld: (run: string) => boolean,
): readonly Meant[] {
  const all = [...session.runs.values()];
  const runs = all.filter((run) => run.started.data.workflowId === workflowId);
  if (runs.length === 0) return [];
  const kept = (reason: string): Meant => ({ kind: 'kept', sessionId, reason });
  // What is taken out is taken out of all that the session holds: another run would go on with what is left.
  const open = all.find((run) => !hasEnded(session, run) || isHeld(run.id));
  if (open !== undefined) return [kept(`${open.id} of ${open.started.data.workflowId} has not ended`)];
  if (inputs !== undefined) return valuesOf(runs, inputs, { sessionId, kept });
  return runs.length < all.length
    ? [kept('the session also has runs of other workflows; name inputs to take only their values out')]
    : [{ kind: 'whole', sessionId }];
}

/** An input is taken out with all that it holds, or stays: half of a list would give the rest away. */
function valuesOf(
  runs: readonly Run[],
  names: readonly string[],
  { sessionId, kept }: { readonly sessionId: string; readonly kept: (reason: string) => Meant },
): readonly Meant[] {
  const taken = new Map<string, readonly string[]>();
  const stays = new Map<string, string>();
  for (const { started } of runs)
    for (const name of names) {
      const value = own(started.data.inputs, name);
      if (value === undefined || value === null) continue;
      const held = [...leavesOf(value)];
      const short = held.find((one) => typeof one === 'boolean' || String(one).length < shortest);
      if (short === undefined) taken.set(name, [...(taken.get(name) ?? []), ...held.map(String)]);
      else if (typeof short === 'boolean') stays.set(name, `the value of ${name} is true or false`);
      else stays.set(name, `the value of ${name} ${typeof value === 'object' ? 'holds one that ' : ''}is too short`);
    }
  // In another run of the session it may have been longer.
  for (const name of stays.keys()) taken.delete(name);
  const values = [...new Set([...taken.values()].flat())];
  return [
    ...(values.length > 0 ? [{ kind: 'values', sessionId, inputs: [...taken.keys()], values } as const] : []),
    ...[...stays.values()].map((why) => kept(`${why}: other values may be the same`)),
  ];
}

function* leavesOf(value: JsonValue): Generator<string | number | boolean> {
  if (Array.isArray(value)) for (const one of value as readonly JsonValue[]) yield* leavesOf(one);
  else if (isJsonObject(value)) for (const one of Object.values(value)) yield* leavesOf(one);
  else if (value !== null && value !== '' && value !== takenOut) yield value as string | number | boolean;
}

const hasEnded = (session: FoldedSession, { tips }: Run): boolean =>
  [...tips].every((id) => {
    const tip = session.nodes.get(id);
    return tip !== undefined && !['in_progress', 'blocked', 'running'].includes(statusAt(session, tip));
  });
