import type { JsonObject, JsonValue } from '../base/json-value.js';
import type { Preferences } from '../base/preferences.js';
import type { NextCall } from '../base/rejection.js';

/** What the step wants handed back, complete enough that a script which reads nothing else can finish the run. */
export interface Expects {
  readonly notes: { readonly required: boolean; readonly rules: readonly string[]; readonly example: string };
  readonly artifacts: readonly {
    readonly kind: string;
    readonly required: boolean;
    readonly schema: JsonObject;
    readonly example: JsonObject;
    readonly contract?: string;
  }[];
  readonly assessments?: readonly {
    readonly id: string;
    readonly purpose: string;
    readonly dimensions: readonly {
      readonly id: string;
      readonly purpose: string;
      readonly levels: readonly string[];
      readonly required?: boolean;
    }[];
    readonly followUps: readonly { readonly level: string; readonly guidance: string }[];
  }[];
  readonly context: readonly ExpectedKey[];
  readonly confirmation: { readonly required: boolean; readonly field: 'confirmed' };
  readonly needs: readonly {
    readonly reason: string;
    readonly key: string;
    readonly ask: string;
    readonly satisfied: boolean;
  }[];
}

export interface ExpectedKey {
  readonly key: string;
  readonly type: string;
  readonly required: boolean;
  readonly values?: readonly JsonValue[];
  readonly description?: string;
  /** In words, what a right value is. */
  readonly wanted: string;
  readonly example: JsonValue;
  /** What reads it later. */
  readonly neededBy: readonly string[];
}

export interface PendingStep {
  readonly stepId: string;
  readonly path: string;
  readonly title: string;
  readonly requireConfirmation: boolean;
  readonly role?: string;
  readonly prompt: string;
  readonly guidance: readonly string[];
  readonly functions?: readonly { readonly name: string; readonly params: readonly string[]; readonly text: string }[];
  readonly references?: readonly {
    readonly id: string;
    readonly title: string;
    readonly path: string;
    readonly purpose?: string;
    readonly authoritative: boolean;
  }[];
  /** Independent pieces that may be given to sub-agents. */
  readonly delegates?: readonly { readonly title: string; readonly goal: string; readonly text: string }[];
  readonly expects: Expects;
}

export interface WarningTold {
  readonly code: string;
  readonly message: string;
  readonly path?: string;
}

export interface GapTold {
  readonly id: string;
  readonly category: string;
  readonly reason: string;
  readonly detail: string;
  readonly severity: string;
  readonly assumption?: string;
  readonly resolves?: string;
}

export interface RecapTold {
  readonly entries: readonly {
    readonly path: string;
    readonly title: string;
    readonly kind: string;
    readonly notes?: string;
    readonly artifacts?: readonly string[];
    readonly gaps?: readonly string[];
    readonly cut?: { readonly before: number; readonly after: number };
  }[];
  readonly omitted: number;
  readonly policy: string;
  /** Send it as page to read what was left out. */
  readonly olderPage?: string;
}

/** What the run was given and what has been set on the way, each cut to a line. */
export interface KnownTold {
  readonly inputs: readonly string[];
  readonly context: readonly string[];
  /** Send it as page to read all of it whole, with every output and artifact. */
  readonly page: string;
  readonly text?: string;
  readonly nextPage?: string;
}

/** What artifacts have folded into so far: findings, changed files, a review's header. */
export interface DocumentTold {
  readonly name: string;
  readonly fold: string;
  /** How many fields, rows or entries it has. */
  readonly size: number;
  /** Send it as page to read the document. */
  readonly page: string;
  readonly text?: string;
  readonly nextPage?: string;
}

export interface BranchTold {
  readonly name: string;
  readonly steps: number;
  readonly path: readonly string[];
  readonly pending: string | null;
  readonly newest?: string;
  readonly stateToken: string;
  readonly preferred: boolean;
}

/** The answer to start, continue and checkpoint. */
export interface ExecutionAnswer {
  readonly kind: 'ok' | 'blocked' | 'complete';
  /** What this call did, or did when it was first made. */
  readonly happened: 'started' | 'advanced' | 'forked' | 'blocked' | 'looked_at_tip' | 'looked_back';
  readonly stateToken: string;
  readonly ackToken?: string;
  readonly pending: PendingStep | null;
  /** Steps done on the way to this one. */
  readonly stepsDone: number;
  readonly isComplete: boolean;
  readonly status: 'in_progress' | 'blocked' | 'complete' | 'complete_with_gaps';
  readonly session: { readonly sessionId: string; readonly runId: string };
  readonly workflow: {
    readonly id: string;
    readonly title: string;
    readonly hash: string;
    readonly description?: string;
    readonly guidance?: readonly string[];
    readonly preconditions?: readonly string[];
    readonly clarify?: readonly string[];
  };
  readonly preferences: Preferences;
  /** This ack changed them. */
  readonly preferencesChanged?: true;
  readonly warnings: readonly WarningTold[];
  /** What this call, or the one it repeats, put on record. */
  readonly recorded?: {
    readonly step: string;
    readonly notes?: string;
    readonly artifacts: number;
    readonly context: readonly string[];
    readonly redo?: NextCall;
  };
  readonly branches?: readonly BranchTold[];
  readonly branchesOmitted?: number;
  /** The call that shows the branches left out. */
  readonly moreBranches?: NextCall;
  readonly preferredTip?: { readonly stateToken: string };
  readonly known?: KnownTold;
  readonly recap?: RecapTold;
  readonly documents?: readonly DocumentTold[];
  readonly blockers?: readonly {
    readonly code: string;
    readonly pointer: string;
    readonly message: string;
    readonly fix: string;
  }[];
  readonly blockersOmitted?: number;
  readonly gaps?: readonly GapTold[];
  readonly gapsOmitted?: number;
  readonly nextCall?: NextCall;
}

export interface CheckpointAnswer {
  readonly kind: 'ok';
  readonly stateToken?: string;
  readonly sessionToken?: string;
  readonly session: { readonly sessionId: string; readonly runId?: string };
  readonly recorded: { readonly at: string; readonly notes?: string; readonly artifacts: number };
  readonly gaps: readonly GapTold[];
  readonly warnings: readonly WarningTold[];
  readonly nextCall?: NextCall;
}

export interface SessionAnswer {
  readonly kind: 'ok';
  readonly sessionToken: string;
  readonly session: { readonly sessionId: string };
  readonly warnings: readonly WarningTold[];
  readonly nextCall: NextCall;
}

export interface ListedWorkflow {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly version?: string;
  readonly kind: 'workflow' | 'routine';
  readonly tags: readonly string[];
  /** `unknown`: the file is too broken to tell its id, and is listed under its own name. */
  readonly idStatus: 'namespaced' | 'legacy' | 'unknown';
  readonly suggestedId?: string;
  readonly source: string;
  readonly file: string;
  readonly hides: readonly { readonly source: string; readonly file: string }[];
  /** False for a file with violations: it is listed and cannot be started. */
  readonly startable: boolean;
  /** The first of them; `inspect_workflow` has all. */
  readonly violations: readonly JsonObject[];
  readonly violationsOmitted?: number;
  /** How many things in it are legal and unwise; `inspect_workflow` tells them. */
  readonly warningCount?: number;
}

export interface ListAnswer {
  readonly workflows: readonly ListedWorkflow[];
  readonly total: number;
  readonly nextCursor?: string;
  readonly nextCall?: NextCall;
}

export interface InspectAnswer {
  readonly workflow: JsonObject;
  readonly steps?: readonly JsonObject[];
  readonly source?: string;
  readonly violations: readonly JsonObject[];
  readonly warnings: readonly JsonObject[];
  readonly nextCursor?: string;
  readonly nextCall: NextCall;
}

export interface ResumeCandidate {
  readonly sessionId: string;
  readonly title?: string;
  readonly runId?: string;
  readonly workflowId?: string;
  readonly workflowTitle?: string;
  readonly status: string;
  readonly pending: string | null;
  readonly lastActivity: string;
  readonly branch?: string;
  readonly whyMatched: string;
  readonly snippet: string;
  readonly stateToken?: string;
  readonly sessionToken?: string;
  readonly warnings: readonly WarningTold[];
  /** Absent where nothing of the session can be gone on with. */
  readonly nextCall?: NextCall;
}

export interface ResumeAnswer {
  readonly candidates: readonly ResumeCandidate[];
  readonly found: number;
  readonly warnings: readonly WarningTold[];
  readonly nextCall?: NextCall;
}
