import { firstWords } from '../../base/byte-budget.js';
import type { JsonObject } from '../../base/json-value.js';
import { limits } from '../../base/limits.js';
import type { EventData } from '../../events/event-data.js';
import type { EventDraft } from '../../events/event.js';
import type { FoldedSession, RunNode } from '../../sessions/folded-session.js';
import type { CommandToSend } from './command-at.js';
import { type Done, type Going, recordDone } from './go-on.js';

/** What came of sending a command once. */
export interface Sent {
  readonly method: string;
  /** Without secrets. */
  readonly url: string;
  readonly bytes: number;
  readonly ms: number;
  readonly pages?: number | undefined;
  /** How long the server asked to be left alone. */
  readonly retryAfterMs?: number | undefined;
  /** An earlier try of this very sending may have been done. */
  readonly mayBeSecond?: true;
  readonly came: Came;
}

export type Came =
  /** An answer came, whole, and was judged; of pages the last one. */
  | { readonly status: number; readonly headers: JsonObject; readonly verdict: Verdict }
  | {
      readonly outcome: 'unknown' | 'not_sent' | 'failed';
      readonly status?: number | undefined;
      readonly error: NonNullable<EventData<'command_done'>['error']>;
      /** Nothing came in its way but that it was not wanted then, or not like this: whoever goes on decides anew. */
      readonly isAnew?: true;
    };

export type Verdict =
  | { readonly kind: 'right'; readonly left: Left }
  | { readonly kind: 'not_yet' }
  | { readonly kind: 'wrong'; readonly message: string; readonly left?: Left };

/** What there is of a body for later steps. */
export type Left = Pick<EventData<'command_done'>, 'body' | 'file' | 'noBody'>;

export interface TriedCommand extends Going {
  readonly command: CommandToSend;
  readonly sent: Sent;
  /** How long the step has been at it, all tries together. */
  readonly sinceMs: number;
}

/** What a try of a command comes to: it is recorded, and with it what follows. */
export function decideTried(session: FoldedSession, node: RunNode, tried: TriedCommand): readonly EventDraft[] {
  const { unconfirmed } = tried.command;
  const detail = `${node.pending?.path ?? ''}: sent although the user has not agreed to exactly this request: ${unconfirmed ?? ''}`;
  const gap = { category: 'confirmation', reason: 'needs_user_approval', detail, severity: 'critical' } as const;
  return recordDone(
    session,
    node,
    tried,
    sentAgain(node, tried) ?? judged(node, tried),
    unconfirmed === undefined ? {} : { gaps: [gap] },
  );
}

/**
 * A server that says when to come back has not done it. Of a write each request is a try of its own, so that nothing
 * leaves after the run was stopped, and whoever goes on with it knows what became of each.
 */
function sentAgain({ tries = [] }: RunNode, { command, sent }: TriedCommand): Done | undefined {
  const { came, method, url, bytes, ms } = sent;
  if (!command.writes || !('verdict' in came)) return undefined;
  const { step, call, number } = command;
  // What was repeated because somebody said so is waited for anew.
  const waited =
    tries.length - 1 - tries.findLastIndex(({ data }) => data.then !== 'again' || data.status === undefined);
  const { status } = came;
  const { max = limits.callRetries, upToMs = limits.callRetryUpToMs, on } = step.retry ?? {};
  const isBusy =
    (status === 429 || status === 503) && sent.retryAfterMs !== undefined && on?.includes(status) !== false;
  const mayTwice = step.repeatable === true && on?.some((one) => one === status || (one === '5xx' && status > 499));
  const waitMs = sent.retryAfterMs ?? limits.callPauseMs * 2 ** Math.min(waited, 6);
  if (!(isBusy || mayTwice === true) || waited >= max || waitMs > upToMs) return undefined;
  const error = {
    code: 'COMMAND_UNAVAILABLE',
    message: `${step.catalog} ${step.command} answered ${status}`,
    action: 'wait: it is sent again',
  };
  const done = { call, try: number, catalog: step.catalog, command: step.command, method };
  return {
    ...done,
    url: firstWords(url, limits.recordedUrl),
    outcome: 'failed',
    then: 'again',
    waitMs,
    status,
    bytes,
    ms,
    error,
  };
}

function judged(node: RunNode, { command, sent, sinceMs }: TriedCommand): Done {
  const { step, call, number } = command;
  const { method, url, bytes, ms, pages, came } = sent;
  const common = {
    call,
    try: number,
    catalog: step.catalog,
    command: step.command,
    method,
    url: firstWords(url, limits.recordedUrl),
    bytes,
    ms,
    ...(pages !== undefined && pages > 1 && { pages }),
  };
  if (!('verdict' in came)) return unanswered(common, command, came);
  const failedThen = thenOfFailed(command);
  const { status, verdict } = came;
  if (isDoubtful(command, status)) return doubtful(common, command, status);
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
      // What was deleted at an earlier try, whose answer nobody has, is not there to be deleted again.
      return method === 'DELETE' && isGone(status) && (sent.mayBeSecond === true || mayBeDone(node, command))
        ? { ...answered, outcome: 'ok', then: 'done', body: null }
        : failed(verdict.message, verdict.left);
    case 'not_yet': {
      const over = isOver(command, sinceMs);
      return over === undefined ? { ...answered, outcome: 'ok', then: 'again' } : failed(over);
    }
    case 'right':
      return { ...answered, outcome: 'ok', then: 'done', ...verdict.left };
  }
}

const thenOfFailed = ({ step }: CommandToSend): Done['then'] => (step.onError === 'continue' ? 'done' : 'stop');

/** No whole answer came. */
function unanswered(
  common: Omit<Done, 'outcome' | 'then'>,
  command: CommandToSend,
  { outcome, status, error, isAnew }: Extract<Came, { readonly error: object }>,
): Done {
  if (isAnew === true) return { ...common, outcome, then: 'again', waitMs: 0, error };
  if (outcome === 'failed' && status !== undefined && isDoubtful(command, status))
    return doubtful(common, command, status);
  const then = outcome === 'unknown' && command.writes ? afterUnknown(command) : thenOfFailed(command);
  return { ...common, outcome, then, ...(status !== undefined && { status }), error };
}

const isGone = (status: number): boolean => status === 404 || status === 410;

/** A try before this one left, and nobody knows what became of it. */
const mayBeDone = ({ intents = [], tries = [] }: RunNode, { number }: CommandToSend): boolean =>
  intents.some(({ data }) => {
    const over = tries.findLast((one) => one.data.try === data.try);
    return data.try < number && (over === undefined || over.data.outcome === 'unknown');
  });

/** What is not sent again by itself, or was often enough, is for somebody to say. */
const afterUnknown = ({ repeat, tried }: CommandToSend): Done['then'] =>
  repeat === 'once' || tried + 1 >= limits.unknownTries ? 'ask' : 'again';

/** Statuses of servers that may have done it before something in front of them broke. */
const doubts: ReadonlySet<number> = new Set([408, 500, 502, 504, 520, 521, 522, 523, 524]);

const isDoubtful = ({ writes, repeat, step }: CommandToSend, status: number): boolean =>
  writes && repeat === 'once' && doubts.has(status) && !(Array.isArray(step.expect) && step.expect.includes(status));

function doubtful(common: Omit<Done, 'outcome' | 'then'>, { step }: CommandToSend, status: number): Done {
  const message = `${step.catalog} ${step.command} answered ${status}: the server may have done it all the same`;
  const action = 'see at the server whether it was done';
  return { ...common, status, outcome: 'unknown', then: 'ask', error: { code: 'OUTCOME_UNKNOWN', message, action } };
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
