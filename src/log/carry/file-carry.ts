import type { OriginId } from '../../base/ids.js';
import { join } from 'node:path';
import type { Result } from '../../base/result.js';
import { isRealFolder, syncFile, syncFolder } from '../../files/folders.js';
import { readChunks } from '../../files/read-chunks.js';
import type { DataRoot } from '../../machine/data-root.js';
import { rootOf } from '../files/file-ref.js';
import type { LogRejection } from '../port/log-rejection.js';
import type { Place, SessionRef } from '../port/session-ref.js';
import type { Merged, Part, SessionSurvey, Staging, StoreCarry, SurveyVisit } from '../port/store-carry.js';
import { surveySession } from '../reading/survey-session.js';
import { originOf } from '../segments/origin-of.js';
import { listSegments, type SessionFolder, sessionFolder } from '../segments/session-folder.js';
import { openStaging, type StagedFolder } from './import-staging.js';
import { installSession } from './install-session.js';
import { mergeSession } from './merge-session.js';

/** The sessions that something is merged into, as the store has them open. */
interface OpenSessions {
  open(ref: SessionRef): { maintain<A>(work: () => A): Promise<Result<A, LogRejection>> };
}

const folderOf = (ref: SessionRef): SessionFolder => sessionFolder(rootOf(ref.place), ref.id);

/** Sessions as the files that they are. */
export class FileCarry implements StoreCarry {
  readonly #sessions: OpenSessions;
  readonly #mark: () => string;

  constructor(sessions: OpenSessions, mark: () => string) {
    this.#sessions = sessions;
    this.#mark = mark;
  }

  parts(ref: SessionRef): readonly Part[] {
    return listSegments(folderOf(ref).segments).segments.map(({ name, size }) => ({ name: `segments/${name}`, size }));
  }

  origin(ref: SessionRef): OriginId | undefined {
    return originOf(folderOf(ref));
  }

  async survey(ref: SessionRef, visit: SurveyVisit = {}): Promise<SessionSurvey> {
    return surveySession(folderOf(ref), ref.id, visit);
  }

  read(ref: SessionRef, { name, size }: Part): Iterable<Buffer> {
    return readChunks(join(folderOf(ref).folder, name), size);
  }

  confirm(ref: SessionRef, parts: readonly Part[]): void {
    const at = folderOf(ref);
    for (const { name } of parts) syncFile(join(at.folder, name));
    // Then the names that lead to them: another process may have written them and died.
    for (const folder of [at.segments, at.pins, at.folder, at.sessions, ref.place.name])
      if (isRealFolder(folder)) syncFolder(folder);
  }

  stage(place: Place): Staging {
    const root = rootOf(place);
    return staging(this.#sessions, root, openStaging(root, this.#mark()));
  }
}

/** A folder of staged files as the port sees it. */
export function staging(sessions: OpenSessions, root: DataRoot, { at, put, settle, discard }: StagedFolder): Staging {
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
      return sessions
        .open(into)
        .maintain((): Result<Merged, { readonly diverged: string }> => mergeSession(folderOf(into), at));
    },
  };
}
