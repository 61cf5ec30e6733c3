import { errorText } from '../base/error-text.js';
import type { Rejection } from '../base/rejection.js';
import { err, type Result } from '../base/result.js';
import { addNote } from './add-note.js';
import { changePreferences } from './change-preferences.js';
import { doctor } from './doctor.js';
import type { Environment } from './environment.js';
import { exportSession } from './export-session.js';
import { findTip } from './find-tip.js';
import { followEvents } from './follow-events.js';
import { importBundle } from './import-bundle.js';
import { initWorkspace } from './init-workspace.js';
import { labelSession } from './label-session.js';
import { listSessions } from './list-sessions.js';
import { moveSession } from './move-session.js';
import { lookForSecrets } from './look-for-secrets.js';
import { pruneSessions } from './prune-sessions.js';
import { readEvents } from './read-events.js';
import { readStory } from './read-story.js';
import { renderSession } from './render-session.js';
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
    doctor: guarded('doctor', doctor),
    exportSession: guarded('exportSession', exportSession),
    findTip: guarded('findTip', findTip),
    followEvents: guarded('followEvents', followEvents),
    importBundle: guarded('importBundle', importBundle),
    initWorkspace: guarded('initWorkspace', initWorkspace),
    labelSession: guarded('labelSession', labelSession),
    listSessions: guarded('listSessions', listSessions),
    moveSession: guarded('moveSession', moveSession),
    lookForSecrets: guarded('lookForSecrets', lookForSecrets),
    pruneSessions: guarded('pruneSessions', pruneSessions),
    readEvents: guarded('readEvents', readEvents),
    readStory: guarded('readStory', readStory),
    renderSession: guarded('renderSession', renderSession),
    validateFiles: guarded('validateFiles', validateFiles),
  };
}
