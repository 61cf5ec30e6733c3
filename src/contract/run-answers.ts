import type { JsonObject } from '../base/json-value.js';
import type { NextCall } from '../base/rejection.js';
import type { CommandTold } from './command-told.js';
import type { HeldBy } from './held-by.js';
import type { RunState } from './tools/run-schemas.js';

/** Who or what a run waits for: an agent, the user, the time of a next try, or a process that goes on with it. */
export type RunWaitsFor = 'agent' | 'user' | 'time' | 'driver';

/** Where a run stands. Its names are those that clients of runs share. */
export interface RunAnswer {
  readonly run_id: string;
  readonly workflow_id: string;
  readonly session_id: string;
  readonly stateToken: string;
  readonly state: RunState;
  readonly waitingFor?: RunWaitsFor;
  readonly step?: {
    readonly step_id: string;
    readonly path: string;
    readonly title: string;
    readonly command?: string;
    readonly call?: string;
    readonly try?: number;
    /** What became of its last request nobody knows. */
    readonly unknown?: true;
    /** With waitingFor time: when it is tried again. */
    readonly nextTryAt?: string;
  };
  readonly message: string;
  /** With waitingFor driver: a process that is not seen from here had it last, and may go on with it. */
  readonly heldBy?: HeldBy;
  readonly done: readonly CommandTold[];
  readonly doneOmitted?: number;
  readonly returned?: JsonObject;
  /** How many critical gaps are open: what nobody agreed to, or whose outcome nobody knows. A run may have succeeded with some. */
  readonly criticalGaps?: number;
  /** The newest of them. */
  readonly gaps?: readonly { readonly reason: string; readonly detail: string }[];
  readonly failure?: {
    readonly error_code: string;
    readonly message: string;
    readonly step_id?: string;
    readonly command?: string;
    readonly response_payload?: JsonObject;
  };
  readonly startedAt: string;
  readonly lastAt: string;
  readonly nextCall?: NextCall;
}

export interface RunsAnswer {
  readonly runs: readonly Pick<
    RunAnswer,
    | 'run_id'
    | 'workflow_id'
    | 'session_id'
    | 'state'
    | 'waitingFor'
    | 'message'
    | 'criticalGaps'
    | 'heldBy'
    | 'startedAt'
    | 'lastAt'
  >[];
  /** Runs that may have commands and cannot be read, and why. */
  readonly unread?: readonly {
    readonly run_id: string;
    readonly workflow_id: string;
    readonly session_id: string;
    readonly reason: string;
  }[];
  readonly nextCursor?: string;
  readonly nextCall?: NextCall;
}

/** What a purge took away, or would. */
export interface PurgeAnswer {
  readonly workflow_id: string;
  readonly dryRun: boolean;
  readonly purged: readonly { readonly session_id: string; readonly bytes: number }[];
  readonly redacted: readonly {
    readonly session_id: string;
    readonly inputs: readonly string[];
    readonly lines: number;
  }[];
  readonly kept: readonly { readonly session_id: string; readonly reason: string }[];
  readonly confirm?: string;
}
