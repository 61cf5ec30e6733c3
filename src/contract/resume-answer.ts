import type { NextCall } from '../base/rejection.js';
import type { RecapTold, WarningTold } from './answer.js';

export interface ResumeCandidate {
  readonly sessionId: string;
  readonly title?: string;
  readonly runId?: string;
  readonly workflowId?: string;
  readonly workflowTitle?: string;
  readonly status: string;
  readonly pending: string | null;
  /** Its run's other tips, and the other runs of its session: how many can be gone on with, and how many have ended. */
  readonly otherBranches?: { readonly open: number; readonly finished: number };
  readonly otherRuns?: { readonly open: number; readonly finished: number };
  readonly lastActivity: string;
  readonly branch?: string;
  readonly whyMatched: string;
  readonly snippet: string;
  /** Words that were asked for and that the snippet does not show, as they were recorded. */
  readonly quotes?: readonly { readonly where: string; readonly words: readonly string[]; readonly quote: string }[];
  /** What was left beside its runs. */
  readonly noted?: Omit<RecapTold, 'olderPage'>;
  /** A branch with more of these words than the one where the work stands; without words, what a token names. */
  readonly otherTip?: {
    readonly words: readonly string[];
    readonly status: string;
    readonly pending: string | null;
    readonly nextCall: NextCall;
  };
  readonly stateToken?: string;
  readonly sessionToken?: string;
  readonly warnings: readonly WarningTold[];
  /** Absent where nothing of the session can be gone on with. */
  readonly nextCall?: NextCall;
}

export interface ResumeAnswer {
  readonly candidates: readonly ResumeCandidate[];
  readonly found: number;
  /** Words of the query that nothing here says. */
  readonly unknownWords?: readonly string[];
  readonly warnings: readonly WarningTold[];
  readonly nextCall?: NextCall;
}
