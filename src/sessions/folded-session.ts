import type { EventSum, KeyId, NodeId, RunId, WorkflowHash } from '../base/ids.js';
import type { JsonObject, JsonValue } from '../base/json-value.js';
import type { Named } from '../base/lazy-object.js';
import type { InPlace } from '../base/in-place.js';
import { PiecedMap } from '../base/pieced-map.js';
import type { Preferences } from '../base/preferences.js';
import type { UsageSum } from '../base/usage.js';
import type { EventData, Output, Position, StepName } from '../events/event-data.js';
import type { Event, EventPosition } from '../events/event.js';
import type { WithStates } from './states/shared-state.js';

/** A session as its events leave it. Plain data, so that it can be kept on disk and read back; only the fold changes it. */
export interface FoldedSession extends InPlace, WithStates {
  started: boolean;
  key: string | undefined;
  title: string | undefined;
  tags: readonly string[];
  keep: boolean;
  /** What new runs begin with, and what a node without a choice of its own falls back to. */
  preferences: Preferences | undefined;
  startedAt: string;
  lastAt: string;
  runs: Map<RunId, Run>;
  nodes: Map<NodeId, RunNode>;
  observations: EventData<'observation'>[];
  notes: Event<'note_added'>[];
  /** Outputs recorded on the session itself, outside of any run. */
  checkpoints: Event<'checkpoint'>[];
  /** Nodes at which something waited for a person once. */
  asked: Set<NodeId>;
  /** Where an output stands, by its event. */
  entries: Map<EventSum, NodeId | undefined>;
}

export interface Run extends InPlace {
  readonly id: RunId;
  readonly root: NodeId;
  readonly started: Event<'run_started'>;
  readonly workflowHash: WorkflowHash;
  /** What its session began new runs with when it was started. */
  readonly sessionHad: Preferences | undefined;
  tips: Set<NodeId>;
  preferredTip: NodeId;
  nodeCount: number;
  lastAt: string;
  /** What an answer said last of its file, which was edited under it. */
  changeTold: string | undefined;
  /** What its steps used, as they told it: each node once, on whichever branch. */
  usage: UsageSum | undefined;
  /** What the user agreed to be sent, in order. */
  confirmed?: Event<'plan_confirmed'>[];
  /** All of it goes no further. */
  stopped?: Event<'run_stopped'>;
}

/** With what a node was made: as its event says, and where that is silent, as its parent was. */
export interface Terms {
  readonly preferences: Preferences;
  /** Seals the tokens of the answer. */
  readonly key: KeyId;
  readonly engine: string;
}

/** What one record holds under a name. */
export interface Held {
  context: JsonValue;
  /** The newest output of a step; of a command what came back. */
  outputs: Output | JsonObject;
  /** The fixed list of a loop that was entered, by its path. */
  lists: readonly JsonValue[];
  /** What `wr.loop_control` artifacts said, by loop and iteration: `hunt@2`. */
  controls: 'continue' | 'stop';
}

/** What steps hand on to those after them. */
export type Records = { readonly [R in keyof Held]: Named<Held[R]> };
export type RecordName = keyof Records;

/** That a node changed a record: nothing of what was there before is copied. */
export interface Change {
  /** The node above it that made the change before. */
  readonly before: NodeId | undefined;
  /** Changes on the way here, this one included. */
  readonly count: number;
  summary: Summary | undefined;
}

/** A stretch of changes as one. */
export interface Summary {
  /** The node that made the change before all of them. */
  readonly before: NodeId | undefined;
  /** Who wrote each name last; nobody where it was taken out. */
  readonly writers: ReadonlyMap<string, NodeId | undefined>;
  /** Names that were taken out in between and set again, and so come after all that stood before. */
  readonly anew: ReadonlySet<string>;
}

/** Rounds of a loop one after the other in which steps were done. */
export interface RoundStretch {
  /** Path of the loop. */
  readonly loop: string;
  readonly from: number;
  readonly to: number;
  /** The node that ended the stretch before this one, where rounds were passed over. */
  readonly before: NodeId | undefined;
}

export interface RunNode extends InPlace {
  readonly id: NodeId;
  readonly run: RunId;
  readonly parent: NodeId | undefined;
  /** Acks between the root and here. */
  readonly depth: number;
  readonly madeBy: Event<'run_started'> | Event<'step_acked'>;
  /** What was done to come here. Where the parent is not on disk, only the title is known. */
  readonly did: StepName | undefined;
  readonly terms: Terms;
  /** What came back of the command that led here. */
  readonly cameBack: JsonObject | undefined;
  /** False when an ancestor is not on disk: what the node inherits cannot be known. */
  readonly whole: boolean;
  /** Undefined at the end of the run. */
  readonly pending: Position | undefined;
  /** Of what steps hand on: what this node changed, or which node above it made the last change. `recordsAt` reads it. */
  readonly records: { readonly [R in RecordName]: NodeId | Change | undefined };
  /** The newest stretch of rounds of each loop that can still be asked for. */
  readonly rounds: readonly RoundStretch[];
  /** Of the canonical text of its context. */
  readonly contextBytes: number;
  /** The nearest node above this one where more than notes was left, so that a look need not pass all that lies between. */
  landmark: NodeId | undefined;
  preferences: Preferences;
  /** What the start of the run or a person chose last on the way here: an agent may be more careful, and not bolder. */
  allowed: Preferences;
  /** Each time that a person chose how work is to be done here, in order. */
  chosen?: Event<'preferences_changed'>[];
  children: NodeId[];
  /** Every recorded ack of this node, in order; one attempt may stand here twice. */
  acks: Event<'step_acked'>[];
  blocks: Event<'step_blocked'>[];
  /** What people answered to its drafts, in order. */
  answers?: Event<'question_answered'>[];
  /** That nobody waits for an answer to one of its drafts any more. */
  waitsEnded?: Event<'wait_ended'>[];
  checkpoints: Event<'checkpoint'>[];
  notes: Event<'note_added'>[];
  /** Every request of the command that is pending here which changes something, in order, as it was about to leave. */
  intents?: Event<'command_sent'>[];
  /** Every try of that command that is over, in order. */
  tries?: Event<'command_done'>[];
  /** The last time that the user agreed here to what is sent. */
  confirmed?: Event<'plan_confirmed'>;
  /** What somebody said of tries whose outcome nobody knew. */
  settled?: Event<'command_settled'>[];
  /** The run went no further from here. */
  stopped?: Event<'run_stopped'>;
  /** The greatest event that counts as work on this node. */
  touched: EventPosition;
}

export function emptySession(): FoldedSession {
  return {
    started: false,
    key: undefined,
    title: undefined,
    tags: [],
    keep: false,
    preferences: undefined,
    startedAt: '',
    lastAt: '',
    runs: new Map(),
    nodes: new PiecedMap(),
    observations: [],
    notes: [],
    checkpoints: [],
    asked: new Set(),
    entries: new PiecedMap(),
    states: new Map(),
    versions: new PiecedMap(),
  };
}
