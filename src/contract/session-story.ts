import type { JsonObject, JsonValue } from '../base/json-value.js';
import type { Preferences } from '../base/preferences.js';
import type { WarningTold } from './answer.js';

/** The kind of data root: named outright, a project's own folder, or the user's. */
export type DataPlace = 'given' | 'project' | 'user';

/** What is amiss with a file of a session. */
export interface FindingTold {
  readonly level: 'torn' | 'incomplete' | 'damage' | 'newer';
  /** Relative to the session's folder. */
  readonly file: string;
  readonly line?: number;
  readonly byte?: number;
  readonly message: string;
  readonly remedy: string;
}

export interface OutputStory {
  readonly notes?: string;
  readonly artifacts: readonly JsonObject[];
}

export interface GapStory {
  readonly id: string;
  readonly category: string;
  readonly reason: string;
  readonly detail: string;
  readonly severity: string;
  readonly assumption?: string;
  readonly resolves?: string;
  /** Some later event resolved it. */
  readonly resolved: boolean;
  /** The step that it was disclosed at. */
  readonly path: string;
}

/** Something a person or an agent wrote down beside the steps. */
export interface NoteStory {
  /** The event's sum: what `workrail redact` takes. */
  readonly event: string;
  readonly at: string;
  readonly text: string;
}

/** Output that was recorded without advancing. */
export interface CheckpointStory {
  readonly event: string;
  readonly at: string;
  readonly output: OutputStory;
  readonly gaps: readonly GapStory[];
  /** It came with a replay, after the step had been decided. */
  readonly late: boolean;
}

export interface SkipStory {
  readonly path: string;
  readonly title: string;
  readonly reason: string;
}

/** How a node came to be: the start of its run, or one acknowledged attempt at its parent. */
export interface EdgeStory {
  readonly event: string;
  readonly at: string;
  readonly kind: 'started' | 'acked';
  /** The step that was done; absent for a start. */
  readonly step?: { readonly path: string; readonly title: string };
  readonly output: OutputStory;
  /** The context as it was handed in: a patch, null deletes. */
  readonly context: JsonObject;
  readonly confirmed: boolean;
  readonly gaps: readonly GapStory[];
  readonly warnings: readonly WarningTold[];
  /** What was passed over on the way to the node, and why. */
  readonly skipped: readonly SkipStory[];
}

export interface BlockStory {
  readonly event: string;
  readonly at: string;
  readonly blockers: readonly { readonly code: string; readonly message: string; readonly fix: string }[];
}

export interface NodeStory {
  readonly nodeId: string;
  readonly parent?: string;
  /** Steps done between the root and here. */
  readonly depth: number;
  /** The step that waits here; absent where the run is complete. */
  readonly pending?: { readonly stepId: string; readonly path: string; readonly title: string };
  readonly status: 'in_progress' | 'blocked' | 'complete' | 'complete_with_gaps';
  readonly isTip: boolean;
  readonly isPreferredTip: boolean;
  /** On the way from the root to the preferred tip. */
  readonly onPreferredPath: boolean;
  /** False where an ancestor is not on disk: what it inherits is not known. */
  readonly whole: boolean;
  readonly children: readonly string[];
  readonly cameBy: EdgeStory;
  readonly checkpoints: readonly CheckpointStory[];
  readonly notes: readonly NoteStory[];
  readonly blocks: readonly BlockStory[];
  readonly preferences: Preferences;
  /** Set where the preferences are others than at the parent. */
  readonly preferencesChanged: boolean;
}

/** Artifacts as they fold together at a tip. */
export interface DocumentStory {
  readonly name: string;
  readonly fold: 'header' | 'table' | 'log' | 'list';
  readonly header?: JsonObject;
  readonly rows?: readonly JsonObject[];
  readonly entries?: readonly JsonObject[];
  /** Path of the step that said it, for each field, row or entry in order. */
  readonly from: readonly string[];
  readonly leftOut: number;
}

export interface RunStory {
  readonly runId: string;
  readonly workflow: { readonly id: string; readonly title: string; readonly version: string; readonly hash: string };
  readonly startedAt: string;
  readonly lastAt: string;
  readonly status: 'in_progress' | 'blocked' | 'complete' | 'complete_with_gaps';
  readonly inputs: JsonObject;
  /** In force at the preferred tip. */
  readonly context: { readonly [key: string]: JsonValue };
  readonly preferences: Preferences;
  readonly root: string;
  readonly preferredTip: string;
  /** Every tip, the preferred one first. */
  readonly tips: readonly string[];
  /** Parents before children; siblings in the order they were made. */
  readonly nodes: readonly NodeStory[];
  /** At the preferred tip. */
  readonly documents: readonly DocumentStory[];
  readonly gaps: readonly GapStory[];
}

/** A session told for people: everything that its events say, in an order that can be read. Deterministic for the same events. */
export interface SessionStory {
  readonly sessionId: string;
  readonly key?: string;
  readonly title?: string;
  readonly tags: readonly string[];
  readonly keep: boolean;
  readonly place: DataPlace;
  readonly startedAt: string;
  readonly lastAt: string;
  readonly eventCount: number;
  readonly observations: readonly {
    readonly branch?: string;
    readonly commit?: string;
    readonly repository?: string;
    readonly remote?: string;
  }[];
  readonly notes: readonly NoteStory[];
  readonly checkpoints: readonly CheckpointStory[];
  /** In the order they were started. */
  readonly runs: readonly RunStory[];
  readonly findings: readonly FindingTold[];
}
