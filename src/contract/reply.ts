import type { JsonObject } from '../base/json-value.js';
import type { Rejection } from '../base/rejection.js';

/** What every door gets from a request: the text an agent reads, and the same as data. */
export interface Reply {
  /** A rejection or a fault: the data is the rejection's payload. */
  readonly failed: boolean;
  readonly text: string;
  readonly answer: JsonObject;
  /** Lookup answers are complete in both forms, and are offered as structured content. */
  readonly lookup: boolean;
  /** What was refused, for a door that says it in its own words. */
  readonly rejection?: Rejection;
  /** By what it can be asked for again, where it can be. */
  readonly task?: ReplyTask;
}

export interface ReplyTask {
  /** Whether a person has to answer before the call has what it came for. */
  readonly waits: boolean;
  /** What it waits for is asked in a form, and by nothing else. */
  readonly asks?: true;
  /** Seals the handle, where somebody wants one. */
  readonly id: () => string;
}
