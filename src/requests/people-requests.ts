import { errorText } from '../base/error-text.js';
import type { Rejection } from '../base/rejection.js';
import { err, type Result } from '../base/result.js';
import { addNote } from './care/add-note.js';
import { addSchema, listSchemas, showSchemaForPeople } from './states/add-schema.js';
import { listStates } from './states/list-states.js';
import { compareVersions, listVersions } from './states/list-versions.js';
import { changesOfState } from './states/changes-of-state.js';
import { followState } from './states/follow-state.js';
import { waitForState } from './states/wait-for-state.js';
import { StateFollowers } from './states/state-followers.js';
import { statesOfSession } from './states/states-of-session.js';
import { readChange } from './states/read-change.js';
import { stateSchema } from './states/state-schema.js';
import { forkState } from './states/fork-state.js';
import { mergeState } from './states/merge-state.js';
import { migrateState } from './states/migrate-state.js';
import { settleConflict } from './states/settle-conflict.js';
import {
  closeStateForPeople,
  createStateForPeople,
  readStateForPeople,
  writeStateForPeople,
} from './states/states-for-people.js';
import { allowAddresses } from './catalogs/allow-addresses.js';
import { answerAndGoOn } from './commands/answer-and-go-on.js';
import { browseCatalogs } from './catalogs/browse-catalogs.js';
import { browseCommands } from './catalogs/browse-commands.js';
import { browseSessions } from './read/browse-sessions.js';
import { browseWorkflows } from './workflows/browse-workflows.js';
import { commandNames } from './catalogs/command-names.js';
import { changePreferences } from './care/change-preferences.js';
import { enableForPeople, removeForPeople } from './catalogs/change-for-people.js';
import { importHandedIn, previewHandedIn } from './catalogs/hand-in-document.js';
import { readCommand } from './catalogs/read-command.js';
import { readOneCatalog } from './catalogs/read-one-catalog.js';
import { compareTwoNodes } from './read/compare-two-nodes.js';
import { doctor } from './care/doctor.js';
import type { Environment } from './world/environment.js';
import { exportSession } from './carry/export-session.js';
import { findTip } from './read/find-tip.js';
import { followEvents } from './read/follow-events.js';
import { importBundle } from './carry/import-bundle.js';
import { initWorkspace } from './carry/init-workspace.js';
import { labelSession } from './care/label-session.js';
import { listSecrets, setSecret } from './catalogs/catalog-secrets.js';
import { listSessions } from './read/list-sessions.js';
import { lookForSecrets } from './care/look-for-secrets.js';
import { moveSession } from './carry/move-session.js';
import { offerChoices } from './catalogs/offer-choices.js';
import { pruneSessions } from './care/prune-sessions.js';
import { readDocuments } from './read/read-documents.js';
import { readEventsPage } from './read/read-events-page.js';
import { readEvents } from './read/read-events.js';
import { readQuestions } from './answers/read-questions.js';
import { readHits } from './read/read-hits.js';
import { readRunGraph } from './read/read-run-graph.js';
import { readSessionHead } from './read/read-session-head.js';
import { readStep } from './read/read-step.js';
import { readStory } from './read/read-story.js';
import { readTimeline } from './read/read-timeline.js';
import { readWaiting } from './answers/read-waiting.js';
import { readWorkflow } from './workflows/read-workflow.js';
import { renderSession } from './read/render-session.js';
import { SessionBoard } from './world/session-board.js';
import { retention } from './care/retention.js';
import { resumeAnswer } from './read/resume-answer.js';
import { redactSession } from './care/redact-session.js';
import { faultToRejection } from './world/fault-to-rejection.js';
import { tracedLog } from './world/trace.js';
import { trustProject } from './care/trust-project.js';
import { validateFiles } from './workflows/validate-files.js';

/** What people ask of WorkRail, on the command line and in the web page, besides the calls that agents make. */
export type PeopleRequests = ReturnType<typeof openPeopleRequests>;

/** These tell of a folder that is not to be used, or make it usable. */
const looksForItself: ReadonlySet<string> = new Set(['doctor', 'initWorkspace', 'trustProject']);

/** One line a request; each lives in a file of its own. Nothing is thrown at a caller. */
export function openPeopleRequests(env: Environment, log: (line: string) => void) {
  const told = tracedLog(log);
  const guarded =
    <R, A>(name: string, request: (env: Environment, request: R) => Promise<Result<A, Rejection>>) =>
    async (asked: R): Promise<Result<A, Rejection>> => {
      try {
        const refused = looksForItself.has(name) ? undefined : env.refusal();
        const answered = refused === undefined ? await request(env, asked) : err(refused);
        return answered.ok ? answered : err({ ...answered.error, action: env.words(answered.error.action) });
      } catch (cause) {
        // The same id in the answer and in the log, to find one by the other.
        const id = env.randomId();
        told(`${id} ${name}: ${errorText(cause)}`);
        return err(faultToRejection(cause, id));
      }
    };
  const board = new SessionBoard(env, log);
  const followers = new StateFollowers(env);
  const following =
    <R, A>(request: (env: Environment, followers: StateFollowers, asked: R) => Promise<Result<A, Rejection>>) =>
    (_env: Environment, asked: R): Promise<Result<A, Rejection>> =>
      request(env, followers, asked);
  return {
    addNote: guarded('addNote', addNote),
    addSchema: guarded('addSchema', addSchema),
    listSchemas: guarded('listSchemas', listSchemas),
    showSchema: guarded('showSchema', showSchemaForPeople),
    createState: guarded('createState', createStateForPeople),
    readState: guarded('readState', readStateForPeople),
    writeState: guarded('writeState', writeStateForPeople),
    listStates: guarded('listStates', listStates),
    statesOfSession: guarded('statesOfSession', statesOfSession),
    readChange: guarded('readChange', readChange),
    stateSchema: guarded('stateSchema', stateSchema),
    listVersions: guarded('listVersions', listVersions),
    compareVersions: guarded('compareVersions', compareVersions),
    changesOfState: guarded('changesOfState', following(changesOfState)),
    followState: guarded('followState', following(followState)),
    waitForState: guarded('waitForState', following(waitForState)),
    forkState: guarded('forkState', forkState),
    migrateState: guarded('migrateState', migrateState),
    mergeState: guarded('mergeState', mergeState),
    settleConflict: guarded('settleConflict', settleConflict),
    closeState: guarded('closeState', closeStateForPeople),
    allowAddresses: guarded('allowAddresses', allowAddresses),
    answerQuestion: guarded('answerQuestion', answerAndGoOn),
    browseCatalogs: guarded('browseCatalogs', browseCatalogs),
    browseCommands: guarded('browseCommands', browseCommands),
    browseSessions: guarded('browseSessions', browseSessions),
    browseWorkflows: guarded('browseWorkflows', browseWorkflows),
    commandNames: guarded('commandNames', commandNames),
    changePreferences: guarded('changePreferences', changePreferences),
    compareTwoNodes: guarded('compareTwoNodes', compareTwoNodes),
    doctor: guarded('doctor', doctor),
    enableCatalog: guarded('enableCatalog', enableForPeople),
    exportSession: guarded('exportSession', exportSession),
    findTip: guarded('findTip', findTip),
    followEvents: guarded('followEvents', followEvents),
    /** Which sessions change, whoever writes to them. */
    followSessions: (from: string | undefined, signal: AbortSignal) => board.follow(from, signal),
    importBundle: guarded('importBundle', importBundle),
    importDocument: guarded('importDocument', importHandedIn),
    initWorkspace: guarded('initWorkspace', initWorkspace),
    labelSession: guarded('labelSession', labelSession),
    listSecrets: guarded('listSecrets', listSecrets),
    setSecret: guarded('setSecret', setSecret),
    listSessions: guarded('listSessions', listSessions),
    moveSession: guarded('moveSession', moveSession),
    lookForSecrets: guarded('lookForSecrets', lookForSecrets),
    offerChoices: guarded('offerChoices', offerChoices),
    previewDocument: guarded('previewDocument', previewHandedIn),
    pruneSessions: guarded('pruneSessions', pruneSessions),
    readCatalog: guarded('readCatalog', readOneCatalog),
    readCommand: guarded('readCommand', readCommand),
    readDocuments: guarded('readDocuments', readDocuments),
    readEvents: guarded('readEvents', readEvents),
    readEventsPage: guarded('readEventsPage', readEventsPage),
    readQuestions: guarded('readQuestions', readQuestions),
    readHits: guarded('readHits', readHits),
    readRunGraph: guarded('readRunGraph', readRunGraph),
    readSessionHead: guarded('readSessionHead', readSessionHead),
    readStep: guarded('readStep', readStep),
    readStory: guarded('readStory', readStory),
    retention: guarded('retention', retention),
    redactSession: guarded('redactSession', redactSession),
    readTimeline: guarded('readTimeline', readTimeline),
    readWaiting: guarded('readWaiting', readWaiting),
    readWorkflow: guarded('readWorkflow', readWorkflow),
    removeCatalog: guarded('removeCatalog', removeForPeople),
    renderSession: guarded('renderSession', renderSession),
    trustProject: guarded('trustProject', trustProject),
    tellResume: guarded('tellResume', resumeAnswer),
    validateFiles: guarded('validateFiles', validateFiles),
  };
}
