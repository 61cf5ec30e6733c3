import type { Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import type { EventBatch } from '../../contract/event-told.js';
import {
  type FollowBatch,
  type FollowPosition,
  readFollowPosition,
  SessionFollower,
} from '../../log/reading/follow-session.js';
import { sessionFolder } from '../../log/segments/session-folder.js';
import type { SessionRef } from '../../log/store.js';
import { tellEvent } from '../../respond/tell-event.js';
import type { Environment } from '../world/environment.js';
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
  const position = typeof from === 'string' ? undefined : readFollowPosition(from.position);
  if (typeof from !== 'string' && position === undefined)
    return err({
      code: 'VALIDATION_ERROR',
      message: 'position is not one that a batch gave',
      action: 'follow from the start or the end',
    });
  const found = await findSession(env, session);
  if (!found.ok) return found;
  const wanted = eventFilter({ since, kinds });
  return ok({
    sessionId: found.value.id,
    batches: batches(env, found.value, from === 'end' ? 'end' : position, signal, wanted),
  });
}

async function* batches(
  env: Environment,
  first: SessionRef,
  from: FollowPosition | 'end' | undefined,
  signal: AbortSignal,
  wanted: (event: { readonly at: string; readonly kind: string }) => boolean,
): AsyncGenerator<EventBatch, void, undefined> {
  let ref = first;
  let position = from === 'end' ? undefined : from;
  let upToDate = false;
  let wasGone = false;
  const tell = ({ events, findings, gone, position: reached }: FollowBatch): EventBatch => {
    position = reached;
    return {
      events: events.filter(({ event }) => wanted(event)).map(({ event, ...place }) => tellEvent(event, place)),
      findings,
      gone,
      upToDate,
      position: JSON.stringify(reached),
    };
  };
  while (!signal.aborted) {
    const follower = new SessionFollower(sessionFolder(ref.root, ref.id), ref.id, position);
    if (from === 'end' && position === undefined) follower.skip();
    else
      for (const batch of follower.history())
        if (batch.events.length > 0 || batch.findings.length > 0) yield tell(batch);
    upToDate = true;
    yield tell({ ...follower.look(), findings: [] });
    for await (const batch of follower.changes(signal)) {
      if (!batch.gone) {
        wasGone = false;
        yield tell(batch);
        continue;
      }
      const elsewhere = await env.store.find(ref.id);
      // A session that was moved to another root is followed there; its files keep their names.
      if (elsewhere !== undefined && elsewhere.root.folder !== ref.root.folder) {
        ref = elsewhere;
        break;
      }
      if (!wasGone) yield tell(batch);
      wasGone = true;
    }
  }
}
