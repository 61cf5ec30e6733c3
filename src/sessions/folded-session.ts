import type { EventSum, KeyId, NodeId, RunId, WorkflowHash } from '../base/ids.js';
import type { JsonObject, JsonValue } from '../base/json-value.js';
import { PiecedMap } from '../base/pieced-map.js';
import type { Preferences } from '../base/preferences.js';
import type { EventData, Output, Position, StepName } from '../events/event-data.js';
import type { Envelope, Event } from '../events/event.js';

/** A session as its events leave it. Plain data, so that it can be kept on disk and read back; only the fold changes it. */
export interface FoldedSession {
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
  /** Where an output stands, by its event. */
  entries: Map<EventSum, NodeId | undefined>;
}

export interface Run {
  readonly id: RunId;
  readonly root: NodeId;
  readonly started: Event<'run_started'>;
  readonly workflowHash: WorkflowHash;
  tips: Set<NodeId>;
  preferredTip: NodeId;
  nodeCount: number;
  /** Outputs that came late, anywhere in it. */
  lateCount: number;
  lastAt: string;
}

/** With what a node was made: as its event says, and where that is silent, as its parent was. */
export interface Terms {
  readonly preferences: Preferences;
  /** Seals the tokens of the answer. */
  readonly key: KeyId;
  readonly engine: string;
}

export interface RunNode {
  readonly id: NodeId;
  readonly run: RunId;
  readonly parent: NodeId | undefined;
  /** Acks between the root and here. */
  readonly depth: number;
  readonly madeBy: Event<'run_started'> | Event<'step_acked'>;
  /** What was done to come here. Where the parent is not on disk, only the title is known. */
  readonly did: StepName | undefined;
  readonly terms: Terms;
  /** False when an ancestor is not on disk: what the node inherits cannot be known. */
  readonly whole: boolean;
  /** Undefined at the end of the run. */
  readonly pending: Position | undefined;
  readonly context: JsonObject;
  /** The newest output of each step on the way here. */
  readonly outputs: { readonly [step: string]: Output };
  /** The fixed list of each foreach that was entered on the way here, by its path. */
  readonly lists: { readonly [loop: string]: readonly JsonValue[] };
  /** What `wr.loop_control` artifacts said on the way here, by loop and iteration: `hunt@2`. */
  readonly controls: { readonly [iteration: string]: 'continue' | 'stop' };
  /** The nearest node above this one where more than notes was left, so that a look need not pass all that lies between. */
  landmark: NodeId | undefined;
  preferences: Preferences;
  children: NodeId[];
  /** Every recorded ack of this node, in order; one attempt may stand here twice. */
  acks: Event<'step_acked'>[];
  blocks: Event<'step_blocked'>[];
  checkpoints: Event<'checkpoint'>[];
  notes: Event<'note_added'>[];
  /** The greatest event that counts as work on this node. */
  touched: Pick<Envelope, 'seq' | 'by' | 'sum'>;
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
    entries: new PiecedMap(),
  };
}
