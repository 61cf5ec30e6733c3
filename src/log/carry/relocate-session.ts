import { join } from 'node:path';
import type { SessionId } from '../../base/ids.js';
import { err, ok, type Result } from '../../base/result.js';
import type { DataRoot } from '../../machine/data-root.js';
import { openStaging, type StagedFolder } from './import-staging.js';
import { installSession } from './install-session.js';
import { mergeSession } from './merge-session.js';
import { refuseLink } from '../../files/folders.js';
import { readChunks } from '../../files/read-chunks.js';
import {
  listSegments,
  marksOf,
  namesIn,
  type NamedMark,
  sameMarks,
  type SessionFolder,
  sessionFolder,
} from '../segments/session-folder.js';
import { forgetSession, moveToTrash } from './trash.js';

/** Copies what is there of a session, durably. Returns how its segments looked before, to tell later whether they grew. */
export async function copySession(from: SessionFolder, to: StagedFolder): Promise<readonly NamedMark[]> {
  for (const name of listSegments(from).links) refuseLink(join(from.segments, name));
  const before = marksOf(from);
  for (const name of namesIn(from.pins))
    await to.put(`pins/${name}`, readChunks(join(from.pins, name), Number.MAX_SAFE_INTEGER));
  for (const { name, size } of before) await to.put(`segments/${name}`, readChunks(join(from.segments, name), size));
  to.settle();
  return before;
}

export interface Relocation {
  readonly id: SessionId;
  readonly from: DataRoot;
  readonly to: DataRoot;
  /** What was copied, and how the session looked then. */
  readonly staging: StagedFolder;
  readonly copied: readonly NamedMark[];
  /** What was appended since it was copied comes along, however it got there; else it is to be copied again. */
  readonly evenGrown: boolean;
  readonly now: Date;
  readonly mark: () => string;
}

/**
 * Makes the copy appear and takes the original away, in this order: whoever is cut short in between has it twice, never
 * not at all. To be called under the leases of both; yet whoever writes without one loses nothing: until the original is
 * taken away his lines come along, and from then on he is told that nothing was recorded.
 */
export async function relocateSession(
  relocation: Relocation,
): Promise<Result<void, 'grew' | { readonly diverged: string }>> {
  const { id, from, to, staging, copied, evenGrown, now, mark } = relocation;
  const old = sessionFolder(from, id);
  const goal = sessionFolder(to, id);
  if (!evenGrown && !sameMarks(copied, marksOf(old))) return err('grew');
  if (installSession(to, staging.at, id) === 'taken') {
    const merged = mergeSession(goal, staging.at);
    if (!merged.ok) return merged;
  }
  const trashed = moveToTrash(from, id, now, mark());
  if (!sameMarks(copied, marksOf(trashed.at))) {
    const more = openStaging(to, mark());
    try {
      await copySession(trashed.at, more);
      const merged = mergeSession(goal, more.at);
      if (!merged.ok) return merged;
    } finally {
      more.discard();
    }
  }
  forgetSession(from, id);
  trashed.settle();
  return ok(undefined);
}
