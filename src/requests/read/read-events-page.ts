import type { Rejection } from '../../base/rejection.js';
import { ok, type Result } from '../../base/result.js';
import type { EventsPage } from '../../contract/event-told.js';
import type { Environment } from '../world/environment.js';
import { followEvents } from './follow-events.js';

export interface EventsPageAsked {
  readonly session: string;
  /** The position of an earlier page or batch; all of it from the start where it is left out. */
  readonly from?: string | undefined;
  readonly limit: number;
}

/** A session's log from a position on: whole batches until there are as many as asked for. */
export async function readEventsPage(
  env: Environment,
  { session, from, limit }: EventsPageAsked,
): Promise<Result<EventsPage, Rejection>> {
  const enough = new AbortController();
  const followed = await followEvents(env, {
    session,
    from: from === undefined ? 'start' : { position: from },
    signal: enough.signal,
  });
  if (!followed.ok) return followed;
  const events: EventsPage['events'][number][] = [];
  const findings: EventsPage['findings'][number][] = [];
  let position = from ?? '';
  let upToDate = false;
  for await (const batch of followed.value.batches) {
    events.push(...batch.events);
    findings.push(...batch.findings);
    position = batch.position;
    upToDate = batch.upToDate;
    if (upToDate || events.length >= limit) break;
  }
  enough.abort();
  return ok({ sessionId: followed.value.sessionId, events, findings, upToDate, position });
}
