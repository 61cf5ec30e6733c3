import type { JsonObject } from '../base/json-value.js';
import type { DataPlace } from './session-story.js';

/** What is in a bundle. */
export interface BundleContent {
  /** The digest of its manifest: bundles of one id hold the same. */
  readonly bundleId: string;
  /** The id that the session was exported under. */
  readonly exportedAs: string;
  readonly key?: string;
  readonly title?: string;
  /** The WorkRail that wrote it. */
  readonly producer: string;
  readonly lines: number;
  readonly runs: number;
  readonly segments: number;
  readonly pins: number;
  /** Of all parts together, expanded. */
  readonly bytes: number;
}

/** Something in a session that looks like a credential. */
export interface SecretTold {
  /** Relative to the session's folder. */
  readonly file: string;
  readonly line: number;
  /** The event's sum: what `workrail redact` takes. */
  readonly event: string;
  /** What it seems to be, with its article. */
  readonly name: string;
  /** JSON pointer into the event's data. */
  readonly pointer: string;
  /** Its beginning, never the whole of it. */
  readonly sample: string;
}

export interface SessionExported {
  readonly sessionId: string;
  readonly bundle: BundleContent;
  /** Absent where it was written to a stream. */
  readonly file?: string;
  /** Of the bundle as a file. */
  readonly size: number;
  /** Let through on request. */
  readonly secrets: readonly SecretTold[];
  readonly warnings: readonly string[];
}

export interface BundleImported {
  /**
   * `imported`: under the id it was exported under. `imported_as_new`: under an id of its own, as that one is taken by
   * other content. `merged`: into the session that is here. `already_here`: nothing was written.
   */
  readonly outcome: 'imported' | 'imported_as_new' | 'merged' | 'already_here';
  readonly sessionId: string;
  readonly place: DataPlace;
  readonly bundle: BundleContent;
  /** Of a merge: segments that are new here, and those that became longer. */
  readonly merged?: { readonly added: number; readonly grown: number };
  /** How an agent finds it: the arguments of resume_session. */
  readonly resume: JsonObject;
  readonly warnings: readonly string[];
}

/** How far long work has come. */
export interface Progress {
  readonly doing: 'checking' | 'writing' | 'reading';
  readonly bytes: number;
  /** Absent where it is not known. */
  readonly of?: number;
}
