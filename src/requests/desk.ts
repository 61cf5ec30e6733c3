import { errorText } from '../base/error-text.js';
import type { Rejection } from '../base/rejection.js';
import { err, type Result } from '../base/result.js';
import { addNote } from './add-note.js';
import { type BrowseAsked, browseSessions } from './browse-sessions.js';
import { browseWorkflows } from './browse-workflows.js';
import { changePreferences } from './change-preferences.js';
import { compareTwoNodes } from './compare-two-nodes.js';
import { doctor } from './doctor.js';
import type { Environment } from './environment.js';
import { exportSession } from './export-session.js';
import { findTip } from './find-tip.js';
import { followEvents } from './follow-events.js';
import { importBundle } from './import-bundle.js';
import { initWorkspace } from './init-workspace.js';
import { labelSession } from './label-session.js';
import { listSessions } from './list-sessions.js';
import { lookForSecrets } from './look-for-secrets.js';
import { moveSession } from './move-session.js';
import { pruneSessions } from './prune-sessions.js';
import { readDocuments } from './read-documents.js';
import { readEventsPage } from './read-events-page.js';
import { readEvents } from './read-events.js';
import { readRunGraph } from './read-run-graph.js';
import { readSessionHead } from './read-session-head.js';
import { readStep } from './read-step.js';
import { readStory } from './read-story.js';
import { readTimeline } from './read-timeline.js';
import { readWorkflow } from './read-workflow.js';
import { renderSession } from './render-session.js';
import { SessionBoard } from './session-board.js';
import { tellResume } from './tell-resume.js';
import { redactSession } from './redact-session.js';
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
        // The same id in the answer and in the log, to find one by the other.
        const id = env.randomId();
        log(`${id} ${name}: ${errorText(cause)}`);
        return err(unexpected(cause, id));
      }
    };
  const board = new SessionBoard(env, log);
  return {
    addNote: guarded('addNote', addNote),
    browseSessions: guarded('browseSessions', (_, asked: BrowseAsked) => browseSessions(board.index, asked)),
    browseWorkflows: guarded('browseWorkflows', browseWorkflows),
    changePreferences: guarded('changePreferences', changePreferences),
    compareTwoNodes: guarded('compareTwoNodes', compareTwoNodes),
    doctor: guarded('doctor', doctor),
    exportSession: guarded('exportSession', exportSession),
    findTip: guarded('findTip', findTip),
    followEvents: guarded('followEvents', followEvents),
    /** Which sessions change, whoever writes to them. */
    followSessions: (from: string | undefined, signal: AbortSignal) => board.follow(from, signal),
    importBundle: guarded('importBundle', importBundle),
    initWorkspace: guarded('initWorkspace', initWorkspace),
    labelSession: guarded('labelSession', labelSession),
    listSessions: guarded('listSessions', listSessions),
    moveSession: guarded('moveSession', moveSession),
    lookForSecrets: guarded('lookForSecrets', lookForSecrets),
    pruneSessions: guarded('pruneSessions', pruneSessions),
    readDocuments: guarded('readDocuments', readDocuments),
    readEvents: guarded('readEvents', readEvents),
    readEventsPage: guarded('readEventsPage', readEventsPage),
    readRunGraph: guarded('readRunGraph', readRunGraph),
    readSessionHead: guarded('readSessionHead', readSessionHead),
    readStep: guarded('readStep', readStep),
    readStory: guarded('readStory', readStory),
    redactSession: guarded('redactSession', redactSession),
    readTimeline: guarded('readTimeline', readTimeline),
    readWorkflow: guarded('readWorkflow', (environment, asked: { readonly id: string }) =>
      readWorkflow(environment, board.index, asked),
    ),
    renderSession: guarded('renderSession', renderSession),
    tellResume: guarded('tellResume', tellResume),
    validateFiles: guarded('validateFiles', validateFiles),
  };
}
