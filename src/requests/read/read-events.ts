import type { Rejection } from '../../base/rejection.js';
import { closestName } from '../../base/closest-name.js';
import { err, ok, type Result } from '../../base/result.js';
import type { EventTold } from '../../contract/event-told.js';
import type { FindingTold } from '../../contract/session-story.js';
import type { Event } from '../../events/event.js';
import { eventData } from '../../events/event-data.js';
import { tellEvent } from '../../respond/tell-event.js';
import { clockOrder } from '../../sessions/clock-order.js';
import type { Environment } from '../world/environment.js';
import { findingsTold } from '../world/findings-told.js';
import { findSession } from '../world/find-session.js';

export interface EventsAsked {
  readonly session?: string | undefined;
  /** Only what was written at or after this moment, by the clock of who wrote it. */
  readonly since?: string | undefined;
  /** Only these kinds; all of them where it is empty. */
  readonly kinds?: readonly string[];
}

export interface EventsRead {
  readonly sessionId: string;
  /** In the total order, read as they are asked for. At the end it says where a file could not be read further. */
  readonly events: AsyncGenerator<EventTold, readonly FindingTold[], undefined>;
}

/** A session's log, event by event. Memory does not grow with the session. */
export async function readEvents(
  env: Environment,
  { session, since, kinds = [] }: EventsAsked,
): Promise<Result<EventsRead, Rejection>> {
  const unknown = unknownKind(kinds);
  if (unknown !== undefined) return err(unknown);
  const found = await findSession(env, session);
  if (!found.ok) return found;
  const log = env.store.open(found.value);
  const wanted = eventFilter({ since, kinds });
  return ok({ sessionId: log.id, events: told() });

  async function* told(): EventsRead['events'] {
    const placed = log.events();
    const isMerged = clockOrder();
    for (;;) {
      const next = await placed.next();
      if (next.done === true) return findingsTold(env, next.value, log.id);
      const { event, file, line } = next.value;
      const merged = isMerged(event);
      if (wanted(event)) yield tellEvent(event, { file, line, merged });
    }
  }
}

export const eventFilter =
  ({ since, kinds = [] }: EventsAsked) =>
  ({ at, kind }: Pick<Event, 'at' | 'kind'>): boolean =>
    (since === undefined || at >= since) && (kinds.length === 0 || kinds.includes(kind));

export function unknownKind(kinds: readonly string[]): Rejection | undefined {
  const known = Object.keys(eventData);
  const unknown = kinds.find((kind) => !known.includes(kind));
  if (unknown === undefined) return undefined;
  const closest = closestName(unknown, known);
  return {
    code: 'VALIDATION_ERROR',
    message: `no kind of event named ${JSON.stringify(unknown)}${closest === undefined ? '' : `; did you mean ${closest}?`}`,
    action: `use one of ${known.join(', ')}`,
  };
}
