import { constants } from 'node:fs';
import { join } from 'node:path';
import { withOpen } from '../../files/folders.js';
import { readAt } from '../../files/read-at.js';
import type { ReadSegment } from './reading.js';

/** Whether the last line that was read of a segment still ends where it ended. What else may have changed, the reading that follows notices. */
export function stillEndsThere(segmentsFolder: string, { name, position }: ReadSegment): boolean {
  if (position.offset === 0) return true;
  const end = `"sum":"${position.sum}"}\n`;
  const read = (fd: number): Buffer => readAt(fd, position.offset - end.length, end.length);
  try {
    return withOpen(join(segmentsFolder, name), constants.O_RDONLY, read).toString('latin1') === end;
  } catch {
    return false;
  }
}
