import type { Rejection } from '../../base/rejection.js';
import type { SessionList, SessionListed } from '../../contract/session-list.js';
import { type RankedPlaces, recencyTier, type Wanted } from '../../sessions/rank-sessions.js';
import { workIn } from '../../sessions/time-worked.js';
import type { SortWord } from '../../contract/session-search.js';
import type { PlaceMet, Registered } from './registered-session.js';
import type { SearchAsked } from './session-filter.js';

/** The places that match best, how many match, and what could not be looked at. */
export interface PlacesRanked extends RankedPlaces<PlaceMet> {
  /** What they were ranked by. */
  readonly wanted: Wanted;
  readonly unreadable: SessionList['unreadable'];
}

export interface PageAsked {
  readonly asked: SearchAsked;
  readonly limit: number;
  /** How many stand before it, or the last one that was shown. */
  readonly after: number | PositionInList;
}

export interface SessionsFound {
  readonly shown: readonly ListedEntry[];
  /** How one of them matches the words; undefined where none were searched for. */
  readonly why: (entry: ListedEntry) => string | undefined;
  /** How many there are, shown or not, and how many of them come after these. */
  readonly found: number;
  readonly left: number;
  readonly here: number;
  readonly unreadable: SessionList['unreadable'];
  /** All that is here, and what is told of the search beside what it found. */
  readonly all: readonly Registered[];
  readonly told: readonly string[];
  readonly reading: { readonly done: number; readonly of: number } | undefined;
}

/** Where a session stands in a list: how closely it matches, by which moment it is sorted, its id and root. */
export type PositionInList = readonly [tier: number, at: string, id: string, folder: string];

export interface ListedEntry {
  readonly registered: Registered;
  readonly tier: number;
  readonly at: string;
  /** What its words are compared with; absent where none were searched for. */
  readonly place?: PlaceMet;
}

/** The newest work first. */
export const listedByWork = (found: readonly Registered[]): readonly ListedEntry[] =>
  found
    .flatMap((registered) =>
      registered.listed === undefined
        ? []
        : [{ registered, tier: 0, at: registered.listed.lastAt } satisfies ListedEntry],
    )
    .toSorted(compareBy('newest'));

/** The same in another order. Who waits longest comes before all who wait for nobody; of two that took as long, who was worked on last. */
export const sorted = (entries: readonly ListedEntry[], sort: SortWord): readonly ListedEntry[] =>
  entries
    .map((entry) => {
      const { listed } = entry.registered;
      const tier = Number(sort === 'waiting' && listed?.waitsSince === undefined);
      return { ...entry, tier, at: listed === undefined ? '' : sortedBy[sort](listed) };
    })
    .toSorted(compareBy(sort));

const sortedBy: Readonly<Record<SortWord, (listed: SessionListed) => string>> = {
  newest: ({ lastAt }) => lastAt,
  oldest: ({ lastAt }) => lastAt,
  waiting: ({ waitsSince, lastAt }) => waitsSince ?? lastAt,
  longest: ({ took = 0, lastAt }) => mostFirst(took, lastAt),
  'longest-step': ({ longest, lastAt }) => mostFirst(longest === undefined ? 0 : workIn(longest), lastAt),
};

/** As a text that stands where a greater number does. */
const mostFirst = (took: number, lastAt: string): string => `${String(took).padStart(16, '0')} ${lastAt}`;

const greatestFirst: ReadonlySet<SortWord> = new Set(['newest', 'longest', 'longest-step']);

/** Each session once, where its best place stands. */
export function listedByRank({ best }: Pick<RankedPlaces<PlaceMet>, 'best'>): readonly ListedEntry[] {
  if (best[0]?.tier === recencyTier) return [];
  const met = new Set<Registered>();
  const entries: ListedEntry[] = [];
  for (const { place, tier } of best) {
    const { registered, facts } = place;
    if (registered.places.length > 1) {
      if (met.has(registered)) continue;
      met.add(registered);
    }
    entries.push({ registered, tier, at: facts.lastActivity, place });
  }
  return entries;
}

export const positionOf = ({ registered: { ref }, tier, at }: ListedEntry): PositionInList => [
  tier,
  at,
  ref.id,
  ref.place.name,
];

export function firstAfter(entries: readonly ListedEntry[], last: PositionInList, sort: SortWord): number {
  const index = entries.findIndex((entry) => comparePositions(positionOf(entry), last, sort) > 0);
  return index < 0 ? entries.length : index;
}

const compareBy =
  (sort: SortWord) =>
  (a: ListedEntry, b: ListedEntry): number =>
    comparePositions(positionOf(a), positionOf(b), sort);

function comparePositions(
  [tierA, atA, idA, folderA]: PositionInList,
  [tierB, atB, idB, folderB]: PositionInList,
  sort: SortWord,
): number {
  if (tierA !== tierB) return tierA - tierB;
  if (atA !== atB) return atA < atB === greatestFirst.has(sort) ? 1 : -1;
  if (idA !== idB) return idA < idB ? -1 : 1;
  return folderA === folderB ? 0 : folderA < folderB ? -1 : 1;
}

/** Nothing can be shown, and something could not be read: that is no empty list. */
export const nothingRead = (unreadable: SessionList['unreadable']): Rejection => ({
  code: 'STORAGE_FAULT',
  message: `what is recorded here could not be read: ${unreadable
    .slice(0, 3)
    .map(({ sessionId, folder, message }) => `${sessionId ?? 'the sessions'} in ${folder}: ${message}`)
    .join('; ')}`,
  action: 'fix what is named, then make the same call again',
  again: [],
});

export const unreadableIn = (found: readonly Registered[]): SessionList['unreadable'] =>
  found
    .filter(({ fault }) => fault !== undefined)
    .map(({ ref, fault = '' }) => ({ sessionId: ref.id, folder: ref.place.name, message: fault }));
