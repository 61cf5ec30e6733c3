import type { Reading } from './segments/reading.js';
import type { Written } from './appender.js';

/** What a reading knows of the segment that has just been appended to, as if it had read it. */
export function placeWritten<S>(reading: Reading<S>, { segment, mark, events }: Written): void {
  const [first, last] = [events[0]!, events.at(-1)!];
  const before = reading.segments.get(segment.name);
  const origin = before?.position.origin ?? first.origin;
  reading.segments.set(segment.name, {
    name: segment.name,
    writer: segment.writer,
    firstSeq: before?.firstSeq ?? first.seq,
    mark,
    position: {
      offset: segment.size,
      lines: (before?.position.lines ?? 0) + events.length,
      sum: last.sum,
      seq: last.seq,
      own: true,
      ...(origin !== undefined && { origin }),
    },
    covered: false,
  });
  reading.origin ??= origin;
}
