import { msBetween } from '../base/time-spent.js';
import type { Event } from '../events/event.js';

/** Writers at work at the same time differ by less, in milliseconds: what stands further back came by a merge. */
const together = 2000;

/**
 * Whether an event, told in the order of the session, is older by the clock than what another writer had written before
 * it: that order says what was known to whom, and work of two places that was merged stands in it one through the other.
 */
export function clockOrder(): (event: Pick<Event, 'at' | 'by'>) => boolean {
  let newest: { readonly at: string; readonly by: string } | undefined;
  return ({ at, by }) => {
    const behind = newest === undefined ? 0 : (msBetween(at, newest.at) ?? 0);
    const isMerged = newest !== undefined && newest.by !== by && behind >= together;
    if (behind <= 0) newest = { at, by };
    return isMerged;
  };
}
