import { oncePerObject } from '../../base/once-per-object.js';
import { openPlaces, type Places, rankPlaces } from '../../sessions/rank-sessions.js';
import type { WordTable } from '../../sessions/word-table.js';
import { type PlaceMet, placesMet, type Registered } from './registered-session.js';
import { type ListedEntry, listedByWork } from './session-list-page.js';

/** What is made once of all sessions, until one of them changes, for every letter that is typed. */
export interface SessionsSearched {
  readonly newestFirst: (found: readonly Registered[]) => readonly ListedEntry[];
  readonly places: (found: readonly Registered[]) => Places<PlaceMet>;
  /** The first search would wait for what is first made, and first run: it is done for words that nobody asked for. */
  readonly makeReady: (found: readonly Registered[]) => void;
}

export function sessionsSearched(table: () => WordTable): SessionsSearched {
  const met = oncePerObject((registered: Registered) => placesMet(registered, table()));
  const places = oncePerObject((found: readonly Registered[]) => {
    const all = found.flatMap((one) => met(one));
    return openPlaces(all, table().hitsIn(all.map(({ words }) => words)));
  });
  return {
    newestFirst: oncePerObject(listedByWork),
    places,
    makeReady: (found) => void rankPlaces(places(found), { query: 'a b' }, Infinity),
  };
}
