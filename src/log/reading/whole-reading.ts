import type { SessionId } from '../../base/ids.js';
import type { Event } from '../../events/event.js';
import type { KnownTail, Reading } from '../segments/reading.js';
import type { SessionFolder } from '../segments/session-folder.js';
import { foldInto } from './fold-into.js';
import { knownAfter, passOver } from './pass-over.js';
import type { Projection } from '../port/projection.js';

/**
 * Reads and checks every byte of a session and folds it from the start. Lines of `witnesses` are missed like those that
 * other lines name.
 */
export function readWhole<S>(
  at: SessionFolder,
  id: SessionId,
  projection: Projection<S>,
  witnesses: readonly KnownTail[] = [],
): Reading<S> {
  let reading = emptyReading(projection);
  let waiting: Event[] = [];
  const foldBelow = (seq: number, redacted: ReadonlySet<string>): void => {
    const ready = waiting.filter((event) => event.seq < seq);
    if (ready.length === 0) return;
    waiting = waiting.filter((event) => event.seq >= seq);
    foldInto(reading, projection, ready, redacted);
  };
  let redacted: ReadonlySet<string> = new Set();
  const pass = passOver(at, id, {
    begin: (rules) => {
      reading = emptyReading(projection);
      waiting = [];
      ({ redacted } = rules);
    },
    segment: ({ firstSeq }, { events }) => {
      // Lines of this segment and of all after it are not below its first number: one that begins otherwise is not read.
      foldBelow(firstSeq, redacted);
      waiting = waiting.concat(events);
    },
  });
  foldBelow(Infinity, redacted);
  return { ...reading, ...knownAfter(id, at, pass, witnesses) };
}

const emptyReading = <S>(projection: Projection<S>): Reading<S> => ({
  state: projection.empty(),
  eventCount: 0,
  lastSeq: 0,
  segments: new Map(),
  withdrawn: new Set(),
  redacted: new Set(),
  missing: new Map(),
  missingPins: new Set(),
  pinNames: new Set(),
  otherFindings: [],
});
