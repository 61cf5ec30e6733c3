import type { SessionId } from '../../base/ids.js';
import type { FollowBatch } from '../port/session-log.js';
import type { SessionFolder } from '../segments/session-folder.js';
import { readFollowPosition, SessionFollower } from './follow-session.js';

/** A session's events from a place on: what is there first, then what comes in. Undefined where the position cannot be read. */
export function followBatches(
  at: SessionFolder,
  id: SessionId,
  from: { readonly position: string } | 'start' | 'end',
  signal: AbortSignal,
): AsyncIterable<FollowBatch> | undefined {
  const position = typeof from === 'string' ? undefined : readFollowPosition(from.position);
  if (typeof from !== 'string' && position === undefined) return undefined;
  return batches(new SessionFollower(at, id, position), from === 'end', signal);
}

async function* batches(
  follower: SessionFollower,
  fromEnd: boolean,
  signal: AbortSignal,
): AsyncGenerator<FollowBatch, void, undefined> {
  if (fromEnd) follower.skip();
  else for (const batch of follower.history()) if (batch.events.length > 0 || batch.findings.length > 0) yield batch;
  yield { ...follower.look(), findings: [] };
  yield* follower.changes(signal);
}
