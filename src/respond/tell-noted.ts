import { limits } from '../base/limits.js';
import type { RecapTold } from '../contract/answer.js';
import { compareEvents, type EventPosition } from '../events/event.js';
import { notedBeside, rememberedIn } from '../sessions/entry.js';
import type { FoldedSession, RunNode } from '../sessions/folded-session.js';
import { type LookPage, notedPageName } from '../sessions/look-page.js';
import { recapOf, type RecapPage, recapPolicy } from '../sessions/recap.js';

interface NotedAsked {
  readonly page?: LookPage | undefined;
  /** What came later is not told. */
  readonly until?: EventPosition;
  readonly budget?: number;
}

/** What was left beside the steps, on the session and by people: the newest of it, and the page with more. */
export function tellNoted(
  session: FoldedSession,
  node: RunNode | undefined,
  { page, until, budget = limits.noted }: NotedAsked,
): { readonly noted?: RecapTold } {
  const all = notedBeside(session, node);
  const known = until === undefined ? all : all.filter(({ event }) => compareEvents(event, until) < 0);
  const from: RecapPage | undefined = page?.kind === 'noted' ? page.recap : undefined;
  const { entries, omitted, older } = recapOf(rememberedIn(known.map(({ entry }) => entry)), budget, from);
  if (entries.length === 0) return {};
  const olderPage = older && notedPageName(older);
  return { noted: { entries, omitted, policy: recapPolicy, ...(olderPage !== undefined && { olderPage }) } };
}
