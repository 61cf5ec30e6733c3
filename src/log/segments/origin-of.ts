import { join } from 'node:path';
import type { OriginId } from '../../base/ids.js';
import { limits } from '../../base/limits.js';
import { decodeLine } from '../../events/line-codec.js';
import { readChunks } from '../../files/read-chunks.js';
import { listSegments, type SessionFolder } from './session-folder.js';

/** The id that a session was made under, from the first line that says so: a look, not a reading. */
export function originOf(at: SessionFolder): OriginId | undefined {
  for (const { name } of listSegments(at.segments).segments) {
    const first = firstLine(join(at.segments, name));
    const decoded = first && decodeLine(first);
    if (decoded?.ok === true && decoded.value.origin !== undefined) return decoded.value.origin;
  }
  return undefined;
}

function firstLine(file: string): Buffer | undefined {
  const chunks: Buffer[] = [];
  for (const chunk of readChunks(file, limits.line)) {
    const end = chunk.indexOf(0x0a);
    chunks.push(end < 0 ? chunk : chunk.subarray(0, end));
    if (end >= 0) return Buffer.concat(chunks);
  }
  return undefined;
}
