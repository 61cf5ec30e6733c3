import type { SecretTold } from './bundle-answers.js';
import type { DataPlace } from './session-story.js';

export interface SessionMoved {
  readonly sessionId: string;
  readonly from: DataPlace;
  readonly to: DataPlace;
  /** Of the data root where it is now. */
  readonly folder: string;
  /** `moved`; `already_there`; or `finished`: an earlier move had been cut short. */
  readonly outcome: 'moved' | 'already_there' | 'finished';
  /** It lies in a git work tree, where others will see it once it is committed. */
  readonly inGit: boolean;
  /** It lay in one: its removal is a change to commit, and git still holds what was committed. */
  readonly leftGit: boolean;
  /** Let through on request. */
  readonly secrets: readonly SecretTold[];
}
