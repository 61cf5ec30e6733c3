import { dirname, join } from 'node:path';
import type { WorkflowHash } from '../base/ids.js';
import { isRealFolder, syncFile, syncFolder, syncNamedFolder } from '../files/folders.js';
import { pinFile } from './segments/pins.js';
import type { ReadSegment, Reading } from './segments/reading.js';
import type { SessionFolder } from './segments/session-folder.js';
import { errorCode } from '../files/fault-reason.js';

/** What this process itself has synced of one session. Bytes that another wrote may still be only in memory. */
export interface Synced {
  /** By the segment's name: its file, and how far. */
  readonly segments: Map<string, { readonly ino: number; readonly size: number }>;
  /** Segments whose name in the folder is durable. */
  readonly names: Set<string>;
  readonly pins: Set<WorkflowHash>;
  /** The session's folders have been met. */
  folders: boolean;
}

export const nothingSynced = (): Synced => ({ segments: new Map(), names: new Set(), pins: new Set(), folders: false });

/** A segment that others wrote could not be made durable: its lines are in doubt from `from` on. */
export class SegmentNotSynced extends Error {
  readonly segment: ReadSegment;
  readonly from: number;

  constructor(segment: ReadSegment, from: number, cause: unknown) {
    super('a segment could not be made durable', { cause });
    this.segment = segment;
    this.from = from;
  }
}

/**
 * Sees to it that everything `reading` rests on is on disk. In a burst of one's own appends this finds nothing to do.
 * The bytes go first, then the names that lead to them, from the inside out.
 */
export function syncSession<S>(rootFolder: string, at: SessionFolder, reading: Reading<S>, synced: Synced): void {
  let newNames = false;
  for (const segment of reading.segments.values()) {
    const done = synced.segments.get(segment.name);
    const isSame = done !== undefined && done.ino === segment.mark.ino;
    if (!isSame || !synced.names.has(segment.name)) newNames = true;
    if (isSame && segment.position.offset <= done.size) continue;
    try {
      if (segment.position.offset > 0) syncFile(join(at.segments, segment.name));
    } catch (cause) {
      throw new SegmentNotSynced(segment, isSame ? done.size : 0, cause);
    }
    synced.segments.set(segment.name, { ino: segment.mark.ino, size: segment.position.offset });
  }
  let newPins = false;
  for (const hash of reading.pinNames) {
    if (synced.pins.has(hash)) continue;
    syncFile(join(at.pins, pinFile(hash)));
    newPins = true;
  }
  if (newPins) syncFolder(at.pins);
  if (newNames) {
    syncFolder(at.segments);
    for (const name of reading.segments.keys()) synced.names.add(name);
  }
  for (const hash of reading.pinNames) synced.pins.add(hash);
  if (synced.folders || reading.segments.size === 0) return;
  for (const folder of [at.segments, at.pins, at.folder, at.sessions, rootFolder])
    if (isRealFolder(folder)) syncFolder(folder);
  syncAbove(rootFolder);
  synced.folders = true;
}

/** The folder that a data root lies in need not be ours to open; whoever made the data root in it has synced it. */
function syncAbove(rootFolder: string): void {
  try {
    syncNamedFolder(dirname(rootFolder));
  } catch (cause) {
    if (errorCode(cause) !== 'EACCES' && errorCode(cause) !== 'EPERM') throw cause;
  }
}
