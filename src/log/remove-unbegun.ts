import { rmdirSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { SessionId } from '../base/ids.js';
import { namesIn, type SessionFolder } from './segments/session-folder.js';
import { errorCode } from '../files/fault-reason.js';

/**
 * Takes away the folders of a session that never got its first line. Whoever began one of the same name at that moment
 * keeps it: a folder only goes when it is empty, and the pins of a name that others may draw too stay.
 */
export function removeUnbegun({ folder, segments, pins }: SessionFolder, id: SessionId): void {
  try {
    if (namesIn(segments).length > 0) return;
    if (id.startsWith('ses_')) for (const name of namesIn(pins)) unlinkSync(join(pins, name));
    for (const empty of [pins, segments, folder]) rmdirIfEmpty(empty);
  } catch {
    // What refused the write may refuse this too; the doctor tells of what is left.
  }
}

function rmdirIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch (cause) {
    if (errorCode(cause) !== 'ENOENT') throw cause;
  }
}
