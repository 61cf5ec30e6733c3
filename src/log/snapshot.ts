import { closeSync, constants, openSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import type { SessionId } from '../base/ids.js';
import type { DataRoot } from './data-root.js';
import { noFollow } from './folders.js';
import { localFolder } from './local-folder.js';
import type { ReadSegment, Reading } from './reading.js';
import { readSealed, writeSealed } from './sealed-file.js';
import { type SessionFolder, sessionFolder } from './session-folder.js';
import type { Witness } from './witness.js';

/** Changes whenever the shape of a reading does. */
const shape = 2;
const purpose = 'snapshot';

interface Snapshot<S> {
  readonly shape: number;
  readonly version: string;
  readonly id: SessionId;
  readonly reading: Reading<S>;
}

/** Only a session without findings has a snapshot: whatever was found is looked at again by every process. */
function isClean<S>(reading: Reading<S>): boolean {
  const { missing, missingPins, otherFindings, segments } = reading;
  return missing.size + missingPins.size + otherFindings.length === 0 && [...segments.values()].every((segment) => segment.stop === undefined);
}

/** Keeps a fold for the next cold start. Whatever goes wrong here costs that start some milliseconds and nothing else. */
export function saveSnapshot<S>(root: DataRoot, id: SessionId, version: string, reading: Reading<S>, key: Uint8Array): void {
  const folder = isClean(reading) ? localFolder(root, 'snapshots') : undefined;
  // A process that has slept since may remember what was redacted meanwhile: it must not bring that back to the disk.
  if (folder === undefined || ![...reading.segments.values()].every((segment) => standsThere(sessionFolder(root, id).segments, segment))) return;
  try {
    writeSealed(join(folder, `${id}.fold`), purpose, key, serialize({ shape, version, id, reading } satisfies Snapshot<S>));
  } catch {
    // A session too large to be written out as one piece is read from its segments.
  }
}

/** A snapshot that is ours, of this program, and agrees with every segment it speaks of. Bytes are only looked into once the seal holds. */
export function loadSnapshot<S>(root: DataRoot, id: SessionId, version: string, at: SessionFolder, key: Uint8Array): Reading<S> | undefined {
  try {
    const file = join(root.folder, 'local', 'snapshots', `${id}.fold`);
    // Most sessions have none, and an error made for each would cost more than the look.
    const bytes = statSync(file, { throwIfNoEntry: false }) && readSealed(file, purpose, key);
    if (bytes === undefined) return undefined;
    const snapshot = deserialize(bytes) as Snapshot<S>;
    if (snapshot.shape !== shape || snapshot.version !== version || snapshot.id !== id) return undefined;
    const segments = [...snapshot.reading.segments.values()];
    return segments.every((segment) => stillHolds(at.segments, segment)) ? snapshot.reading : undefined;
  } catch {
    return undefined;
  }
}

/** How far a snapshot of this machine knows each segment to have gone, whatever became of it since. */
export function snapshotWitnesses(root: DataRoot, id: SessionId, key: Uint8Array): readonly Witness[] {
  try {
    const bytes = readSealed(join(root.folder, 'local', 'snapshots', `${id}.fold`), purpose, key);
    const snapshot = bytes && (deserialize(bytes) as Snapshot<unknown>);
    if (snapshot?.shape !== shape || snapshot.id !== id) return [];
    return [...snapshot.reading.segments.values()].flatMap(({ writer, position }) => (position.sum === '' ? [] : [{ writer, sum: position.sum, head: undefined }]));
  } catch {
    return [];
  }
}

function standsThere(segmentsFolder: string, segment: ReadSegment): boolean {
  try {
    return stillHolds(segmentsFolder, segment);
  } catch {
    return false;
  }
}

/** The line that was the segment's last still is where it was. What else may have changed, the reading that follows notices. */
function stillHolds(segmentsFolder: string, { name, position }: ReadSegment): boolean {
  const end = `"sum":"${position.sum}"}\n`;
  if (position.offset === 0) return true;
  const found = Buffer.alloc(end.length);
  const fd = openSync(join(segmentsFolder, name), constants.O_RDONLY | noFollow);
  try {
    readSync(fd, found, 0, end.length, position.offset - end.length);
  } finally {
    closeSync(fd);
  }
  return found.toString('latin1') === end;
}
