import { closeSync, constants, openSync, readSync } from 'node:fs';
import { limits } from '../base/limits.js';
import { noFollow } from './folders.js';

/** The first bytes of a file, piece by piece; fewer where it has not so many. */
export function* readChunks(file: string, size: number): Generator<Buffer, void, undefined> {
  const fd = openSync(file, constants.O_RDONLY | noFollow);
  try {
    for (let at = 0; at < size;) {
      const piece = Buffer.allocUnsafe(Math.min(limits.chunk, size - at));
      const count = readSync(fd, piece, 0, piece.length, at);
      if (count === 0) return;
      at += count;
      yield piece.subarray(0, count);
    }
  } finally {
    closeSync(fd);
  }
}
