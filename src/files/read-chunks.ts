import { closeSync, constants, readSync } from 'node:fs';
import { limits } from '../base/limits.js';
import { named } from './fault-reason.js';
import { openPlain } from './folders.js';

/** The first bytes of a file, piece by piece; fewer where it has not so many. */
export function* readChunks(file: string, size: number): Generator<Buffer, void, undefined> {
  const fd = openPlain(file, constants.O_RDONLY);
  try {
    for (let at = 0; at < size;) {
      const piece = Buffer.allocUnsafe(Math.min(limits.chunk, size - at));
      const from = at;
      const count = named(file, () => readSync(fd, piece, 0, piece.length, from));
      if (count === 0) return;
      at += count;
      yield piece.subarray(0, count);
    }
  } finally {
    closeSync(fd);
  }
}
