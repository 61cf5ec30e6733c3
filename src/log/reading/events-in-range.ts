import { compareEvents } from '../../events/event.js';
import type { Finding } from '../port/finding.js';
import type { EventRange, PlacedEvent } from '../port/session-log.js';

type Reading = Generator<PlacedEvent, readonly Finding[], undefined>;

/** Those of a reading in the total order that a range means; behind its end nothing is read any more. */
export function* eventsInRange(reading: Reading, { after, upTo }: EventRange): Reading {
  for (let next = reading.next(); ; next = reading.next()) {
    if (next.done === true) return next.value;
    const { event } = next.value;
    if (upTo !== undefined && compareEvents(event, upTo) > 0) return reading.return([]).value as readonly Finding[];
    if (after === undefined || compareEvents(event, after) > 0) yield next.value;
  }
}
