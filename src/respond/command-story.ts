import { byteLength, cutToBytes } from '../base/byte-budget.js';
import { limits } from '../base/limits.js';
import { own } from '../base/own.js';
import type { CommandStory, StopStory, TriedStory } from '../contract/command-story.js';
import { commandKey } from '../definitions/compiled/command-lookup.js';
import type { CompiledWorkflow } from '../definitions/compiled/compiled-workflow.js';
import { placesOf } from '../definitions/compiled/place.js';
import type { EventData } from '../events/event-data.js';
import { compareEvents, type Event } from '../events/event.js';
import { outcomePointer } from '../sessions/command-standing.js';
import type { FoldedSession, RunNode } from '../sessions/folded-session.js';
import { answersTo } from '../sessions/person-answers.js';
import { statusAt, stoppedAt } from '../sessions/run-status.js';
import { commandSays } from './command-says.js';
import { commandState } from './tell-command.js';

export interface CommandTelling {
  /** The pin of its run, where it can be read. */
  readonly workflow: CompiledWorkflow | undefined;
  /** So much of an answer is told whole. */
  readonly bodyBytes: number;
}

const writesTold = 50;

/** The step at a node that WorkRail does itself; undefined where an agent does it, or where nobody can say what it was. */
export function commandStory(session: FoldedSession, node: RunNode, telling: CommandTelling): CommandStory | undefined {
  if (node.pending?.does !== 'run') return undefined;
  const planned = plannedAt(node, telling.workflow);
  const last = node.tries?.at(-1)?.data;
  const named = last ?? node.intents?.at(-1)?.data ?? planned;
  if (named === undefined) return undefined;
  const state = commandState(session, node);
  const tries = triesOf(node);
  const [source, settled] = [sourceAt(session, node), settledOf(node)];
  const waits = waitsAt(session, node, planned?.everyMs);
  return {
    catalog: named.catalog,
    command: named.command,
    state,
    says: commandSays({
      state,
      last,
      isUnsent: tries.every(({ outcome }) => outcome === 'not_sent'),
      isOut: tries.at(-1)?.outcome === 'sent',
      source,
      settled,
      waits,
    }),
    tries: tries.slice(-limits.triesTold),
    ...given({
      ...exchangeAt(session, node, planned, telling.bodyBytes),
      triesOmitted: tries.length > limits.triesTold ? tries.length - limits.triesTold : undefined,
      until: planned?.until,
      waits,
      source,
      settled,
      agreed: agreedTo(session, node),
    }),
  };
}

/** What was sent and what came, here or where it was taken from. */
function exchangeAt(session: FoldedSession, node: RunNode, planned: Planned | undefined, bodyBytes: number) {
  const last = node.tries?.at(-1)?.data;
  const from = last?.of === undefined ? undefined : sentBy(session, node, last.of);
  const intent = node.intents?.at(-1) ?? from?.intents?.at(-1);
  return {
    request: requestOf(intent?.data, last, planned),
    response: last && responseOf(last, bodyBytes),
    reusedFrom: from?.id,
  };
}

type Given<T> = { readonly [K in keyof T]?: Exclude<T[K], undefined> };
/** Only what there is. */
const given = <T extends object>(all: T): Given<T> =>
  Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as Given<T>;

export function stopStory(session: FoldedSession, node: RunNode): StopStory | undefined {
  const stopped = node.children.length > 0 ? node.stopped : stoppedAt(session, node);
  if (stopped === undefined) return undefined;
  const { status, code, message } = stopped.data;
  return { event: stopped.sum, at: stopped.at, status, code, message };
}

interface Planned {
  readonly catalog: string;
  readonly command: string;
  readonly method?: string;
  readonly url?: string;
  readonly until?: string;
  readonly everyMs?: number;
}

/** As the pinned workflow has it, before anything was sent. */
function plannedAt({ pending }: RunNode, workflow: CompiledWorkflow | undefined): Planned | undefined {
  const step = workflow && placesOf(workflow).get(pending?.id ?? '')?.step;
  if (step?.kind !== 'run') return undefined;
  const operation = own(workflow?.operations ?? {}, commandKey(step));
  return {
    catalog: step.catalog,
    command: step.command,
    ...(operation !== undefined && { method: operation.method, url: operation.path }),
    ...(step.until !== undefined && { until: step.until }),
    ...(step.everyMs !== undefined && { everyMs: step.everyMs }),
  };
}

function requestOf(
  intent: EventData<'command_sent'> | undefined,
  last: EventData<'command_done'> | undefined,
  planned: Planned | undefined,
): CommandStory['request'] {
  if (intent !== undefined) {
    const { method, url, body, repeat } = intent;
    return { method, url, ...(body !== undefined && { body }), repeat };
  }
  const { method, url } = last ?? planned ?? {};
  return method === undefined || url === undefined ? undefined : { method, url };
}

/** Every time that it was sent, and what nobody answered: with an intent alone it has left, or was about to. */
function triesOf({ intents = [], tries = [] }: RunNode): readonly TriedStory[] {
  const over = new Set(tries.map(({ data }) => data.try));
  const out = intents.filter(({ data }) => !over.has(data.try));
  const told = [
    ...tries.map(triedStory),
    ...out.map(({ sum, at, data }) => ({ event: sum, at, try: data.try, outcome: 'sent' as const })),
  ];
  return out.length === 0 ? told : told.toSorted((a, b) => a.try - b.try);
}

function triedStory({ sum, at, data }: Event<'command_done'>): TriedStory {
  const { outcome, then, status, ms, bytes, pages, error } = data;
  return {
    event: sum,
    at,
    try: data.try,
    outcome,
    then,
    ...(status !== undefined && { status }),
    ms,
    bytes,
    ...(pages !== undefined && { pages }),
    ...(error !== undefined && { error }),
  };
}

/** Of steps done on several branches the first: each of them says for itself how it was done. */
function sourceAt(session: FoldedSession, node: RunNode): CommandStory['source'] {
  const [child] = node.children.map((id) => session.nodes.get(id));
  return child?.madeBy.kind === 'step_acked' ? child.madeBy.data.command?.source : undefined;
}

function responseOf(
  { status, headers = {}, bytes, body, of }: EventData<'command_done'>,
  bodyBytes: number,
): CommandStory['response'] {
  if (status === undefined && body === undefined) return undefined;
  const text = body === undefined ? '' : JSON.stringify(body);
  const size = byteLength(text);
  return {
    ...(status !== undefined && { status }),
    headers,
    // Of what was taken from elsewhere nothing came here.
    bytes: of === undefined ? bytes : size,
    ...(body === undefined
      ? {}
      : size <= bodyBytes
        ? { body }
        : { cut: { bytes: size, text: cutToBytes(text, bodyBytes) } }),
  };
}

function settledOf(node: RunNode): CommandStory['settled'] {
  const event = node.settled?.at(-1);
  if (event !== undefined) {
    const { choice, reason } = event.data;
    const by = event.who === undefined ? 'agent' : 'user';
    return { at: event.at, choice, by, ...(reason !== '' && { reason }) };
  }
  for (const block of node.blocks.toReversed()) {
    if (block.data.command?.try === undefined) continue;
    const answer = answersTo(node, block).find(({ data }) => data.question === outcomePointer);
    const choice = answer && own(answer.data.context ?? {}, 'outcome');
    if (answer === undefined || (choice !== 'repeat' && choice !== 'done' && choice !== 'failed')) continue;
    const { reason = '' } = answer.data;
    return { at: answer.at, choice, by: 'user', ...(reason !== '' && { reason }) };
  }
  return undefined;
}

function waitsAt(session: FoldedSession, node: RunNode, everyMs: number | undefined): CommandStory['waits'] {
  const last = node.tries?.at(-1);
  if (last?.data.then !== 'again' || statusAt(session, node) !== 'running') return undefined;
  if ((node.intents?.at(-1)?.data.try ?? 0) > last.data.try) return undefined;
  return { from: last.at, ms: last.data.waitMs ?? everyMs ?? limits.commandPauseMs };
}

/** The node of another branch or run that a call was sent at. */
const sentBy = (session: FoldedSession, node: RunNode, call: string): RunNode | undefined =>
  [...session.nodes.values()].find(
    ({ id, intents }) => id !== node.id && intents?.some(({ data }) => data.call === call) === true,
  );

/** Under which agreement it was sent, or would be. */
function agreedTo(session: FoldedSession, node: RunNode): CommandStory['agreed'] {
  const intent = node.intents?.at(-1);
  if (intent === undefined && node.confirmed === undefined) return undefined;
  const event =
    node.confirmed ??
    session.runs
      .get(node.run)
      ?.confirmed?.findLast(
        (one) => one.data.plan.startsWith('pl_') && intent !== undefined && compareEvents(one, intent) < 0,
      );
  if (event === undefined) return undefined;
  const { plan, by, writes } = event.data;
  return {
    event: event.sum,
    at: event.at,
    by,
    to: plan.startsWith('rq_') ? 'request' : 'plan',
    plan,
    writes: writes.slice(0, writesTold),
  };
}
