import type { DataPlace } from './session-story.js';

/** One session that retention speaks of. */
export interface PruneEntry {
  readonly sessionId: string;
  readonly about: string;
  readonly place: DataPlace;
  /** Of its data root. */
  readonly folder: string;
  readonly lastAt: string;
  readonly bytes: number;
}

export interface PruneAnswer {
  /** What was worked on since then stays. */
  readonly before: string;
  readonly dryRun: boolean;
  /** What is, or on a dry run would be, taken away; the longest unused first. */
  readonly pruned: readonly PruneEntry[];
  /** Old enough, and left where it is. */
  readonly spared: readonly (PruneEntry & {
    /** `kept`: marked to be kept for ever. `named`: this call names it. `unsound`: damaged or not whole. `used`: somebody worked on it just now. `failed`: it could not be moved. */
    readonly why: 'kept' | 'named' | 'unsound' | 'used' | 'failed';
    readonly message: string;
  })[];
  /** What earlier runs took away; this one deleted it, or on a dry run would. */
  readonly trash: { readonly sessions: number; readonly bytes: number };
  /** Set where a root lies in a git work tree: what was committed of a session stays in git's history. */
  readonly inGit: boolean;
}
