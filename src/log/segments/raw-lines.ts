import type { RawLine } from '../port/store-care.js';
import { listSegments, segmentBytes, type SessionFolder } from './session-folder.js';
import { siftSegment } from './sift-segment.js';

/** Every line of every segment, what is torn, withdrawn or damaged included: whoever gets the files gets those as well. */
export function* rawLines(at: SessionFolder): Generator<RawLine, void, undefined> {
  for (const { name } of listSegments(at.segments).segments) {
    const { sound, unsound } = siftSegment(segmentBytes(at, name));
    const file = `segments/${name}`;
    for (const { event, line } of sound) yield { file, line, event };
    for (const { bytes, line } of unsound) yield { file, line, bytes };
  }
}
