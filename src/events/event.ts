import type { EventSum, NodeId, OriginId, RunId, WriterId } from '../base/ids.js';
import type { EventData, EventKind } from './event-data.js';

/** The newest version of the line format. Older ones are upcast when read, newer ones refused. */
export const eventVersion = 3;
/** What most lines say: the oldest version that has all that stands in them, so that older programs read them. */
const plainVersion = 2;

export const doors = ['terminal', 'page', 'client'] as const;
/** Whose doing it was, where that is known and makes a difference. */
export interface Who {
  /** Where a person came in: the command line, the web page, or asked by the agent's own program. */
  readonly door: (typeof doors)[number];
  readonly person?: string;
  readonly agent?: string;
  readonly turn?: string;
}

/** The version that a line says, by what stands in it. */
export const lineVersion = (who: unknown, data: unknown): number =>
  who !== undefined || newerFields.some((field) => Object.hasOwn(data as object, field)) || isDoneHere(data)
    ? eventVersion
    : plainVersion;
const newerFields = [
  'added',
  'answers',
  'refused',
  'rounds',
  'openRuns',
  'command',
  'call',
  'status',
  'plan',
  'repairs',
  'state',
  'read',
] as const;

/** The step that comes next is one that WorkRail does. */
const isDoneHere = (data: unknown): boolean => Object.hasOwn((data as { readonly next?: object }).next ?? {}, 'does');

/** A fact that has been decided and not yet written. */
export type EventDraft<K extends EventKind = EventKind> = {
  [Kind in K]: {
    readonly kind: Kind;
    readonly run?: RunId;
    readonly node?: NodeId;
    readonly who?: Who;
    readonly data: EventData<Kind>;
  };
}[K];

/** What the log adds to a fact when it is written. */
export interface Envelope {
  readonly v: number;
  /** Lamport clock: one more than the highest seen in the session. */
  readonly seq: number;
  readonly by: WriterId;
  readonly at: string;
  /** On the first line a writer puts into a segment: the id the session was made under. */
  readonly origin?: OriginId;
  /** There are further lines of the same append. */
  readonly more?: true;
  /** The line before this one in its segment; on a segment's first line, one of any segment, or empty. */
  readonly prev: EventSum | '';
  /** Heads of the other segments that grew since this writer's last line: what this decision knew. */
  readonly saw?: { readonly [writer: string]: EventSum };
  readonly sum: EventSum;
}

export type Event<K extends EventKind = EventKind> = Envelope & EventDraft<K>;

/** A place in the total order of a session's events. */
export type EventPosition = Pick<Envelope, 'seq' | 'by' | 'sum'>;

/** The total order of a session. Wall time has no part in it. */
export function compareEvents(a: EventPosition, b: EventPosition): number {
  if (a.seq !== b.seq) return a.seq - b.seq;
  if (a.by !== b.by) return a.by < b.by ? -1 : 1;
  return a.sum === b.sum ? 0 : a.sum < b.sum ? -1 : 1;
}

/** What was decided, of an event that was written, with other data in it. */
export function draftOf({ kind, run, node, who }: Event, data: unknown): EventDraft {
  const draft: unknown = {
    kind,
    ...(run !== undefined && { run }),
    ...(node !== undefined && { node }),
    ...(who !== undefined && { who }),
    data,
  };
  return draft as EventDraft;
}
