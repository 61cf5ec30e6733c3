import type { JsonValue } from '../base/json-value.js';
import type { Settlement } from '../base/closed-sets.js';
import type { CallId, RunId } from '../base/ids.js';
import { own } from '../base/own.js';
import type { Event } from '../events/event.js';
import type { FoldedSession, RunNode } from './folded-session.js';
import { answersTo } from './person-answers.js';

/** What is known of the command that is pending at a node. */
export interface CommandStanding {
  /** Tries that began. */
  readonly tries: number;
  /** The last try that is over. */
  readonly last: Event<'command_done'> | undefined;
  /** A request that left, or was about to, and of which nobody knows what became. */
  readonly unknown: Event<'command_sent'> | undefined;
  /** What somebody said became of it. */
  readonly settled: Settled | undefined;
}

export interface Settled {
  readonly choice: Settlement;
  readonly body?: JsonValue | undefined;
  readonly reason: string;
}

/** The pointer of the question what became of a command. */
export const outcomePointer = '/context/outcome';

export function commandStanding(node: RunNode): CommandStanding {
  const { intents = [], tries = [] } = node;
  const intent = intents.at(-1);
  const last = tries.at(-1);
  const over = intent && tries.findLast(({ data }) => data.try === intent.data.try);
  const isUnknown = intent !== undefined && (over === undefined || over.data.outcome === 'unknown');
  return {
    tries: Math.max(intents.length, tries.length),
    last,
    unknown: isUnknown ? intent : undefined,
    settled: isUnknown ? settledAt(node, intent.data) : undefined,
  };
}

/** What was said at a node of a try with an unknown outcome, there or on another branch. The first word counts. */
export function settledAt(
  node: RunNode,
  { call, try: at }: Pick<Event<'command_sent'>['data'], 'call' | 'try'>,
): Settled | undefined {
  const said = node.settled?.find(({ data }) => data.call === call && data.try === at);
  if (said !== undefined) return said.data;
  for (const block of node.blocks) {
    if (block.data.command?.call !== call || block.data.command.try !== at) continue;
    const answer = answersTo(node, block).find(({ data }) => data.question === outcomePointer);
    const choice = answer && own(answer.data.context ?? {}, 'outcome');
    if (choice === 'repeat' || choice === 'done' || choice === 'failed')
      return { choice, reason: answer?.data.reason ?? '' };
  }
  return undefined;
}

/** What somebody said of such a try on any branch; not that it is to be sent again: the branch where that was said does it. */
export function saidElsewhere(
  { nodes }: FoldedSession,
  about: Pick<Event<'command_sent'>['data'], 'call' | 'try'>,
): Settled | undefined {
  for (const node of nodes.values()) {
    const said = settledAt(node, about);
    if (said !== undefined && said.choice !== 'repeat') return said;
  }
  return undefined;
}

export interface SentAt {
  readonly intent: Event<'command_sent'>;
  readonly at: RunNode;
}

/** The last request of a call, on whatever branch it was begun. */
export function lastSent({ nodes }: FoldedSession, call: CallId): SentAt | undefined {
  let last: SentAt | undefined;
  for (const at of nodes.values())
    for (const intent of at.intents ?? [])
      if (intent.data.call === call && intent.data.try > (last?.intent.data.try ?? 0)) last = { intent, at };
  return last;
}

/** The number of the last try of a call; 0 where none was begun. */
export const lastTry = (session: FoldedSession, call: CallId): number => lastSent(session, call)?.intent.data.try ?? 0;

/** What came of a request; undefined where that is not recorded. */
export const cameOf = ({ intent: { data }, at }: SentAt): Event<'command_done'> | undefined =>
  at.tries?.findLast((one) => one.data.call === data.call && one.data.try === data.try);

/** Where a command of a run was sent before: on other branches, in the runs that it goes on from, and in others that go on from those. */
export function sentElsewhere(session: FoldedSession, node: RunNode): readonly RunNode[] {
  const path = node.pending?.path;
  const first = firstOf(session, node.run);
  return [...session.nodes.values()].filter(
    (other) =>
      other.id !== node.id &&
      other.intents !== undefined &&
      other.pending?.path === path &&
      (other.run === node.run || firstOf(session, other.run) === first),
  );
}

/** The run that was not begun to repair another. */
function firstOf({ runs }: FoldedSession, run: RunId): RunId {
  const met = new Set<RunId>();
  for (let at = run; ;) {
    const { repairs } = runs.get(at)?.started.data ?? {};
    if (repairs === undefined || met.has(at)) return at;
    met.add(at);
    at = repairs;
  }
}

/** Whether an outcome is known to be unknown. Of a request that has only left, the answer may still be on its way. */
export function isAskedAbout(node: RunNode, { data: { call, try: at } }: Event<'command_sent'>): boolean {
  const isOver = node.tries?.some(({ data }) => data.try === at && data.outcome === 'unknown') === true;
  return isOver || node.blocks.some(({ data }) => data.command?.call === call && data.command.try === at);
}
