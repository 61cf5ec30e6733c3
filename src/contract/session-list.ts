import type { DataPlace } from './session-story.js';

/** One session in a list: enough to know it again. */
export interface SessionListed {
  readonly sessionId: string;
  readonly key?: string;
  readonly title?: string;
  /** Where it has no title: its key, what it was given, or how its notes begin. */
  readonly about: string;
  readonly tags: readonly string[];
  readonly keep: boolean;
  /** The kind of root it lies in, and that root's folder. */
  readonly place: DataPlace;
  readonly folder: string;
  readonly startedAt: string;
  readonly lastAt: string;
  /** Of the run that was worked on last; absent in a session that holds notes alone. */
  readonly run?: {
    readonly runId: string;
    readonly workflowId: string;
    readonly workflowTitle: string;
    readonly status: 'in_progress' | 'blocked' | 'complete' | 'complete_with_gaps';
    /** The title of the step that is awaited; null at the end. */
    readonly pending: string | null;
  };
  readonly runs: number;
  /** Tips of all runs. */
  readonly branches: number;
  /** Open where the runs' preferred tips stand. */
  readonly openGaps: number;
  readonly eventCount: number;
  /** Of the repository, as last seen. */
  readonly branch?: string;
  readonly repository?: string;
  /** Set where the session cannot be written to, or not all of it is here. */
  readonly trouble?: 'damage' | 'newer' | 'incomplete';
  /** How it matches the words that were asked for. */
  readonly why?: string;
}

export interface SessionList {
  /** The newest work first; with words, the closest match first. */
  readonly sessions: readonly SessionListed[];
  /** How many there are, shown or not. */
  readonly found: number;
  /** How many sessions are here, whether or not they match. */
  readonly here: number;
  /** Where the next page begins. */
  readonly nextCursor?: string;
  readonly unreadable: readonly { readonly sessionId: string; readonly folder: string; readonly message: string }[];
}
