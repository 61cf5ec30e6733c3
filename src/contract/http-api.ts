import type { JsonObject, JsonValue } from '../base/json-value.js';
import type { Preferences } from '../base/preferences.js';
import type { NextCall, RequestViolation } from '../base/rejection.js';
import type { ListedWorkflow, PendingStep } from './answer.js';
import type { EventBatch } from './event-told.js';
import type { SessionList, SessionListed } from './session-list.js';
import type {
  DocumentStory,
  EdgeStory,
  GapStory,
  NodeStory,
  OutputStory,
  RunStory,
  SessionStory,
} from './session-story.js';

/** Everything that goes wrong on this door, in one shape. `error_code` is one of the error catalogue or of what keeps strangers out. */
export interface ApiError {
  readonly error_code: string;
  readonly category: 'validation' | 'not_found' | 'conflict' | 'execution' | 'internal' | 'access';
  readonly message: string;
  readonly context: JsonObject;
  readonly retryable: boolean;
  readonly retry_after_ms?: number;
  readonly suggested_action: string;
  readonly violations?: readonly RequestViolation[];
  /** The same id stands in the server's log. */
  readonly correlation_id: string;
}

/** GET /api/sessions?query&cursor&limit */
export interface SessionsPage extends SessionList {
  /** While the server reads what is here for the first time: how many are read, the newest first. What is not read yet is not listed. */
  readonly reading?: { readonly done: number; readonly of: number };
}

/** A run without its nodes. */
export interface RunHead {
  readonly runId: string;
  readonly workflow: RunStory['workflow'];
  readonly startedAt: string;
  readonly lastAt: string;
  readonly status: RunStory['status'];
  /** The step that is awaited at the preferred tip; null at the end. */
  readonly pending: string | null;
  readonly root: string;
  readonly preferredTip: string;
  readonly nodes: number;
  readonly branches: number;
  /** Open at the preferred tip. */
  readonly openGaps: number;
  readonly inputs: JsonObject;
}

/** GET /api/sessions/:id */
export interface SessionHead extends Omit<SessionStory, 'runs'> {
  /** Of the data root that it lies in. */
  readonly folder: string;
  /** In the order they were started. */
  readonly runs: readonly RunHead[];
  /** What kind of trouble keeps it from being written to, or from being whole. */
  readonly trouble?: NonNullable<SessionListed['trouble']>;
}

/** One node of a run's graph, as light as it can be: what says nothing is left out. */
export interface GraphNode {
  readonly id: string;
  /** Its parent, as an index into `nodes`; absent at the root, and where the parent is not on disk. Parents stand before children. */
  readonly up?: number;
  /** The step that waits here, as an index into `steps`; absent where the run is complete. */
  readonly step?: number;
  /** Place of the event that made it in the session's total order: with it the graph can be shown as it was. */
  readonly seq: number;
  /** When it was made: milliseconds since the run started, by the clock of who wrote it. */
  readonly at: number;
  /** Absent for `in_progress`. */
  readonly status?: 'blocked' | 'complete' | 'complete_with_gaps';
  readonly tip?: true;
  readonly preferredTip?: true;
  /** On the way from the root to the preferred tip. */
  readonly onWay?: true;
  /** Counts; absent for none. Gaps: those disclosed when it was made or at its checkpoints, and not resolved since. */
  readonly checkpoints?: number;
  readonly gaps?: number;
  readonly blocks?: number;
  readonly notes?: number;
  readonly artifacts?: number;
  /** Preferences are others than at the parent. */
  readonly prefs?: true;
  /** An ancestor is not on disk. */
  readonly partial?: true;
}

/** GET /api/sessions/:id/runs/:run */
export interface RunGraph {
  readonly sessionId: string;
  readonly run: RunHead;
  /** Each step that some node stands at, once for each place and title. */
  readonly steps: readonly { readonly stepId: string; readonly path: string; readonly title: string }[];
  readonly nodes: readonly GraphNode[];
  /** Node ids, the preferred one first. */
  readonly tips: readonly string[];
}

export interface NodeRef {
  readonly runId: string;
  readonly nodeId: string;
  /** Of the step that waits there; absent where the run is complete. */
  readonly path?: string;
  readonly title?: string;
}

/** One time that a step was done: the edge, and the node it led to. */
export interface StepDone {
  readonly nodeId: string;
  readonly edge: EdgeStory;
}

/** GET /api/sessions/:id/nodes/:node */
export interface StepDetail {
  readonly sessionId: string;
  readonly run: Pick<RunStory, 'runId' | 'workflow' | 'status' | 'preferredTip'>;
  /** `cameBy` holds the output that led here, its gaps and warnings, and the trace of what was skipped and why. */
  readonly node: NodeStory;
  readonly parent?: NodeRef;
  /** The step as the agent sees it; absent where the run is complete, and where `promptMissing` says why it cannot be told. */
  readonly asSeen?: PendingStep;
  readonly promptMissing?: string;
  /** Told with the step: holes that could not be filled. */
  readonly stepWarnings: readonly { readonly code: string; readonly message: string; readonly path?: string }[];
  /** Each time the step was done, in the order they were recorded. */
  readonly done: readonly StepDone[];
  /** In force here. */
  readonly context: JsonObject;
  /** Against the parent; at a root, against nothing. */
  readonly contextChanged: readonly ContextChange[];
  /** Open here. */
  readonly openGaps: readonly GapStory[];
  /** The condition under which the step is done, as its author wrote it. */
  readonly condition?: string;
}

export interface ContextChange {
  readonly key: string;
  readonly before?: JsonValue;
  readonly after?: JsonValue;
}

/** GET /api/sessions/:id/runs/:run/documents?node= */
export interface DocumentsAt {
  readonly sessionId: string;
  readonly runId: string;
  readonly nodeId: string;
  readonly documents: readonly DocumentStory[];
  /** Why there can be none: the pin cannot be read. */
  readonly missing?: string;
}

/** GET /api/sessions/:id/timeline */
export interface Timeline {
  readonly sessionId: string;
  readonly startedAt: string;
  readonly lastAt: string;
  /** A lane a run, in the order they were started. */
  readonly lanes: readonly { readonly runId: string; readonly title: string; readonly workflowId: string }[];
  /** Every event in the total order. */
  readonly marks: readonly TimelineMark[];
}

export interface TimelineMark {
  readonly seq: number;
  readonly event: string;
  /** Milliseconds since the session started, by the clock of who wrote it: it may go back. */
  readonly at: number;
  readonly kind: string;
  /** Index into `lanes`; absent for the session's own lane. */
  readonly lane?: number;
  readonly nodeId?: string;
  /** One line. */
  readonly says: string;
}

/** GET /api/sessions/:id/events?from&limit: whole batches, as many as come to `limit` or just over it. */
export interface EventsPage {
  readonly sessionId: string;
  readonly events: EventBatch['events'];
  readonly findings: EventBatch['findings'];
  /** All that is there has been told. */
  readonly upToDate: boolean;
  /** `from` of the next page, and what `live` goes on from. */
  readonly position: string;
}

/** GET /api/sessions/:id/diff?a&b: two nodes compared. */
export interface NodesCompared {
  readonly sessionId: string;
  readonly a: NodeRef;
  readonly b: NodeRef;
  /** The last node on the way to both; absent for nodes of different runs. */
  readonly ancestor?: NodeRef;
  /** Steps done after it, in order: beside each other where both ways did the same step. */
  readonly steps: readonly {
    readonly path: string;
    readonly title: string;
    readonly a?: StepCompared;
    readonly b?: StepCompared;
  }[];
  /** Keys that differ: `before` is at a, `after` is at b. */
  readonly context: readonly ContextChange[];
  /** How many keys are the same at both. */
  readonly contextSame: number;
  readonly preferences: { readonly a: Preferences; readonly b: Preferences };
}

export interface StepCompared {
  /** The node that doing it led to. */
  readonly nodeId: string;
  readonly at: string;
  readonly output: OutputStory;
  readonly gaps: readonly GapStory[];
  readonly context: JsonObject;
}

/** GET /api/workflows?query */
export interface WorkflowsPage {
  readonly workflows: readonly ListedWorkflow[];
  /** How many are here, whether or not they match. */
  readonly here: number;
}

/** GET /api/workflows/:id */
export interface WorkflowDetail {
  readonly workflow: ListedWorkflow;
  /** As a run would execute it; absent where the file has violations. */
  readonly compiled?: JsonObject;
  readonly hash?: string;
  /** Every step in order with what it asks back, holes and all: path, stepId, title, kind and more. */
  readonly steps: readonly JsonObject[];
  readonly source: string;
  /** All of them: rule, pointer, line, column, message, expected, actual, closest, patch. */
  readonly violations: readonly JsonObject[];
  readonly warnings: readonly JsonObject[];
  /** Broken files of the same id that would come before this one. */
  readonly passedOver: readonly { readonly source: string; readonly file: string }[];
  /** Runs that follow another version than the file has now, the newest first. */
  readonly drift: readonly WorkflowDrift[];
}

export interface WorkflowDrift {
  readonly sessionId: string;
  readonly runId: string;
  readonly startedAt: string;
  readonly status: RunStory['status'];
  readonly hash: string;
  /** What the file does differently from the pin, each in a few words. */
  readonly changes: readonly string[];
}

/** GET /api/sessions/:id/resume?node= : what to paste so that an agent goes on there. */
export interface ResumeWords {
  readonly sessionId: string;
  readonly at?: NodeRef;
  readonly stateToken?: string;
  readonly sessionToken?: string;
  /** For an agent's chat. */
  readonly words: string;
  /** The same as a call of a tool. */
  readonly call: NextCall;
  /** For a shell. */
  readonly command: string;
}

/** POST /api/sessions/:id/notes, answered with `NoteTold`. */
export interface NoteBody {
  readonly text: string;
  readonly node?: string;
}

/** POST /api/sessions/:id/labels: what is not named stays as it is. Answered with `SessionLabelled`. */
export interface LabelsBody {
  readonly title?: string;
  readonly tags?: readonly string[];
  readonly keep?: boolean;
}

/** POST /api/prune: without `dryRun: false` it only tells what it would do. Answered with `PruneAnswer`. */
export interface PruneBody {
  readonly dryRun?: boolean;
  readonly olderThanDays?: number;
  /** Sessions to leave. */
  readonly keep?: readonly string[];
  /** Damaged ones too. */
  readonly unsound?: boolean;
  /** Only these, which somebody has been shown. */
  readonly only?: readonly { readonly sessionId: string; readonly folder: string }[];
}

/** GET /api/about: what the page says of this server. */
export interface AboutServer {
  readonly version: string;
  readonly workspace: string;
  readonly platform: string;
  /** To connect an agent: over HTTP the address, on stdio the command. */
  readonly connect: { readonly http: string; readonly stdio: string };
}

/**
 * GET /api/events (all sessions) sends server-sent events `ready`, `session`, `stopped` and `dropped`;
 * GET /api/sessions/:id/live (one) sends `ready`, `events`, `stopped` and `dropped`. The browser resumes both by itself.
 */
export interface LiveMessages {
  /** First of all. `reset`: what was missed is not known any more, so what is shown is to be asked for again. */
  readonly ready: { readonly reset: boolean };
  /** A session is new, has changed or is gone; its head as it is now. */
  readonly session: { readonly sessionId: string; readonly gone: boolean; readonly head?: SessionListed };
  /** What was appended or merged; `gone` where the session is not where it was. */
  readonly events: EventBatch;
  /** The server ends. */
  readonly stopped: { readonly message: string };
  /** Whoever reads too slowly is sent away; what is missed comes with the next connection. */
  readonly dropped: { readonly message: string };
}
