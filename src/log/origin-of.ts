import { join } from 'node:path';
import type { OriginId } from '../base/ids.js';
import { limits } from '../base/limits.js';
import { decodeLine } from '../events/line-codec.js';
import { readChunks } from './read-chunks.js';
import { listSegments, type SessionFolder } from './session-folder.js';

/** The id that a session was made under, from the first line that says so: a look, not a reading. */
export function originOf(at: SessionFolder): OriginId | undefined {
  for (const { name } of listSegments(at.segments).segments) {
    const bytes = Buffer.concat([...readChunks(join(at.segments, name), limits.line)]);
    const end = bytes.indexOf(0x0a);
    const first = end < 0 ? undefined : decodeLine(bytes.subarray(0, end));
    if (first?.ok === true && first.value.origin !== undefined) return first.value.origin;
  }
  return undefined;
}
