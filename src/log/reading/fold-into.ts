import { compareEvents, type Event } from '../../events/event.js';
import type { Projection } from '../port/projection.js';
import type { Reading } from '../segments/reading.js';

/** Folds events that all sort after what is folded already, or repeat its last. Puts them in order; changes `reading`. */
export function foldInto<S>(
  reading: Reading<S>,
  projection: Projection<S>,
  events: Event[],
  redacted: ReadonlySet<string>,
): void {
  events.sort(compareEvents);
  let last = reading.lastFolded?.sum;
  const fresh: Event[] = [];
  for (const event of events) {
    if (event.sum === last || redacted.has(event.sum)) continue;
    last = event.sum;
    fresh.push(event);
  }
  if (fresh.length === 0) return;
  reading.state = projection.fold(reading.state, fresh);
  for (const event of fresh) {
    if (event.kind === 'observation' && (event.data.branch !== undefined || event.data.commit !== undefined)) {
      reading.observed = { branch: event.data.branch, commit: event.data.commit };
    }
    if (event.kind === 'run_started' && !reading.pinNames.has(event.data.workflowHash))
      reading.missingPins.add(event.data.workflowHash);
  }
  const { seq, by, sum } = fresh.at(-1)!;
  reading.lastFolded = { seq, by, sum };
  reading.eventCount += fresh.length;
  reading.lastSeq = Math.max(reading.lastSeq, seq);
}
