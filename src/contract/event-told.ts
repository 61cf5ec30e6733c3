import type { JsonObject } from '../base/json-value.js';
import type { FindingTold } from './session-story.js';

/** One event of a session's log. */
export interface EventTold {
  readonly seq: number;
  readonly at: string;
  readonly kind: string;
  /** What it says, in words: one line, and what belongs to it. */
  readonly says: string;
  readonly details: readonly string[];
  /** Its identity: the sum of its line. */
  readonly event: string;
  /** Its writer. */
  readonly by: string;
  readonly runId?: string;
  readonly nodeId?: string;
  /** Where it stands: a file of the session's folder, and the line in it. */
  readonly file: string;
  readonly line: number;
  /** Set where it came in later than events that sort after it: another clone's work was merged. */
  readonly merged?: true;
  /** As recorded. */
  readonly data: JsonObject;
}

/** Part of a session's log, as somebody who follows it gets it. */
export interface EventBatch {
  readonly events: readonly EventTold[];
  /** Files that cannot be read further, told once. */
  readonly findings: readonly FindingTold[];
  /** The session is not where it was; it may come back. */
  readonly gone: boolean;
  /** All that was there at the beginning has been told. */
  readonly upToDate: boolean;
  /** Hand it in to go on after this batch. */
  readonly position: string;
}
