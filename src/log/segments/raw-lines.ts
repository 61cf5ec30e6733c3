import type { Event } from '../../events/event.js';
import { listSegments, segmentBytes, type SessionFolder } from './session-folder.js';
import { siftSegment } from './sift-segment.js';

/** A line as it lies on disk: part of the session or not. One that cannot be read is its bytes. */
export type RawLine = { readonly file: string; readonly line: number } & (
  | { readonly event: Event; readonly bytes?: undefined }
  | { readonly event?: undefined; readonly bytes: Buffer }
);

/** Every line of every segment, what is torn, withdrawn or damaged included: whoever gets the files gets those as well. */
export function* rawLines(at: SessionFolder): Generator<RawLine, void, undefined> {
  for (const { name } of listSegments(at.segments).segments) {
    const { sound, unsound } = siftSegment(segmentBytes(at, name));
    const file = `segments/${name}`;
    for (const { event, line } of sound) yield { file, line, event };
    for (const { bytes, line } of unsound) yield { file, line, bytes };
  }
}
