import { canonicalJson } from '../base/canonical-json.js';
import { firstWords } from '../base/byte-budget.js';
import type { AttemptId } from '../base/ids.js';
import type { JsonObject } from '../base/json-value.js';
import { own } from '../base/own.js';
import type { EventData, Gap } from '../events/event-data.js';
import { compareEvents, type Event } from '../events/event.js';
import type { Entry } from './entry.js';
import type { RunNode } from './folded-session.js';
import { withoutUsage } from './usage.js';

/** What an attempt handed in last, which waits for the user. */
export const draftOf = (node: RunNode, attempt: AttemptId): Event<'step_blocked'> | undefined =>
  node.blocks.findLast(({ data }) => data.attempt === attempt);

/** All that an attempt handed in that waited for the user, the newest last; before an event of it, where that is named. */
export const draftsOf = (
  node: RunNode,
  attempt: AttemptId,
  before?: Event<'step_acked'>,
): readonly Event<'step_blocked'>[] =>
  node.blocks.filter(
    (block) => block.data.attempt === attempt && (before === undefined || compareEvents(block, before) < 0),
  );

/** The keys of the context that only the user could give, and that a draft waits for. */
export const keysAsked = ({ data }: Event<'step_blocked'>): readonly string[] =>
  data.blockers.flatMap(({ code, pointer }) =>
    (code === 'USER_ONLY_DEPENDENCY' || code === 'COMMAND_OUTCOME_UNKNOWN') && pointer.startsWith(inContext)
      ? [pointer.slice(inContext.length)]
      : [],
  );

/** Whether the agent itself said in a draft that it waits for the user. */
export const waitsForGap = ({ data }: Event<'step_blocked'>): boolean =>
  data.blockers.some(({ pointer }) => pointer.startsWith('/output/gaps/'));

/** Of these keys those that come with a value. */
export const keysGiven = (asked: readonly string[], context: JsonObject = {}): readonly string[] =>
  asked.filter((key) => (own(context, key) ?? null) !== null);

/** What waits for the user at a node: the newest draft of an attempt that was not recorded after all. */
export const standingDraft = (node: RunNode): Event<'step_blocked'> | undefined =>
  node.blocks.findLast(({ data }) => !node.acks.some((ack) => ack.data.attempt === data.attempt));

/** What the same attempt had handed in before an event of it. */
export const draftBefore = (
  node: RunNode,
  event: Event<'step_blocked'> | Event<'step_acked'>,
): Event<'step_blocked'> | undefined =>
  node.blocks.findLast((block) => block.data.attempt === event.data.attempt && compareEvents(block, event) < 0);

export function draftEntry({ sum, data }: Event<'step_blocked'>): Entry {
  const { step, output = {}, gaps = [] } = data;
  return { sum, kind: 'draft', path: step.path, title: step.title, output: withoutUsage(output), gaps };
}

const inContext = '/context/';

type Handed = Pick<EventData<'step_blocked'>, 'output' | 'context' | 'gaps'>;

const artifactsOf = ({ output = {} }: Handed): readonly JsonObject[] | undefined => withoutUsage(output).artifacts;

const keyBytes = 60;
const namesTold = 8;

/** In which parts what was handed in differs from a draft, besides keys that nobody compares. */
export function unlikeDraft(draft: Handed, handed: Handed, besides: readonly string[] = []): readonly string[] {
  const differs = (one: unknown, other: unknown): boolean =>
    canonicalJson((one ?? null) as never) !== canonicalJson((other ?? null) as never);
  const [before, now] = [draft.context ?? {}, handed.context ?? {}];
  const keys = [...new Set([...Object.keys(before), ...Object.keys(now)])].filter(
    (key) => !besides.includes(key) && differs(own(before, key), own(now, key)),
  );
  const names = [
    ...(differs(draft.output?.notes, handed.output?.notes) ? ['the notes'] : []),
    ...(differs(artifactsOf(draft), artifactsOf(handed)) ? ['the artifacts'] : []),
    ...(differs(disclosed(draft.gaps), disclosed(handed.gaps)) ? ['the gaps'] : []),
    ...keys.map((key) => `context.${firstWords(key, keyBytes)}`),
  ];
  return names.length <= namesTold ? names : [...names.slice(0, namesTold), `and ${names.length - namesTold} more`];
}

/** Their ids are drawn anew each time, and that a loop came to its end is nobody's to hand in. */
const disclosed = (gaps: readonly Gap[] = []): readonly Omit<Gap, 'id'>[] =>
  gaps.flatMap(({ id: _id, ...gap }) => (gap.category === 'limit' && gap.reason === 'loop_limit' ? [] : [gap]));
