import { assert } from '../base/assert.js';
import { firstWords } from '../base/byte-budget.js';
import type { KeyId } from '../base/ids.js';
import type { JsonObject } from '../base/json-value.js';
import { limits } from '../base/limits.js';
import { patched } from '../base/patched.js';
import type { CompiledWorkflow } from '../definitions/compiled/compiled-workflow.js';
import { findNext } from '../engine/find-next.js';
import type { EventData, Warning } from '../events/event-data.js';
import type { EventDraft } from '../events/event.js';
import type { FoldedSession, RunNode } from '../sessions/folded-session.js';
import { openGapsAt } from '../sessions/gaps.js';
import { cameBack } from '../sessions/came-back.js';
import { recordsAt } from '../sessions/records.js';
import { roundsWith } from '../sessions/rounds-done.js';
import { atEnd } from './at-end.js';
import { recordedChange, withCollected } from './context-change.js';
import { type CommandToSend, stopped } from './decide-command.js';
import { GapList, recordWay, toldOnce } from './gap-list.js';
import type { IdsFromSeed } from './ids-from-seed.js';
import { knownInRound } from './known-in-round.js';
import { broughtDigest } from './requested-output.js';

/** What came of sending a command once. */
export interface Sent {
  readonly method: string;
  /** Without secrets. */
  readonly url: string;
  readonly bytes: number;
  readonly ms: number;
  readonly pages?: number | undefined;
  /** How long the server asked to be left alone, where that is longer than a call waits. */
  readonly retryAfterMs?: number | undefined;
  readonly came: Came;
}

export type Came =
  /** An answer came, whole, and was judged; of pages the last one. */
  | { readonly status: number; readonly headers: JsonObject; readonly verdict: Verdict }
  | {
      readonly outcome: 'unknown' | 'not_sent' | 'failed';
      readonly status?: number | undefined;
      readonly error: NonNullable<EventData<'command_done'>['error']>;
    };

export type Verdict =
  | { readonly kind: 'right'; readonly left: Left }
  | { readonly kind: 'not_yet' }
  | { readonly kind: 'wrong'; readonly message: string; readonly left?: Left };

/** What there is of a body for later steps. */
export type Left = Pick<EventData<'command_done'>, 'body' | 'file' | 'noBody'>;

export interface TriedCommand {
  readonly workflow: CompiledWorkflow;
  readonly command: CommandToSend;
  readonly sent: Sent;
  /** How long the step has been at it, all tries together. */
  readonly sinceMs: number;
  readonly key: KeyId;
  readonly engine: string;
  readonly draw: IdsFromSeed;
}

/** What a try of a command comes to: it is recorded, and with it what follows. */
export function decideTried(session: FoldedSession, node: RunNode, tried: TriedCommand): readonly EventDraft[] {
  const done = judged(tried);
  const record: EventDraft = { kind: 'command_done', run: node.run, node: node.id, data: done };
  if (done.then === 'poll') return [record];
  if (done.then === 'stop') {
    const { call, error } = done;
    const { code = 'COMMAND_FAILED', message = '' } = error ?? {};
    return [record, ...stopped(node, { status: 'failed', code, message, call }).events];
  }
  return [record, ...advanced(session, node, tried, done)];
}

type Done = EventData<'command_done'>;

function judged({ command, sent, sinceMs }: TriedCommand): Done {
  const { step, call, tried } = command;
  const { method, url, bytes, ms, pages, came } = sent;
  const common = {
    call,
    try: tried + 1,
    catalog: step.catalog,
    command: step.command,
    method,
    url: firstWords(url, limits.recordedUrl),
    bytes,
    ms,
    ...(pages !== undefined && pages > 1 && { pages }),
  };
  const failedThen = step.onError === 'continue' ? ('done' as const) : ('stop' as const);
  if (!('verdict' in came)) {
    const { outcome, status, error } = came;
    return { ...common, outcome, then: failedThen, ...(status !== undefined && { status }), error };
  }
  const { status, verdict } = came;
  const headers = toldHeaders(came.headers);
  const answered = { ...common, status, ...(Object.keys(headers).length > 0 && { headers }) };
  const failed = (message: string, left: Left = {}): Done => ({
    ...answered,
    outcome: 'failed',
    then: failedThen,
    ...left,
    error: {
      code: 'COMMAND_FAILED',
      message: `${step.catalog} ${step.command}: ${message}`,
      action: 'look at what it answered, and correct the step or what it was given',
    },
  });
  switch (verdict.kind) {
    case 'wrong':
      return failed(verdict.message, verdict.left);
    case 'not_yet': {
      const over = isOver(command, sinceMs);
      return over === undefined ? { ...answered, outcome: 'ok', then: 'poll' } : failed(over);
    }
    case 'right':
      return { ...answered, outcome: 'ok', then: 'done', ...verdict.left };
  }
}

/** Why it is not asked again, where that is so. */
function isOver(
  { step: { max, timeoutMs, everyMs = limits.commandPauseMs }, tried }: CommandToSend,
  sinceMs: number,
): string | undefined {
  if (max !== undefined && tried + 1 >= max) return `what is waited for did not hold within ${max} tries`;
  if (timeoutMs !== undefined && sinceMs + everyMs > timeoutMs)
    return `what is waited for did not hold within ${Math.round(timeoutMs / 1000)} s`;
  return undefined;
}

/** Headers that say something of the answer; others are for whoever carries it. */
const told: ReadonlySet<string> = new Set([
  'content-type',
  'date',
  'etag',
  'last-modified',
  'link',
  'location',
  'retry-after',
  'x-request-id',
  'x-ratelimit-remaining',
  'x-total-count',
]);
const toldHeaders = (headers: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => told.has(name)));

function advanced(session: FoldedSession, node: RunNode, tried: TriedCommand, done: Done): readonly EventDraft[] {
  const { pending } = node;
  const run = session.runs.get(node.run);
  assert(pending !== undefined && run !== undefined, 'a command is pending in a run');
  const { workflow, draw, key, engine } = tried;
  const left: JsonObject = { [pending.id]: cameBack(done) };
  const records = recordsAt(session, node);
  const change = { set: {}, added: {} };
  const rounds = roundsWith(session, node, { path: pending.path, notes: undefined });
  const never = node.preferences.autonomy === 'full_auto_never_stop';
  const way = findNext(
    workflow,
    { ...pending, ofRound: (frames) => knownInRound(session, node, workflow, frames, { change, done: left }) },
    { ...records, inputs: run.started.data.inputs, rounds, outputs: patched(records.outputs, left) },
    never ? 'assume' : 'stop',
  );
  const [unknown] = never ? [] : way.unknown;
  if (unknown !== undefined)
    return stopped(node, {
      status: 'failed',
      code: 'PRECONDITION_FAILED',
      message: `${unknown.path}: ${unknown.message}`,
      call: done.call,
    }).events;
  const gaps = new GapList(draw);
  const warnings: Warning[] = [];
  const toldWay = recordWay(
    toldOnce(way, () => openGapsAt(session, node)),
    gaps,
    warnings,
  );
  const data: EventData<'step_acked'> = {
    parent: node.id,
    attempt: draw.attemptId(),
    step: pending.title,
    brought: broughtDigest({}),
    command: { call: done.call, source: 'sent' },
    ...recordedChange(withCollected(change, way.collected)),
    ...(way.ended.length > 0 && { rounds: [...way.ended] }),
    ...(key !== node.terms.key && { key }),
    ...(engine !== node.terms.engine && { engine }),
    ...toldWay,
    ...(warnings.length > 0 && { warnings }),
    ...(gaps.gaps.length > 0 && { gaps: gaps.gaps }),
    ...(toldWay.next === undefined && atEnd(session, node, gaps)),
  };
  return [{ kind: 'step_acked', run: node.run, node: draw.nodeId((id) => session.nodes.has(id)), data }];
}
