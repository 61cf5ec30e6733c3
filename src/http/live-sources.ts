import type { Rejection } from '../base/rejection.js';
import { ok, type Result } from '../base/result.js';
import type { PeopleRequests } from '../requests/people-requests.js';
import { openPosition, sealPosition } from './live-position.js';
import type { LiveMessage } from './live-stream.js';

type Source = (signal: AbortSignal) => AsyncIterable<LiveMessage>;

/** Which sessions change, from where somebody left off, else from now. */
export function followAll(people: PeopleRequests, from: string | undefined): Source {
  return async function* (signal) {
    const { reset, position, changes } = await people.followSessions(from, signal);
    yield { event: 'ready', id: position, data: { reset } };
    for await (const change of changes) yield { event: 'session', id: change.position, data: change.message };
  };
}

/** One session's log: from a position, `start` or `end`. A position that is none counts as the end, and is said to. */
export async function followOne(
  people: PeopleRequests,
  session: string,
  from = 'end',
): Promise<Result<Source, Rejection>> {
  const position = from === 'start' || from === 'end' ? undefined : openPosition(from);
  const begin = async (
    at: { readonly position: string } | 'start' | 'end',
    signal: AbortSignal,
  ): ReturnType<PeopleRequests['followEvents']> => people.followEvents({ session, from: at, signal });
  const ended = new AbortController();
  // Whether there is such a session, and whether the position is one, is known before the stream begins.
  const first = await begin(position === undefined ? (from === 'start' ? 'start' : 'end') : { position }, ended.signal);
  const reset =
    (position === undefined && from !== 'start' && from !== 'end') ||
    (!first.ok && first.error.code === 'VALIDATION_ERROR');
  const followed = !first.ok && reset ? await begin('end', ended.signal) : first;
  if (!followed.ok) return followed;
  return ok(async function* (signal) {
    signal.addEventListener('abort', () => ended.abort(), { once: true });
    if (signal.aborted) ended.abort();
    yield { event: 'ready', data: { reset } };
    for await (const batch of followed.value.batches) {
      const id = sealPosition(batch.position);
      // Where nothing has come, only the place is told: whoever is cut off here goes on here.
      const silent = batch.events.length === 0 && batch.findings.length === 0 && !batch.gone;
      yield silent ? { id } : { event: 'events', id, data: batch };
    }
  });
}

/** A shared state: a snapshot and then what is written, or what was missed since a version. */
export async function followState(
  people: PeopleRequests,
  stateId: string,
  since: string | undefined,
): Promise<Result<Source, Rejection>> {
  const ended = new AbortController();
  const followed = await people.followState({ stateId, since, signal: ended.signal });
  if (!followed.ok) return followed;
  const { reset, messages } = followed.value;
  return ok(async function* (signal) {
    signal.addEventListener('abort', () => ended.abort(), { once: true });
    if (signal.aborted) ended.abort();
    yield { event: 'ready', data: { reset } };
    for await (const { cursor, message } of messages)
      yield { event: message.event_type, ...(cursor !== '' && { id: cursor }), data: message };
  });
}
