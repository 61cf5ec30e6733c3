import type { NodeId } from '../base/ids.js';
import { limits } from '../base/limits.js';
import type { DataPlace, FindingTold, RunStory, SessionStory } from '../contract/session-story.js';
import type { CompiledWorkflow } from '../definitions/compiled/compiled-workflow.js';
import { compareEvents } from '../events/event.js';
import type { FoldedSession, Run } from '../sessions/folded-session.js';
import { gapsAt } from '../sessions/gaps.js';
import { wholeRecord } from '../sessions/records.js';
import { runsInOrder } from '../sessions/runs-in-order.js';
import { documentsTold } from './documents-told.js';
import { slowestSteps } from '../sessions/time-worked.js';
import { usedIn } from '../sessions/usage.js';
import {
  checkpointStory,
  gapStory,
  longestIn,
  longestTold,
  nodeStory,
  noteStory,
  runBegun,
  runWide,
  settledIn,
  told,
} from './node-story.js';
import { sessionName } from './session-name.js';
import { tellLedgers } from './tell-ledgers.js';

export interface StoryFrom {
  readonly sessionId: string;
  readonly place: DataPlace;
  readonly session: FoldedSession;
  readonly eventCount: number;
  readonly findings: readonly FindingTold[];
  /** By hash; a run whose pin is not here has no documents. */
  readonly workflows: ReadonlyMap<string, CompiledWorkflow>;
}

/** Everything a session's events say but what its agents share, for people to read. */
export function sessionStory(from: StoryFrom): Omit<SessionStory, 'sharedStates'> {
  const { session, workflows } = from;
  return {
    ...besideRuns(from),
    runs: runsInOrder(session).map((run) => tellRun(session, run, workflows.get(run.workflowHash))),
  };
}

/** What a session says of itself as a whole. */
export function besideRuns({
  sessionId,
  place,
  session,
  eventCount,
  findings,
}: Omit<StoryFrom, 'workflows'>): Omit<SessionStory, 'runs' | 'sharedStates'> {
  const { key, title, tags, keep, startedAt, lastAt } = session;
  const ended = new Map(session.checkpoints.flatMap((event) => settledIn(event)));
  return {
    sessionId,
    ...(key !== undefined && { key }),
    ...(title !== undefined && { title }),
    about: sessionName(session) ?? sessionId,
    tags,
    keep,
    ...(session.preferences !== undefined && { preferences: session.preferences }),
    place,
    startedAt,
    lastAt,
    eventCount,
    ...told(usedIn(session)),
    observations: session.observations.map(({ branch, commit, repository, remote }) => ({
      ...(branch !== undefined && { branch }),
      ...(commit !== undefined && { commit }),
      ...(repository !== undefined && { repository }),
      ...(remote !== undefined && { remote }),
    })),
    notes: session.notes.map(noteStory),
    checkpoints: session.checkpoints.map((event) => checkpointStory(event, '', ended)),
    findings,
    ...(session.states.size > 0 && { states: session.states.size }),
  };
}

/** As many as a summary has room for. */
const slowestTold = 3;

function tellRun(session: FoldedSession, run: Run, workflow: CompiledWorkflow | undefined): RunStory {
  const wide = runWide(session, run);
  const { nodes, tip } = wide;
  const telling = { ...wide, workflow, bodyBytes: limits.bodyReported };
  return {
    ...runBegun(session, run),
    ...longestIn(session, run),
    slowest: slowestSteps(session, [run], slowestTold).map(longestTold),
    inputs: run.started.data.inputs,
    context: tip === undefined ? {} : wholeRecord(session, tip, 'context'),
    root: run.root,
    preferredTip: run.preferredTip,
    tips: tipsInOrder(session, run),
    nodes: nodes.map((node) => nodeStory(session, run, node, telling)),
    documents: tip === undefined || workflow === undefined ? [] : documentsTold(session, tip, workflow),
    ledgers: tip === undefined || workflow === undefined ? [] : tellLedgers(session, workflow, tip),
    gaps: tip === undefined ? [] : gapsAt(session, tip).map(gapStory),
  };
}

/** The preferred one first, then those with the newest work. */
export function tipsInOrder(session: FoldedSession, { tips, preferredTip }: Run): readonly NodeId[] {
  return [...tips].toSorted((a, b) => (a === preferredTip ? -1 : b === preferredTip ? 1 : newestFirst(session, a, b)));
}

function newestFirst(session: FoldedSession, a: NodeId, b: NodeId): number {
  const [one, other] = [session.nodes.get(a), session.nodes.get(b)];
  return one === undefined || other === undefined ? 0 : compareEvents(other.touched, one.touched);
}
