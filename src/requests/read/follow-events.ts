import type { Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import type { EventBatch } from '../../contract/event-told.js';
import type { FollowBatch } from '../../log/port/session-log.js';
import { samePlace, type SessionRef } from '../../log/port/session-ref.js';
import { tellEvent } from '../../respond/tell-event.js';
import type { Environment } from '../world/environment.js';
import { findingsTold } from '../world/findings-told.js';
import { findSession } from '../world/find-session.js';
import { type EventsAsked, eventFilter, unknownKind } from './read-events.js';

export interface FollowAsked extends EventsAsked {
  /** Where to go on: the position of an earlier batch, all that is there, or only what is yet to come. */
  readonly from: { readonly position: string } | 'start' | 'end';
  /** Ends the following. */
  readonly signal: AbortSignal;
}

export interface Followed {
  readonly sessionId: string;
  readonly batches: AsyncIterable<EventBatch>;
}

/** A session's log as it grows, by whatever process: each event once, in the order in which it comes in. */
export async function followEvents(
  env: Environment,
  { session, from, signal, since, kinds = [] }: FollowAsked,
): Promise<Result<Followed, Rejection>> {
  const unknown = unknownKind(kinds);
  if (unknown !== undefined) return err(unknown);
  const found = await findSession(env, session);
  if (!found.ok) return found;
  const first = env.store.open(found.value).follow(from, signal);
  if (first === undefined)
    return err({
      code: 'VALIDATION_ERROR',
      message: 'position is not from a batch of events',
      action: 'follow from the start or the end',
    });
  return ok({
    sessionId: found.value.id,
    batches: batches(env, found.value, first, signal, eventFilter({ since, kinds })),
  });
}

async function* batches(
  env: Environment,
  first: SessionRef,
  followed: AsyncIterable<FollowBatch>,
  signal: AbortSignal,
  wanted: ReturnType<typeof eventFilter>,
): AsyncGenerator<EventBatch, void, undefined> {
  let ref = first;
  let following: AsyncIterable<FollowBatch> | undefined = followed;
  let wasGone = false;
  while (following !== undefined && !signal.aborted) {
    const from = following;
    following = undefined;
    for await (const { events, ...batch } of from) {
      if (batch.gone) {
        const elsewhere = await env.store.find(ref.id);
        // A session that was moved to another place is followed there; its files keep their names.
        if (elsewhere !== undefined && !samePlace(elsewhere.place, ref.place)) {
          ref = elsewhere;
          following = env.store.open(ref).follow(batch, signal);
          break;
        }
        if (wasGone) continue;
      }
      wasGone = batch.gone;
      yield {
        ...batch,
        findings: findingsTold(env, batch.findings, ref.id),
        events: events.filter(({ event }) => wanted(event)).map(({ event, ...place }) => tellEvent(event, place)),
      };
    }
  }
}
