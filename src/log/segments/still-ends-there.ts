import { closeSync, constants, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { noFollow } from '../../files/folders.js';
import type { ReadSegment } from './reading.js';

/** Whether the last line that was read of a segment still ends where it ended. What else may have changed, the reading that follows notices. */
export function stillEndsThere(segmentsFolder: string, { name, position }: ReadSegment): boolean {
  if (position.offset === 0) return true;
  const end = `"sum":"${position.sum}"}\n`;
  const found = Buffer.alloc(end.length);
  try {
    const fd = openSync(join(segmentsFolder, name), constants.O_RDONLY | noFollow);
    try {
      readSync(fd, found, 0, end.length, position.offset - end.length);
    } finally {
      closeSync(fd);
    }
  } catch {
    return false;
  }
  return found.toString('latin1') === end;
}
