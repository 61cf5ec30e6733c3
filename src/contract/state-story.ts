import type { JsonValue } from '../base/json-value.js';
import type { VersionTold } from './states-told.js';

/** A shared state of a session, for people to read. */
export interface StateStory {
  readonly id: string;
  /** The state and the version that it was forked from. */
  readonly forkedFrom?: string;
  readonly schema: string;
  readonly version: number;
  readonly etag: string;
  readonly at: string;
  readonly createdAt: string;
  readonly bytes: number;
  /** Why it was closed. */
  readonly closed?: string;
  /** Versions whose changes could not be merged. */
  readonly conflicts: readonly string[];
  /** Other newest versions: the next write merges them. */
  readonly unmerged: readonly string[];
  /** Absent where it is long. */
  readonly document?: { readonly value: JsonValue };
  /** Those with the most changes, first. */
  readonly versions: readonly VersionTold[];
  /** How many there are before those. */
  readonly earlier: number;
}
