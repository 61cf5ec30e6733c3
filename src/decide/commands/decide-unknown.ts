import { limits } from '../../base/limits.js';
import { commandKey } from '../../definitions/compiled/command-lookup.js';
import type { Event } from '../../events/event.js';
import {
  cameOf,
  commandStanding,
  lastSent,
  lastTry,
  outcomePointer,
  saidElsewhere,
  type SentAt,
  type Settled,
  settledAt,
} from '../../sessions/command-standing.js';
import type { FoldedSession, RunNode } from '../../sessions/folded-session.js';
import { hasEffect } from '../../sessions/sent-below.js';
import { shortDigest } from '../requested-output.js';
import { asks } from './asks.js';
import type { CommandToSend } from './command-at.js';
import type { CommandDecision, CommandHere } from './command-decision.js';
import { asksNobody, type Done, recordDone } from './go-on.js';

/** Of where the same request was sent: what was done counts before what may have been, and that before what came to nothing. */
export function sentAlike(others: readonly RunNode[], { digest }: CommandToSend): RunNode | undefined {
  const alike = others.filter(({ intents = [] }) => intents.some(({ data }) => data.digest === digest));
  return alike.find(wasDone) ?? alike.findLast(hasEffect) ?? alike.at(-1);
}

const wasDone = (node: RunNode): boolean => {
  const { unknown, last } = commandStanding(node);
  return unknown === undefined && last?.data.outcome === 'ok';
};

/** A request left here or on another branch, and nobody knows what became of it. Undefined where it is to be sent again. */
export function decideUnknown(
  session: FoldedSession,
  node: RunNode,
  command: CommandToSend,
  here: CommandHere,
  { unknown, at }: { readonly unknown: Event<'command_sent'>; readonly at: RunNode },
): CommandDecision | undefined {
  const { call, try: number } = unknown.data;
  const about = { call, try: number };
  const later = sentLater(session, { intent: unknown, at });
  const came = later && cameOf(later)?.data;
  if (later !== undefined && came?.outcome === 'ok')
    return reused(session, node, command, here, { came, own: at === node ? about : undefined });
  if (later !== undefined && (came === undefined || came.outcome === 'unknown'))
    // The other branch goes on with it by itself, and what comes of that counts here.
    return isSentOn(command, here, later)
      ? { kind: 'settled' }
      : askUnknown(session, node, command, here, {
          unknown: later.intent,
          at: later.at,
          own: at === node ? about : undefined,
        });
  return askUnknown(session, node, command, here, { unknown, at, own: at === node ? about : undefined, since: came });
}

/** The same request as it was sent again since on another branch: one word sends it once. */
function sentLater(session: FoldedSession, { intent, at }: SentAt): SentAt | undefined {
  const last = lastSent(session, intent.data.call);
  return last !== undefined && last.at !== at && last.intent.data.try > intent.data.try ? last : undefined;
}

/** Whether a branch sends a request again without being told to. */
const isSentOn = (
  { digest, repeat }: CommandToSend,
  { home }: CommandHere,
  { intent: { data }, at }: SentAt,
): boolean =>
  repeat !== 'once' &&
  data.digest === digest &&
  data.home === home &&
  at.stopped === undefined &&
  commandStanding(at).tries < limits.unknownTries;

interface Unknown {
  readonly unknown: Event<'command_sent'>;
  readonly at: RunNode;
  /** What of it was sent here. */
  readonly own: Pick<Done, 'call' | 'try'> | undefined;
  /** What came of it where it was sent again since. */
  readonly since?: Done | undefined;
}

/** What was said of it counts; as long as nobody said anything, it is asked about. */
function askUnknown(
  session: FoldedSession,
  node: RunNode,
  command: CommandToSend,
  here: CommandHere,
  { unknown, at, own, since }: Unknown,
): CommandDecision | undefined {
  const about = { call: unknown.data.call, try: unknown.data.try };
  const word = settledAt(node, about) ?? settledAt(at, about) ?? saidElsewhere(session, about);
  if (word?.choice === 'repeat') return undefined;
  const name = commandKey(command.step);
  const done = taken(command, at === node ? about : overHere(command, own, about.call));
  const record = (
    more: Pick<Done, 'outcome' | 'then' | 'body' | 'error'>,
    how: Parameters<typeof recordDone>[4],
  ): CommandDecision => ({
    kind: 'recorded',
    events: recordDone(session, node, here, { ...done, ...more }, how),
  });
  if (word?.choice === 'done')
    return record({ outcome: 'ok', then: 'done', body: word.body ?? null }, { source: 'settled' });
  // That it was not done elsewhere says nothing of a branch that came later.
  if (word?.choice === 'failed' && own === undefined) return undefined;
  if (word?.choice === 'failed') return notDone(session, node, command, here, { word, over: done });
  const { method, url } = unknown.data;
  if (asksNobody(node)) {
    const detail = `${node.pending?.path ?? ''}: ${method} ${url} was sent; whether the server did it is unknown`;
    const gap = { category: 'unexpected', reason: 'outcome_unknown', detail, severity: 'critical' } as const;
    return record({ outcome: 'unknown', then: 'done' }, { source: 'skipped', gaps: [gap] });
  }
  return asks(node, here, {
    id: shortDigest(['outcome', about.call, about.try, ...(since === undefined ? [] : [since.try])]),
    command: about,
    blocker: {
      code: 'COMMAND_OUTCOME_UNKNOWN',
      pointer: outcomePointer,
      message: `${name}${at === node ? '' : ', on another branch'}: ${lastWords(at, unknown)}; whether the server did it is unknown${sinceWords(since)}`,
      fix: 'check at the server whether it was done; then answer done if it was, repeat to send it again, or failed if it was not and should not be',
    },
    shows: `${method} ${url}${unknown.data.body === undefined ? '' : `\n\n${unknown.data.body.preview}`}`,
  });
}

const lastWords = (node: RunNode, { data: { try: at, method, url } }: Event<'command_sent'>): string =>
  node.tries?.findLast(({ data }) => data.try === at)?.data.error?.message.replace(/\.$/u, '') ??
  `${method} ${url} was sent, and the program ended before an answer was recorded`;

const sinceWords = (since: Done | undefined): string =>
  since === undefined
    ? ''
    : `; it was sent again on another branch since, and came to nothing: ${since.error?.message.replace(/\.$/u, '') ?? `answered ${since.status}`}`;

/** Somebody says that it was not done and shall not be. */
function notDone(
  session: FoldedSession,
  node: RunNode,
  command: CommandToSend,
  here: CommandHere,
  { word, over }: { readonly word: Settled; readonly over: ReturnType<typeof taken> },
): CommandDecision {
  const message = `${commandKey(command.step)} was not done${word.reason === '' ? '' : `: ${word.reason}`}`;
  const error = { code: 'COMMAND_FAILED', message, action: 'see why, and start again' };
  const then = command.step.onError === 'continue' ? 'done' : 'stop';
  const done: Done = { ...over, outcome: 'failed', then, error };
  return { kind: 'recorded', events: recordDone(session, node, here, done, { source: 'settled' }) };
}

/** What became of a request of another branch was asked here, and the answer is that it shall not be done. */
export function decideRefused(
  session: FoldedSession,
  node: RunNode,
  command: CommandToSend,
  here: CommandHere,
  others: readonly RunNode[],
): CommandDecision | undefined {
  const about = node.blocks.findLast(({ data }) => data.command?.try !== undefined)?.data.command;
  const intent = others
    .flatMap(({ intents = [] }) => intents)
    .find(({ data }) => data.call === about?.call && data.try === about.try && data.digest === command.digest);
  if (intent === undefined || lastTry(session, intent.data.call) > intent.data.try) return undefined;
  const word = settledAt(node, intent.data) ?? saidElsewhere(session, intent.data);
  if (word?.choice !== 'failed') return undefined;
  const over = taken(command, overHere(command, undefined, intent.data.call));
  return notDone(session, node, command, here, { word, over });
}

/** The same request was sent on another branch, or in the run that this one goes on from. Undefined where it came to nothing. */
export function decideReused(
  session: FoldedSession,
  node: RunNode,
  command: CommandToSend,
  here: CommandHere,
  other: RunNode,
): CommandDecision | undefined {
  const { unknown, last } = commandStanding(other);
  if (unknown !== undefined) return decideUnknown(session, node, command, here, { unknown, at: other });
  return last?.data.outcome === 'ok'
    ? reused(session, node, command, here, { came: last.data, own: undefined })
    : undefined;
}

function reused(
  session: FoldedSession,
  node: RunNode,
  command: CommandToSend,
  here: CommandHere,
  { came, own }: Pick<Unknown, 'own'> & { readonly came: Done },
): CommandDecision {
  const about = overHere(command, own, came.call);
  const done: Done = { ...came, ...taken(command, about), outcome: 'ok', then: 'done' };
  return { kind: 'recorded', events: recordDone(session, node, here, done, { source: 'reused' }) };
}

/** What is recorded here of a request that another branch sent: it ends the own one, where there is one. */
const overHere = (
  { call, number }: CommandToSend,
  own: Unknown['own'],
  of: Done['call'],
): Pick<Done, 'call' | 'try' | 'of'> => ({ ...(own ?? { call, try: number }), of });

/** Of a command that was not sent here. */
const taken = (
  { step, operation }: CommandToSend,
  about: Pick<Done, 'call' | 'try' | 'of'>,
): Pick<Done, 'call' | 'try' | 'of' | 'catalog' | 'command' | 'method' | 'url' | 'bytes' | 'ms'> => ({
  ...about,
  catalog: step.catalog,
  command: step.command,
  method: operation.method,
  url: operation.path,
  bytes: 0,
  ms: 0,
});
