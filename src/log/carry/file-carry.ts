import { join } from 'node:path';
import type { OriginId } from '../../base/ids.js';
import { limits } from '../../base/limits.js';
import type { Result } from '../../base/result.js';
import { decodeLine } from '../../events/line-codec.js';
import { isRealFolder, syncFile, syncFolder } from '../../files/folders.js';
import { readChunks } from '../../files/read-chunks.js';
import type { DataRoot } from '../../machine/data-root.js';
import { rootOf } from '../files/file-ref.js';
import type { LogRejection } from '../port/log-rejection.js';
import type { SessionRef } from '../port/session-ref.js';
import type { Staging, StoreCarry } from '../port/store-carry.js';
import { surveySession } from '../reading/survey-session.js';
import { folderOf, listSegments, type SessionFolder } from '../segments/session-folder.js';
import { openStaging, type StagedFolder } from './import-staging.js';
import { installSession } from './install-session.js';
import { mergeSession } from './merge-session.js';

/** The sessions that something is merged into, as the store has them open. */
export interface MaintainedSessions {
  open(ref: SessionRef): { maintain<A>(work: () => A): Promise<Result<A, LogRejection>>; letGo(): void };
}

/** Sessions as the files that they are. */
export function fileCarry(sessions: MaintainedSessions, mark: () => string): StoreCarry {
  return {
    parts: (ref) => listSegments(folderOf(ref)).segments.map(({ name, size }) => ({ name: `segments/${name}`, size })),
    origin: (ref) => originOf(folderOf(ref)),
    survey: async (ref, visit) => surveySession(folderOf(ref), ref.id, visit),
    read: (ref, { name, size }) => readChunks(join(folderOf(ref).folder, name), size),
    confirm: (ref, parts) => {
      const at = folderOf(ref);
      for (const { name } of parts) syncFile(join(at.folder, name));
      // Then the names that lead to them: another process may have written them and died.
      for (const folder of [at.segments, at.pins, at.folder, at.sessions, ref.place.name])
        if (isRealFolder(folder)) syncFolder(folder);
    },
    stage: (place) => staging(sessions, rootOf(place), openStaging(rootOf(place), mark())),
  };
}

/** A folder of staged files as the port sees it. */
export function staging(
  sessions: MaintainedSessions,
  root: DataRoot,
  { at, put, settle, discard }: StagedFolder,
): Staging {
  return {
    put,
    discard,
    survey: async (id, visit) => surveySession(at, id, visit),
    read: ({ name, size }) => readChunks(join(at.folder, name), size),
    install: (id) => {
      settle();
      return installSession(root, at, id);
    },
    merge: async (into) => {
      settle();
      return sessions.open(into).maintain(() => mergeSession(folderOf(into), at));
    },
  };
}

/** The id that a session was made under, from the first line that says so: a look, not a reading. */
function originOf(at: SessionFolder): OriginId | undefined {
  for (const { name } of listSegments(at).segments) {
    const first = firstLine(join(at.segments, name));
    const decoded = first && decodeLine(first);
    if (decoded?.ok === true && decoded.value.origin !== undefined) return decoded.value.origin;
  }
  return undefined;
}

function firstLine(file: string): Buffer | undefined {
  const chunks: Buffer[] = [];
  for (const chunk of readChunks(file, limits.line)) {
    const end = chunk.indexOf(0x0a);
    chunks.push(end < 0 ? chunk : chunk.subarray(0, end));
    if (end >= 0) return Buffer.concat(chunks);
  }
  return undefined;
}
