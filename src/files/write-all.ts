import { writeSync } from 'node:fs';

/** A write may take fewer bytes than it was given (a full disk, a signal): the rest goes in the next. */
export function writeAll(fd: number, bytes: Uint8Array): void {
  let written = 0;
  do written += writeSync(fd, bytes, written, bytes.length - written);
  while (written < bytes.length);
}
