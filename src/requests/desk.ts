import { errorText } from '../base/error-text.js';
import type { Rejection } from '../base/rejection.js';
import { err, type Result } from '../base/result.js';
import { addNote } from './add-note.js';
import { changePreferences } from './change-preferences.js';
import type { Environment } from './environment.js';
import { exportSession } from './export-session.js';
import { findTip } from './find-tip.js';
import { followEvents } from './follow-events.js';
import { importBundle } from './import-bundle.js';
import { initWorkspace } from './init-workspace.js';
import { listSessions } from './list-sessions.js';
import { readEvents } from './read-events.js';
import { readStory } from './read-story.js';
import { unexpected } from './unexpected.js';
import { validateFiles } from './validate-files.js';

/** What people ask of WorkRail, on the command line and in the web page, besides the calls that agents make. */
export type Desk = ReturnType<typeof openDesk>;

/** One line a request; each lives in a file of its own. Nothing is thrown at a caller. */
export function openDesk(env: Environment, log: (line: string) => void) {
  const guarded =
    <R, A>(name: string, request: (env: Environment, request: R) => Promise<Result<A, Rejection>>) =>
    async (asked: R): Promise<Result<A, Rejection>> => {
      try {
        return await request(env, asked);
      } catch (cause) {
        log(`${name}: ${errorText(cause)}`);
        return err(unexpected(cause));
      }
    };
  return {
    addNote: guarded('addNote', addNote),
    changePreferences: guarded('changePreferences', changePreferences),
    exportSession: guarded('exportSession', exportSession),
    findTip: guarded('findTip', findTip),
    followEvents: guarded('followEvents', followEvents),
    importBundle: guarded('importBundle', importBundle),
    initWorkspace: guarded('initWorkspace', initWorkspace),
    listSessions: guarded('listSessions', listSessions),
    readEvents: guarded('readEvents', readEvents),
    readStory: guarded('readStory', readStory),
    validateFiles: guarded('validateFiles', validateFiles),
  };
}
