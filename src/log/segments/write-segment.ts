import { closeSync, constants, fsyncSync, openSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import type { WriterId } from '../../base/ids.js';
import { noFollow, syncFolder } from '../../files/folders.js';
import { segmentName } from './segment-name.js';
import { writeAll } from '../../files/write-all.js';

/** A segment that is written once and never grows: it appears whole or not at all. Returns its name. */
export function writeSegment(
  segmentsFolder: string,
  temporaryFolder: string,
  firstSeq: number,
  writer: WriterId,
  bytes: Buffer,
): string {
  const name = segmentName(firstSeq, writer);
  const temporary = join(temporaryFolder, `.${name}.${process.pid}`);
  const fd = openSync(temporary, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | noFollow, 0o666);
  try {
    writeAll(fd, bytes);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  renameSync(temporary, join(segmentsFolder, name));
  syncFolder(segmentsFolder);
  return name;
}
